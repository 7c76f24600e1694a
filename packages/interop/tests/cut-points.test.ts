import type { ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRunEvents } from '../src/ag-ui/run-events.ts'
import { createMessageStream } from '../src/ai-sdk/message-stream.ts'
import { createCompletion } from '../src/openai/completion.ts'
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

const told = { type: 'input', inputId: 'input_1' } as const

/** What a reader has of the words of a turn, by protocol: after a cut each is told it from its beginning. */
const FROM_THE_BEGINNING: Readonly<Record<string, (frames: readonly ServerFrame[]) => string>> = {
  'the AI SDK': (frames) => {
    const stream = createMessageStream('c', told)
    const chunks = frames.flatMap((frame) => (stream.isDone() ? [] : stream.take(frame)))
    return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')
  },
  'AG-UI': (frames) => {
    const run = createRunEvents(createMessageStream('c', told), { threadId: 'c', runId: 'r', ignored: [] })
    const events = frames.flatMap((frame) => (run.isDone() ? [] : run.take(frame)))
    return events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? String(delta) : '')).join('')
  },
  'chat completions': (frames) => {
    let words = ''
    const onText = (piece: string) => {
      words += piece
    }
    const completion = createCompletion({ inputId: told.inputId, onText, onQuestion: () => {} })
    for (const frame of frames) if (completion.end() === null) completion.take(frame)
    return words
  },
}

test.each(Object.entries(FROM_THE_BEGINNING))(
  `[SYNC20] over %s a line that is cut at any of ${CUTS} places and told anew says what was heard before, and the rest, once`,
  (_, wordsOf) => {
    let heard = 0
    fc.assert(
      fc.property(
        turn,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.nat(),
        (made, chances, at) => {
          const random = () => Number(chances.next().value)
          const log = logOf({ ...made, endsWithClient: false })
          const frames = framesOf(log, random)
          const before = wordsOf(frames.slice(0, at % frames.length))
          const anew = wordsOf(framesOf(log, random))
          expect(anew.slice(0, before.length)).toBe(before)
          expect(anew).toBe(wordsOf(framesOf(log, () => 1)))
          if (before !== '' && before !== anew) heard += 1
        },
      ),
      { numRuns: CUTS },
    )
    expect(heard).toBeGreaterThan(CUTS / 20)
  },
)
