import { parentPort, workerData } from 'node:worker_threads'
import { runBackupThread } from './backup-thread.ts'
import { runCheckThread } from './check-thread.ts'
import { toFailure } from './failures.ts'
import { storeFiles } from './files.ts'
import { toOpenError } from './open-store.ts'
import { runReadThread } from './read-thread.ts'
import { runRestoreThread } from './restore-thread.ts'
import type { ThreadMessage, ThreadOptions } from './thread-messages.ts'
import { runWriteThread } from './write-thread.ts'

const options: ThreadOptions = workerData
const files = storeFiles(options.dataDir)
const port = parentPort
if (!port) throw new Error('This file is the program of a thread; it is not run by itself')

const run = {
  write: runWriteThread,
  read: runReadThread,
  check: runCheckThread,
  backup: runBackupThread,
  restore: runRestoreThread,
}[options.role]

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
