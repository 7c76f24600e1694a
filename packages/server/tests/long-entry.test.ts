import type { NewEntry } from '@holdfast/conversation'
import { MAX_SERVER_FRAME_LENGTH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Served, serve } from './support/serve.ts'
import { greet } from './support/socket-client.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(async () => {
  await served.close()
})

/** A conversation of which one answer is longer than a frame may be, as another version may have written it. */
async function withLongAnswer(texts: readonly string[]): Promise<string> {
  const id = await served.newConversation()
  const { head } = await served.store.read({ conversationId: id, after: 0, limit: 1 })
  const entry: NewEntry = {
    type: 'step-finished',
    actor: { type: 'engine' },
    runId: 'run_1',
    stepId: 'step_1',
    blocks: texts.map((text) => ({ type: 'text', text })),
    finish: 'end',
  }
  await served.store.append({ conversationId: id, after: head, entries: [entry], at: 1 })
  return id
}

test('[LOG28] follows a conversation with an entry longer than a frame: it is shortened and says so, and the line lives on', async () => {
  const id = await withLongAnswer(['A short one', 'x'.repeat(MAX_SERVER_FRAME_LENGTH + 1)])
  const other = await served.newConversation()
  const client = await greet(served)
  client.send({ type: 'follow', conversationId: id, after: 0 })
  await client.next('caught-up')
  const sent = client.frames.flatMap((frame) => (frame.type === 'entries' ? frame.entries : []))
  const answer = sent.find((entry) => entry.type === 'step-finished')
  const left = MAX_SERVER_FRAME_LENGTH + 1 - 100_000
  expect(answer).toMatchObject({
    blocks: [
      { type: 'text', text: 'A short one' },
      { text: `${'x'.repeat(100_000)}\n[… ${left} characters left out here; all of it is in the export …]` },
    ],
  })
  client.send({ type: 'follow', conversationId: other, after: 0 })
  expect((await client.next('caught-up', ({ conversationId }) => conversationId === other)).head).toBe(1)
})
