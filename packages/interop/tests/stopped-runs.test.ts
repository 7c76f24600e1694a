import { type BaseEvent, verifyEvents } from '@ag-ui/client'
import { EventSchemas } from '@ag-ui/core/schemas'
import type { ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { from, lastValueFrom, toArray } from 'rxjs'
import { expect, test } from 'vitest'
import { createRunEvents } from '../src/ag-ui/run-events.ts'
import { createMessageStream } from '../src/ai-sdk/message-stream.ts'
import { createResponseEvents } from '../src/responses/response-events.ts'
import { framesOf, logOf, stoppedAt, turn } from './support/random-turn.ts'

/** As many runs, each stopped after every one of its frames. */
const RUNS = process.env['HOLDFAST_FULL'] === '1' ? 2_000 : 200

const told = { type: 'input', inputId: 'input_1' } as const

/** The words of a run over AG-UI; its verifier and its schemas have seen each event. */
async function ofAgUi(frames: readonly ServerFrame[]): Promise<string> {
  const stream = createMessageStream('c', told)
  const run = createRunEvents(stream, { threadId: 'c', runId: 'r', ignored: [] })
  const events = frames.flatMap((frame) => (run.isDone() ? [] : run.take(frame)))
  const read = events.map((event): BaseEvent => JSON.parse(JSON.stringify(event)))
  for (const event of read) EventSchemas.parse(event)
  expect(await lastValueFrom(from(read).pipe(verifyEvents(), toArray()))).toHaveLength(read.length)
  expect(['RUN_FINISHED', 'RUN_ERROR']).toContain(events.at(-1)?.type)
  return events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? String(delta) : '')).join('')
}

function ofResponses(frames: readonly ServerFrame[]): string {
  const told_ = { conversationId: 'c', told, startingAfter: null, toResponse: () => ({}), onQuestion: () => {} }
  const response = createResponseEvents(told_)
  const events = frames.flatMap((frame) => (response.isDone() ? [] : response.take(frame)))
  expect(events.at(-1)?.type).toMatch(/^response\.(completed|incomplete)$/)
  return events.map((event) => (event.type === 'response.output_text.delta' ? String(event['delta']) : '')).join('')
}

test(`[SYNC20, RUN1] ${RUNS} runs, stopped after every frame: each ends as AG-UI wants it, and Responses tells the same words`, async () => {
  let seen = 0
  await fc.assert(
    fc.asyncProperty(turn, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), async (made, chances) => {
      const frames = framesOf(logOf({ ...made, endsWithClient: false }), () => Number(chances.next().value))
      const begun = frames.findIndex(
        (frame) => frame.type === 'entries' && frame.entries.some(({ type }) => type === 'user-message-sent'),
      )
      for (let at = begun + 1; at <= frames.length; at++) {
        const stopped = stoppedAt(frames, at)
        expect(await ofAgUi(stopped)).toBe(ofResponses(stopped))
        seen += 1
      }
    }),
    { numRuns: RUNS },
  )
  expect(seen).toBeGreaterThan(RUNS)
}, 120_000)
