import type { DraftBlock, Entry, EntryOf, NewEntry } from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createResponseEvents } from '../src/responses/response-events.ts'
import type { ResponseEvent } from '../src/responses/told-events.ts'

/** As many places at which lines are cut. */
const CUTS = 1_000

const ENGINE = { type: 'engine' } as const
const about = { actor: ENGINE, runId: 'run_1' }

type Block = EntryOf<'step-finished'>['blocks'][number]

/** Words as models write them, with letters of two code units, and nothing. */
const words = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '你', '😀', '\n', '"'), maxLength: 12 })
const block = fc.oneof(
  words.map((text): Block => ({ type: 'text', text })),
  words.map((text): Block => ({ type: 'thinking', text })),
)

/** A turn of some steps: each says something and calls tools of the server, and the last those of the client or none. */
const turn = fc.record({
  steps: fc.array(fc.record({ blocks: fc.array(block, { maxLength: 3 }), calls: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  endsWithClient: fc.boolean(),
})
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

function logOf({ steps, endsWithClient }: Turn): Entry[] {
  const entries: NewEntry[] = [
    { type: 'run-started', purpose: 'turn', ...about },
    { type: 'user-message-sent', inputId: 'input_1', content: [{ type: 'text', text: 'Go' }], ...about },
  ]
  for (const [index, { blocks, calls }] of steps.entries()) {
    const isLast = index === steps.length - 1
    const count = isLast && endsWithClient ? Math.max(1, calls) : isLast ? 0 : Math.max(1, calls)
    const stepId = `step_${index}`
    const step = { ...about, stepId }
    const made = Array.from({ length: count }, (_, call): Block & { type: 'tool-call' } => {
      const callId = `call_${call}`
      return { type: 'tool-call', callId, name: 'look', inputText: `{"place":${call}}`, complete: true }
    })
    entries.push(
      {
        type: 'step-started',
        providerId: 'p',
        modelId: 'm',
        purpose: 'turn',
        ...step,
      } as NewEntry,
      { type: 'step-finished', blocks: [...blocks, ...made], finish: count > 0 ? 'tool-calls' : 'end', ...step },
      ...made.flatMap(({ callId, name }): NewEntry[] => {
        const call = { ...step, callId, name }
        const started = { type: 'tool-call-started', input: {}, effects: true, ...call } as const
        if (isLast) return [{ ...started, runsAt: 'client' }]
        const content = [{ type: 'text' as const, text: `seen ${callId}` }]
        return [started, { type: 'tool-call-settled', outcome: 'ok', content, durationMs: 1, ...call }]
      }),
    )
  }
  if (!endsWithClient) entries.push({ type: 'run-finished', outcome: 'completed', ...about })
  return entries.map((entry, index) => ({ ...entry, seq: index + 1, at: 1_000, schemaVersion: 1 }) as unknown as Entry)
}

/** What a follower is sent of a turn: its entries, and before a step ends what was published of it, in pieces, some twice. */
function framesOf(entries: readonly Entry[], random: () => number): ServerFrame[] {
  const frames: ServerFrame[] = []
  for (const entry of entries) {
    if (entry.type === 'step-finished' && random() < 0.8) frames.push(...piecesOf(entry, random))
    frames.push({ type: 'entries', conversationId: 'c', entries: [entry] })
    if (random() < 0.2) frames.push({ type: 'caught-up', conversationId: 'c', head: entry.seq })
  }
  return frames
}

function piecesOf({ stepId, blocks }: EntryOf<'step-finished'>, random: () => number): ServerFrame[] {
  const frames: ServerFrame[] = []
  const draft: DraftBlock[] = []
  for (const [index, made] of blocks.entries()) {
    const start =
      made.type === 'tool-call'
        ? { type: made.type, callId: made.callId, name: made.name }
        : ({ type: made.type } as const)
    const text = made.type === 'tool-call' ? made.inputText : made.text
    for (let from = 0, isFirst = true; isFirst || from < text.length; isFirst = false) {
      const to = Math.min(text.length, from + 1 + Math.floor(random() * 5))
      const isEnd = to >= text.length
      const delta: ServerFrame = {
        type: 'delta',
        conversationId: 'c',
        stepId,
        block: index,
        offset: from,
        text: text.slice(from, to),
        ...(isFirst ? { start } : {}),
        ...(isEnd ? { end: {} } : {}),
      }
      frames.push(delta)
      if (random() < 0.1) frames.push(delta)
      draft[index] = { start, text: text.slice(0, to), complete: isEnd }
      if (random() < 0.1)
        frames.push({ type: 'draft', conversationId: 'c', stepId, blocks: [...draft], offset: 0 } as ServerFrame)
      // A line that is slow misses the rest, and is healed by what the log has.
      if (random() < 0.05) return frames
      from = to
    }
  }
  return frames
}

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
