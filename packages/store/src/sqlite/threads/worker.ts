import { parentPort, workerData } from 'node:worker_threads'
import { storeFiles } from '../files/files.ts'
import { toOpenError } from '../files/open-store.ts'
import { toFailure } from '../messages/failures.ts'
import type { ThreadMessage, ThreadOptions } from '../messages/thread-messages.ts'

const options: ThreadOptions = workerData
const files = storeFiles(options.dataDir)
const port = parentPort
if (!port) throw new Error('This file is the program of a thread; it is not run by itself')

/** A thread loads its own program only: the one that reads needs no schemas, which take time to load and much memory. */
const programs = {
  write: async () => (await import('./write-thread.ts')).runWriteThread,
  read: async () => (await import('./read-thread.ts')).runReadThread,
  check: async () => (await import('../maintenance/check-thread.ts')).runCheckThread,
  backup: async () => (await import('../maintenance/backup-thread.ts')).runBackupThread,
  restore: async () => (await import('../maintenance/restore-thread.ts')).runRestoreThread,
}
const run = await programs[options.role]()

// Loading takes longer than opening, so threads load side by side and open one after the other.
port.once('message', () => {
  try {
    run(port, files, options)
  } catch (error) {
    const message: ThreadMessage = { type: 'not-opened', failure: toFailure(toOpenError(error, files)) }
    port.postMessage(message)
    port.close()
  }
})
