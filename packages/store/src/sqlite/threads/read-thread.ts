import type { MessagePort } from 'node:worker_threads'
import { openForReading } from '../files/connection.ts'
import type { StoreFiles } from '../files/files.ts'
import { toReadError } from '../files/sqlite-errors.ts'
import { toFailure } from '../messages/failures.ts'
import type { Call, Operations, ReadSignatures } from '../messages/operations.ts'
import type { Answer, Calls, ThreadMessage, ThreadOptions, ThreadOrder } from '../messages/thread-messages.ts'
import { readOneState } from '../reading/read-one-state.ts'
import { createReaderOperations } from '../reading/reader-operations.ts'

/** Answers that come within this time go in one message, in milliseconds. */
const TOGETHER_MS = 1

/** Runs the thread that reads. */
export function runReadThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  const database = openForReading(files, options)
  const operations = createReaderOperations(database)
  /** What goes over to who asked: there is no second one of it. */
  const givenAway: ArrayBuffer[] = []
  const say = (message: ThreadMessage) => port.postMessage(message, givenAway.splice(0))
  const answer = (call: Call<ReadSignatures>): Answer => {
    try {
      const value = readOneState(database, () => performRead(operations, call))
      givenAway.push(...memoryOf(value))
      return { type: 'answered', id: call.id, value }
    } catch (error) {
      return { type: 'refused', id: call.id, failure: toFailure(toReadError(error, files) ?? error) }
    }
  }
  port.on('message', (told: Calls<ReadSignatures> | ThreadOrder) => {
    if (told.type === 'calls') {
      for (const answers of grouped(told.calls, answer)) say(answers)
    } else {
      database.close()
      say({ type: 'closed' })
      port.close()
    }
  })
  say({ type: 'ready' })
}

/** That of a page as text. */
function memoryOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || !('kinds' in value && 'bytes' in value)) return []
  const { bytes } = value
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

/** The answers, those together that take a moment: whoever asked for little does not wait for who asked for much. */
function* grouped(
  calls: readonly Call<ReadSignatures>[],
  answer: (call: Call<ReadSignatures>) => Answer,
): Generator<ThreadMessage> {
  let answers: Answer[] = []
  let begun = performance.now()
  for (const [index, call] of calls.entries()) {
    answers.push(answer(call))
    const isDone = index === calls.length - 1
    if (!isDone && performance.now() - begun < TOGETHER_MS) continue
    yield { type: 'answers', answers, isDone }
    answers = []
    begun = performance.now()
  }
}

/** Does what a call asks for. */
export function performRead<Name extends keyof ReadSignatures>(
  operations: Operations<ReadSignatures>,
  call: Call<ReadSignatures, Name>,
): ReadSignatures[Name]['result'] {
  return operations[call.name](call.args)
}
