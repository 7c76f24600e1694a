import {
  type ActivePath,
  type Entry,
  type EntryLog,
  type EntryOf,
  entriesBefore,
  isInRanges,
  pathRanges,
} from '@holdfast/conversation'

/** A message on the path, and where the path stood before it. */
export interface FoundExchange {
  readonly runId: string
  readonly inputId: string
  /** The command that admitted the message; null when the log names none. */
  readonly commandId: string | null
  /** `seq` of the message's admission. */
  readonly admittedSeq: number
  readonly content: EntryOf<'user-message-sent'>['content']
  /** Whether no other message stands after it on the path. */
  readonly isNewest: boolean
  /** The end of the exchange before it; 0 when it is the first. */
  readonly previousEndSeq: number
}

/** Where to look. */
export interface Looked {
  readonly store: Pick<EntryLog, 'read'>
  readonly conversationId: string
  readonly path: ActivePath
}

const PAGE = 200

/** The newest message on the path that `isWanted`; reads back from the end, page by page, no further than it must. */
export async function findExchange(
  looked: Looked,
  isWanted: (message: Pick<FoundExchange, 'runId' | 'commandId' | 'inputId'>) => boolean,
): Promise<FoundExchange | null> {
  return searchBack(looked, (entries, isWhole) => {
    for (const sent of entries.toReversed()) {
      if (sent.type !== 'user-message-sent') continue
      const { runId, inputId, content } = sent
      const admitted = entries.find((entry) => entry.type === 'input-admitted' && entry.inputId === inputId)
      const started = entries.findIndex((entry) => entry.type === 'run-started' && entry.runId === runId)
      const previousEnd = entries.slice(0, Math.max(0, started)).findLast(({ type }) => type === 'run-finished')
      if (!isWhole && (!admitted || started < 0 || !previousEnd)) return null
      const message = { runId, inputId, commandId: admitted?.commandId ?? null }
      if (!isWanted(message)) continue
      return {
        ...message,
        content,
        isNewest: sent === entries.findLast(({ type }) => type === 'user-message-sent'),
        admittedSeq: admitted?.seq ?? sent.seq,
        previousEndSeq: previousEnd?.seq ?? 0,
      }
    }
    return null
  })
}

/** `seq` of a run's first entry; null when the path has none. */
export function startOfRun(looked: Looked, runId: string): Promise<number | null> {
  return searchBack(
    looked,
    (entries) => entries.find((entry) => entry.type === 'run-started' && entry.runId === runId)?.seq ?? null,
  )
}

/** `seq` of a run's end; null where it has none. */
export function endOfRun(looked: Looked, runId: string): Promise<number | null> {
  return searchBack(
    looked,
    (entries) => entries.find((entry) => entry.type === 'run-finished' && entry.runId === runId)?.seq ?? null,
  )
}

/** The run that a step was made in; null when the path has no such step. */
export function runOfStep(looked: Looked, stepId: string): Promise<string | null> {
  return searchBack(looked, (entries) => {
    const started = entries.find((entry) => entry.type === 'step-started' && entry.stepId === stepId)
    return started?.type === 'step-started' ? started.runId : null
  })
}

/** The newest outcome of one of these calls; null where the path has none. */
export function lastSettled(
  looked: Looked,
  callIds: ReadonlySet<string>,
): Promise<{ readonly seq: number; readonly runId: string } | null> {
  return searchBack(looked, (entries) => {
    const settled = entries.findLast((entry) => entry.type === 'tool-call-settled' && callIds.has(entry.callId))
    return settled?.type === 'tool-call-settled' ? { seq: settled.seq, runId: settled.runId } : null
  })
}

/** Asks of ever more of the path's end, in order, until there is an answer or no more. */
async function searchBack<Answer>(
  { store, conversationId, path }: Looked,
  answerOf: (entries: readonly Entry[], isWhole: boolean) => Answer | null,
): Promise<Answer | null> {
  const ranges = pathRanges(path)
  let entries: readonly Entry[] = []
  const whole = { conversationId, before: path.head + 1, pageEntries: PAGE }
  for await (const page of entriesBefore(store, whole)) {
    entries = page.entries.filter(({ seq }) => isInRanges(ranges, seq)).concat(entries)
    const answer = answerOf(entries, (page.entries[0]?.seq ?? 1) <= 1)
    if (answer !== null) return answer
  }
  return null
}
