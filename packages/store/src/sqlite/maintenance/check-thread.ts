import type { MessagePort } from 'node:worker_threads'
import { openForReading } from '../files/connection.ts'
import type { StoreFiles } from '../files/files.ts'
import type { ThreadOptions } from '../messages/thread-messages.ts'
import { checkStore } from './check-store.ts'
import { runMaintenance } from './maintenance-thread.ts'

/** Runs the thread of one check. */
export function runCheckThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  runMaintenance<null>(port, files, async (_, signal) => {
    const database = openForReading(files, options)
    try {
      return await checkStore(database, signal)
    } finally {
      database.close()
    }
  })
}
