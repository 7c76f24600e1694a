import type { ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createResponseEvents } from '../src/responses/response-events.ts'
import type { ResponseEvent } from '../src/responses/told-events.ts'
import { framesOf, logOf, turn } from './support/random-turn.ts'

/** As many places at which lines are cut. */
const CUTS = 1_000

function tell(frames: readonly ServerFrame[], startingAfter: number | null): readonly ResponseEvent[] {
  const events = createResponseEvents({
    conversationId: 'c',
    told: { type: 'input', inputId: 'input_1' },
    startingAfter,
    toResponse: ({ status, output }) => ({ status, output: [...output] }),
    onQuestion: () => {},
  })
  return frames.flatMap((frame) => (events.isDone() ? [] : events.take(frame)))
}

/** Events with their pieces of text put together: the pieces may be others, what they say may not. */
function joined(events: readonly ResponseEvent[]): readonly unknown[] {
  const whole: { type: string; item_id?: unknown; delta?: string }[] = []
  for (const { sequence_number: _, ...event } of events) {
    const last = whole.at(-1)
    const piece = 'delta' in event ? String(event['delta']) : null
    if (piece !== null && last?.delta !== undefined && last.item_id === event['item_id']) last.delta += piece
    else whole.push(piece === null ? { ...event } : { ...event, delta: piece })
  }
  return whole
}

test('[SYNC18, RUN3] who has heard more than a crash has left is told how it ended all the same', () => {
  const log = logOf({ steps: [{ blocks: [{ type: 'text', text: 'Once upon' }], calls: 0 }], endsWithClient: false })
  const [end] = tell(
    framesOf(log, () => 1),
    1_000,
  )
  expect(end).toMatchObject({ type: 'response.completed', sequence_number: 1_001 })
})

test(`[SYNC18] a line that is cut at any of ${CUTS} places comes back without a gap or a repetition, however it is told then`, () => {
  fc.assert(
    fc.property(turn, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), fc.nat(), (made, chances, at) => {
      const random = () => Number(chances.next().value)
      const log = logOf(made)
      const first = tell(framesOf(log, random), null)
      expect(first.map((event) => event.sequence_number)).toEqual(
        [...new Set(first.map((event) => event.sequence_number))].sort((one, other) => one - other),
      )
      const cut = at % first.length
      const rest = tell(framesOf(log, random), first[cut]?.sequence_number ?? null)
      expect(joined([...first.slice(0, cut + 1), ...rest])).toEqual(joined(first))
      expect(joined(first)).toEqual(
        joined(
          tell(
            framesOf(log, () => 1),
            null,
          ),
        ),
      )
    }),
    { numRuns: CUTS },
  )
})
