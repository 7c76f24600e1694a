import {
  canonicalText,
  carriedByCheckpoint,
  composeRequest,
  createWindowReader,
  requestFacts,
  validateRequest,
} from '@holdfast/context'
import { type Entry, type NewEntry, placeEntry } from '@holdfast/conversation'
import { checkpointMade, runStarted, userMessageSent, wholeTurn } from '@holdfast/conversation/testing'
import { type Benchmark, inTurns } from '../lib/measure.ts'
import { textOf } from '../lib/stores.ts'

const SHORT_MESSAGES = 100
const LONG_MESSAGES = 1_000_000
const WINDOW_EXCHANGES = 40
const PAGE_ENTRIES = 100
const ROUNDS = 60

/** Entries of `wholeTurn`, which is two messages. */
const TURN_ENTRIES = 7

/** A log that makes its pages when they are read, so that its length costs nothing else: what the store takes is measured by `tail`. */
interface PagedLog {
  readonly head: number
  at(seq: number): Entry
}

/** Turns, a checkpoint over the first ten, a window over the last forty, and what is asked now. */
function logOf(messageCount: number): PagedLog {
  const turnCount = messageCount / 2
  const checkpointSeq = 10 * TURN_ENTRIES + 1
  const startSeq = (turnCount - WINDOW_EXCHANGES) * TURN_ENTRIES + 2
  const last: readonly NewEntry[] = [
    {
      type: 'window-moved',
      actor: { type: 'engine' },
      startSeq,
      checkpointSeq,
      leftOutCount: messageCount - 2 * WINDOW_EXCHANGES,
    },
    runStarted('run_now', 'turn'),
    userMessageSent('run_now', 'input_now', textOf(0, 12)),
  ]
  const turnsEnd = turnCount * TURN_ENTRIES + 1
  const entryAt = (seq: number): NewEntry => {
    const made = seq === checkpointSeq ? checkpointMade({ fromSeq: 1, toSeq: seq - 1 }, textOf(1, 200)) : undefined
    const number = Math.floor((seq - 2) / TURN_ENTRIES)
    const turn =
      seq > turnsEnd ? last : wholeTurn(number, { asked: textOf(number, 12), answered: textOf(number + 1, 60) })
    const entry = made ?? turn[seq > turnsEnd ? seq - turnsEnd - 1 : (seq - 2) % TURN_ENTRIES]
    if (!entry) throw new Error(`The log has no entry ${seq}`)
    return entry
  }
  return {
    head: turnsEnd + last.length,
    at: (seq) => placeEntry(entryAt(seq), { conversationId: 'conversation_1', seq, at: 1_000 + seq }),
  }
}

/** The pages of the end of a log as they stand in memory after a read, so that making them is not measured. */
function pagesOf(log: PagedLog): readonly (readonly Entry[])[] {
  const pages: Entry[][] = []
  for (let to = log.head; to > log.head - 2_000 && to > 1; to -= PAGE_ENTRIES) {
    const from = Math.max(2, to - PAGE_ENTRIES + 1)
    pages.push(Array.from({ length: to - from + 1 }, (_, index) => log.at(from + index)))
  }
  return pages
}

function build(log: PagedLog, pages: readonly (readonly Entry[])[]): string {
  const reader = createWindowReader({ mostWeight: 2_000_000 })
  for (const [index, entries] of pages.entries())
    if (reader.take({ entries, isBeginning: index === pages.length - 1 })) break
  const read = reader.read()
  const checkpoints = read.carriedSeqs.map((seq) => log.at(seq))
  const carried = checkpoints.flatMap((entry) => {
    const seqs = entry.type === 'checkpoint-made' ? carriedByCheckpoint(entry, read.entries) : []
    return [entry, ...seqs.map((seq) => log.at(seq))]
  })
  const request = composeRequest({
    providerId: 'demo',
    modelId: 'demo',
    providerModelId: 'demo',
    settings: {
      system: textOf(2, 400),
      parameters: {},
      thinkingBudgetTokens: null,
      maxOutputTokens: null,
      toolChoice: 'auto',
      itemLimitChars: 50_000,
    },
    tools: [],
    facts: requestFacts.initial,
    bindsThinking: true,
    entries: read.entries,
    carried,
  }).request
  const violations = validateRequest(request)
  if (violations.length > 0) throw new Error(violations.map(({ text }) => text).join('; '))
  return canonicalText(request)
}

/** Building the next request, from reading back to its canonical text, with what a validator says of it. */
export const request: Benchmark = {
  name: 'request',
  about: `the next request of a conversation of ${LONG_MESSAGES.toLocaleString('en')} messages, read backward and built, beside one of ${SHORT_MESSAGES}; without the store`,
  async run(report) {
    const [short, long] = [logOf(SHORT_MESSAGES), logOf(LONG_MESSAGES)]
    const [shortPages, longPages] = [pagesOf(short), pagesOf(long)]
    report(
      `${long.head.toLocaleString('en')} entries beside ${short.head.toLocaleString('en')}, a window of ${WINDOW_EXCHANGES} exchanges`,
    )
    const { valueMs, baselineMs, ratio } = await inTurns(ROUNDS, {
      value: () => build(long, longPages),
      baseline: () => build(short, shortPages),
    })
    return [
      {
        name: 'request',
        value: valueMs,
        unit: 'ms',
        baseline: baselineMs,
        ratio,
        goal: 'at most 1.2 times the short one, under 10 ms',
        met: ratio <= 1.2 && valueMs < 10,
      },
    ]
  },
}
