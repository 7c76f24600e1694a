import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { StoreFiles } from '../files/files.ts'
import { toFailure } from '../messages/failures.ts'
import type { Call, WriteSignatures } from '../messages/operations.ts'
import type { Answer, Calls, ThreadMessage, ThreadOptions, ThreadOrder } from '../messages/thread-messages.ts'
import { openWriter } from './writer.ts'

/** The most calls of one commit: a longer queue is answered in parts. */
const MAX_GROUP = 256

type Told = Calls<WriteSignatures> | ThreadOrder

/** Runs the thread that writes: it commits in groups all calls that wait. */
export function runWriteThread(port: MessagePort, files: StoreFiles, options: ThreadOptions): void {
  const say = (message: ThreadMessage) => port.postMessage(message)
  const writer = openWriter(files, options, (damage) => say({ type: 'damage', damage }))

  const commit = (calls: readonly Call<WriteSignatures>[], isDone: boolean): void => {
    let answers: Answer[] | null = []
    // What is answered after the commit, such as an erasure, is answered by itself.
    const give = (answer: Answer) => {
      if (answers) answers.push(answer)
      else say({ type: 'answers', answers: [answer], isDone: false })
    }
    writer.commit(
      calls.map((call) => ({
        call,
        outcome: {
          answer: (value) => give({ type: 'answered', id: call.id, value }),
          refuse: (error) => give({ type: 'refused', id: call.id, failure: toFailure(error) }),
        },
      })),
    )
    const together = answers
    answers = null
    if (together.length > 0 || isDone) say({ type: 'answers', answers: together, isDone })
  }

  port.on('message', (first: Told) => {
    const told = [first, ...waiting(port)]
    const calls = told.flatMap((one) => (one.type === 'calls' ? one.calls : []))
    for (let from = 0; from < calls.length; from += MAX_GROUP)
      commit(calls.slice(from, from + MAX_GROUP), from + MAX_GROUP >= calls.length)
    if (told.some((one) => one.type === 'close')) {
      writer.close()
      say({ type: 'closed' })
      port.close()
    }
  })
  say({ type: 'ready' })
}

function waiting(port: MessagePort): Told[] {
  const told: Told[] = []
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) told.push(next.message)
  return told
}
