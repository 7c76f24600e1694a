import type { MessagePort } from 'node:worker_threads'
import { openForReading } from './connection.ts'
import { toFailure } from './failures.ts'
import type { StoreFiles } from './files.ts'
import type { Call, Operations, ReadSignatures } from './operations.ts'
import { readOneState } from './read-one-state.ts'
import { createReaderOperations } from './reader-operations.ts'
import { toReadError } from './sqlite-errors.ts'
import type { Answer, ThreadMessage, ThreadOptions, ThreadOrder } from './thread-messages.ts'

/** Runs the thread that reads. */
export function runReadThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  const database = openForReading(files, options)
  const operations = createReaderOperations(database)
  const say = (message: ThreadMessage) => port.postMessage(message)
  const answer = (call: Call<ReadSignatures>): Answer => {
    try {
      return { type: 'answered', id: call.id, value: readOneState(database, () => performRead(operations, call)) }
    } catch (error) {
      return { type: 'refused', id: call.id, failure: toFailure(toReadError(error, files) ?? error) }
    }
  }
  port.on('message', (told: Call<ReadSignatures> | ThreadOrder) => {
    if ('name' in told) {
      say({ type: 'answers', answers: [answer(told)] })
    } else {
      database.close()
      say({ type: 'closed' })
      port.close()
    }
  })
  say({ type: 'ready' })
}

/** Does what a call asks for. */
export function performRead<Name extends keyof ReadSignatures>(
  operations: Operations<ReadSignatures>,
  call: Call<ReadSignatures, Name>,
): ReadSignatures[Name]['result'] {
  return operations[call.name](call.args)
}
