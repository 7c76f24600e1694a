import {
  type ActivePath,
  type Entry,
  type EntryLog,
  entriesAfter,
  entriesBefore,
  isExclusive,
  isInRanges,
  pathRanges,
  rangesUpTo,
  type SeqRange,
} from '@holdfast/conversation'

const PAGE = 500

/** A place in the log of one conversation. */
export interface PathPlace {
  readonly conversationId: string
  readonly path: ActivePath
  readonly seq: number
}

/**
 * Whether an exchange has ended at this place and none has begun since. It reads back to the last message before it,
 * however long the log is. [PRJ6]
 */
export async function isExchangeEnd(log: Pick<EntryLog, 'read'>, { conversationId, path, seq }: PathPlace) {
  const ended = new Set<string>()
  for await (const entry of entriesBack(log, conversationId, rangesUpTo(path, seq))) {
    if (entry.type === 'run-finished') ended.add(entry.runId)
    if (entry.type === 'run-started' && isExclusive(entry.purpose) && !ended.has(entry.runId)) return false
    const runId = runOfMessage(entry)
    if (runId !== null) return ended.has(runId)
  }
  return false
}

/** The entries of the active path after this place, oldest first. */
export async function pathAfter(
  log: Pick<EntryLog, 'read'>,
  { conversationId, path, seq }: PathPlace,
): Promise<readonly Entry[]> {
  const ranges = pathRanges(path)
  const found: Entry[] = []
  for await (const { entries } of entriesAfter(log, { conversationId, after: seq, to: path.head, pageEntries: PAGE }))
    for (const entry of entries) if (isInRanges(ranges, entry.seq)) found.push(entry)
  return found
}

/** How many messages a person reads among these entries: what was sent, and what was answered. */
export function countMessages(entries: readonly Entry[]): number {
  const counter = createMessageCounter()
  counter.add(entries)
  return counter.count()
}

/** Counts the messages that a person reads, page by page and in any order of the pages. */
export interface MessageCounter {
  /** Takes entries whose messages count. */
  add(entries: readonly Entry[]): void
  /** Takes entries whose messages do not count: they may say that an answer beside them is a title or a summary. */
  look(entries: readonly Entry[]): void
  count(): number
}

/** Nothing has been counted. */
export function createMessageCounter(): MessageCounter {
  const asides = new Set<string>()
  const answers: string[] = []
  let sentCount = 0

  // A title that began before these entries ends in them: then its usage, written with its answer, says what it was.
  function look(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.type !== 'step-started' && entry.type !== 'usage-recorded') continue
      if (entry.stepId !== undefined && !isAnswer(entry.purpose)) asides.add(entry.stepId)
    }
  }

  return {
    look,
    add(entries) {
      look(entries)
      for (const entry of entries) {
        if (runOfMessage(entry) !== null) sentCount += 1
        const stepId = stepOfAnswer(entry)
        if (stepId !== null) answers.push(stepId)
      }
    },
    count: () => sentCount + answers.filter((stepId) => !asides.has(stepId)).length,
  }
}

/** The step of an answer, for entries that are one, erased or not. */
function stepOfAnswer(entry: Entry): string | null {
  if (entry.type === 'step-finished') return entry.stepId
  return entry.type === 'body-erased' && entry.erasedType === 'step-finished' ? (entry.of.stepId ?? '') : null
}

/** The run that sent a message, for entries that are one, erased or not. */
export function runOfMessage(entry: Entry): string | null {
  if (entry.type === 'user-message-sent') return entry.runId
  return entry.type === 'body-erased' && entry.erasedType === 'user-message-sent' ? (entry.of.runId ?? '') : null
}

function isAnswer(purpose: Parameters<typeof isExclusive>[0]): boolean {
  return isExclusive(purpose) && purpose !== 'checkpoint'
}

async function* entriesBack(
  log: Pick<EntryLog, 'read'>,
  conversationId: string,
  ranges: readonly SeqRange[],
): AsyncIterable<Entry> {
  for (const { from, to } of ranges.toReversed())
    for await (const { entries } of entriesBefore(log, { conversationId, before: to + 1, from, pageEntries: PAGE }))
      yield* entries.toReversed()
}
