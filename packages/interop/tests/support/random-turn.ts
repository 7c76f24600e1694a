import type { DraftBlock, Entry, EntryOf, NewEntry } from '@holdfast/conversation'
import type { ServerFrame } from '@holdfast/protocol'
import fc from 'fast-check'

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
export const turn = fc.record({
  steps: fc.array(fc.record({ blocks: fc.array(block, { maxLength: 3 }), calls: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  endsWithClient: fc.boolean(),
})
/** A turn as it is made. */
export type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

/** What the log has of a turn. */
export function logOf({ steps, endsWithClient }: Turn): Entry[] {
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
  return entries.map((entry, index) => entryOf(entry, index + 1))
}

/** What a follower is sent of a turn: its entries, and before a step ends what was published of it, in pieces, some twice. */
export function framesOf(entries: readonly Entry[], random: () => number): ServerFrame[] {
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

/** The frames of a turn up to one of them, and then those of a stop: the answer is sealed where it is, and its calls are closed. */
export function stoppedAt(frames: readonly ServerFrame[], at: number): readonly ServerFrame[] {
  const before = frames.slice(0, at)
  let step: string | null = null
  let blocks: Block[] = []
  const open = new Map<string, NewEntry>()
  let seq = 0
  let isOver = false
  for (const frame of before) {
    if (frame.type === 'delta' && frame.stepId === step) blocks = grown(blocks, frame)
    for (const entry of frame.type === 'entries' ? frame.entries : []) {
      seq = entry.seq
      if (entry.type === 'run-finished') isOver = true
      if (entry.type === 'step-started') [step, blocks] = [entry.stepId, []]
      if (entry.type === 'tool-call-settled') open.delete(entry.callId)
      if (entry.type !== 'step-finished') continue
      step = null
      for (const block of entry.blocks) {
        if (block.type !== 'tool-call') continue
        const { callId, name } = block
        const call = { ...about, stepId: entry.stepId, callId, name }
        open.set(callId, { type: 'tool-call-settled', outcome: 'aborted', content: [], durationMs: 0, ...call })
      }
    }
  }
  if (isOver) return before
  const sealed: NewEntry[] =
    step === null ? [] : [{ type: 'step-finished', blocks, finish: 'cut', cut: 'stopped', ...about, stepId: step }]
  const end: NewEntry = { type: 'run-finished', outcome: 'stopped', ...about }
  const entries = [...sealed, ...open.values(), end].map((entry, index) => entryOf(entry, seq + index + 1))
  return [...before, { type: 'entries', conversationId: 'c', entries }]
}

/** What is whole of calls counts; half of one is left out. */
function grown(
  blocks: readonly Block[],
  { block, text, offset, start }: Extract<ServerFrame, { type: 'delta' }>,
): Block[] {
  const next = [...blocks]
  const known = next[block]
  if (known?.type === 'text' || known?.type === 'thinking')
    next[block] = { ...known, text: known.text.slice(0, offset) + text }
  else if (known?.type === 'tool-call') next[block] = { ...known, inputText: known.inputText.slice(0, offset) + text }
  else if (start?.type === 'tool-call')
    next[block] = { type: 'tool-call', callId: start.callId, name: start.name, inputText: text, complete: false }
  else if (start !== undefined) next[block] = { type: start.type, text }
  return next
}

function entryOf(entry: NewEntry, seq: number): Entry {
  return { ...entry, seq, at: 1_000, conversationId: 'c', v: 1 } as unknown as Entry
}
