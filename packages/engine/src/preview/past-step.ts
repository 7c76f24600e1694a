import { boundariesOf, readSummary } from '@holdfast/context'
import { type Entry, type EntryLog, type EntryOf, entriesAfter, focusIn } from '@holdfast/conversation'
import type { LentWords } from '../request/lent-request.ts'

const PAGE = 500

/** A request that a log names, with what its log says that it was made of. */
export interface PastStep {
  readonly started: Entry & EntryOf<'step-started'>
  /** Null as long as it is not over. */
  readonly usage: (Entry & EntryOf<'usage-recorded'>) | null
  /** Entries before it whose words it may have held and that were erased since. [LOG9] */
  readonly erasedSeqs: readonly number[]
  /** The words that a call was lent the model for; null for another request, or where they were erased. */
  readonly lends: LentWords | null
  /** What a person wanted of the summary above all; null for nothing. */
  readonly focus: string | null
  /** The summary of the chunks before; null for none. */
  readonly soFar: string | null
}

/** Finds a request by its step, and what belongs to it before and after. Null when the log has no such step. */
export async function findStep(
  store: Pick<EntryLog, 'read'>,
  { conversationId, stepId }: { readonly conversationId: string; readonly stepId: string },
): Promise<PastStep | null> {
  const lent = new Map<string, LentWords>()
  const summaries = new Map<string, EntryOf<'step-finished'>>()
  const erasedSeqs: number[] = []
  let started: PastStep['started'] | null = null
  const focuses = new Map<string, string>()
  let usage: PastStep['usage'] = null
  for await (const { entries } of entriesAfter(store, { conversationId, after: 0, pageEntries: PAGE })) {
    for (const entry of entries) {
      if (started === null) {
        erasedSeqs.push(...boundariesOf([entry]).flatMap(({ reason, seq }) => (reason === 'erasure' ? [seq] : [])))
        if (entry.type === 'question-asked' && entry.lends) lent.set(entry.questionId, entry.lends)
        if (entry.type === 'step-finished' && entry.purpose === 'checkpoint') summaries.set(entry.stepId, entry)
        if (entry.type === 'notice-raised' && entry.runId !== undefined) {
          const focus = focusIn(entry)
          if (focus !== null) focuses.set(entry.runId, focus)
        }
        if (entry.type === 'step-started' && entry.stepId === stepId) started = entry
        continue
      }
      if (entry.type === 'usage-recorded' && entry.stepId === stepId) usage = entry
    }
    // The record comes in the append that ends the step.
    if (usage !== null) break
  }
  if (started === null) return null
  const { beside } = started
  const lends = beside?.type === 'lent' ? (lent.get(beside.questionId) ?? null) : null
  const before = beside?.type === 'summary' ? summaries.get(beside.chunk?.soFarStepId ?? '') : undefined
  const focus = focuses.get(started.runId) ?? null
  return { started, usage, erasedSeqs, lends, focus, soFar: before === undefined ? null : summaryIn(before) }
}

function summaryIn({ blocks, finish }: EntryOf<'step-finished'>): string | null {
  const read = readSummary(blocks, { finish, mostWeight: Number.POSITIVE_INFINITY })
  return read.type === 'summary' ? read.text : null
}
