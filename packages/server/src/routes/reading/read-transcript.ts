import {
  type ActivePath,
  type Entry,
  type EntryLog,
  entriesAfter,
  entriesBefore,
  isExclusive,
  isInRanges,
  PAGE_BYTES,
  pathRanges,
  type SnapshotStore,
  sizeOf,
  type TranscriptItem,
  transcript,
  visibleItems,
} from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { type TranscriptAnswerItem, toTranscriptAnswer } from '@holdfast/protocol'
import type { Diagnostics } from '../../parts/diagnostics.ts'
import { tellWrongTotals } from '../../parts/tell-wrong-totals.ts'

/** A page of what a person reads. */
export interface TranscriptPage {
  readonly items: readonly TranscriptAnswerItem[]
  readonly head: number
}

/** Where it is read, and where it is said what is wrong. */
export interface TranscriptDeps {
  readonly store: Pick<EntryLog, 'read'> & SnapshotStore
  readonly log: Diagnostics
}

/** Which page. */
export interface TranscriptQuery {
  readonly conversationId: string
  /** The items before this `seq`; null for the newest. */
  readonly before: number | null
  readonly limit: number
}

/** As many entries are read at once: about what a page of a thread needs. */
const PAGE_ENTRIES = 200

/**
 * A page of what a person reads, read back from its end: what it costs depends on the page and on the runs that it
 * touches, not on the log's length. It ends before its limit where it would have more than `PAGE_BYTES`; one item it always
 * has, where there is one. [LOG5]
 *
 * Items are those of the fold of the whole log, but for what came late: a result that arrived more than a page of entries
 * after the end of an older page is not seen there.
 */
export async function readTranscript(
  { store, log }: TranscriptDeps,
  { conversationId, before, limit }: TranscriptQuery,
): Promise<TranscriptPage> {
  const { state } = await readOverview(store, conversationId)
  tellWrongTotals(log, conversationId, state.ledger)
  const { head, path, exclusions } = state
  const end = Math.min(before ?? head + 1, head + 1)
  let entries = await restOfRun({ store, conversationId, head }, end)
  const itemsBefore = () => itemsOf(entries, path).filter(({ seq }) => seq < end)
  let leftBytes = PAGE_BYTES - sizeOf(entries)
  const answer = (items: readonly TranscriptItem[]): TranscriptPage => ({
    items: fitting(items.slice(-limit)).map((item) => toTranscriptAnswer(item, exclusions)),
    head,
  })
  for await (const page of entriesBefore(store, { conversationId, before: end, pageEntries: PAGE_ENTRIES })) {
    entries = page.entries.concat(entries)
    leftBytes -= sizeOf(page.entries)
    // Where much was read already, what there is of whole turns is enough.
    const wanted = leftBytes > 0 ? limit : 1
    if (!mayFill(entries, { path, end, limit: wanted })) continue
    const items = itemsBefore()
    if (items.length >= wanted) return answer(items)
  }
  return answer(itemsBefore())
}

/** The newest of these that fit in a page: at least the last. */
function fitting(items: readonly TranscriptItem[]): readonly TranscriptItem[] {
  let leftBytes = PAGE_BYTES
  const tooMany = items.findLastIndex((item, index) => {
    leftBytes -= sizeOf(item)
    return leftBytes < 0 && index < items.length - 1
  })
  return items.slice(tooMany + 1)
}

/** What follows a place, as far as it may change what stands before it: up to the next turn. */
async function restOfRun(
  {
    store,
    conversationId,
    head,
  }: { readonly store: Pick<EntryLog, 'read'>; readonly conversationId: string; readonly head: number },
  from: number,
): Promise<readonly Entry[]> {
  let entries: readonly Entry[] = []
  const rest = { conversationId, after: from - 1, to: head, pageEntries: PAGE_ENTRIES }
  for await (const page of entriesAfter(store, rest)) {
    entries = entries.concat(page.entries)
    if (page.entries.some(isBeginning)) break
  }
  return entries
}

interface Wanted {
  readonly path: ActivePath
  readonly end: number
  readonly limit: number
}

/** Whether these entries have as many items as are wanted, by those that are surely one each: folding is not tried in vain. */
function mayFill(entries: readonly Entry[], { path, end, limit }: Wanted): boolean {
  const ranges = pathRanges(path)
  const start = entries.findIndex(isBeginning)
  if (start === -1) return false
  const sure = entries
    .slice(start)
    .filter(
      ({ type, seq }) =>
        (type === 'user-message-sent' || type === 'step-finished') && seq < end && isInRanges(ranges, seq),
    )
  return sure.length >= limit
}

/**
 * The items of a log's end. It is folded from the log's beginning or that of an exclusive run; what a side run does that
 * began before belongs to items before.
 */
function itemsOf(entries: readonly Entry[], path: ActivePath): readonly TranscriptItem[] {
  const start = entries.findIndex((entry) => entry.seq === 1 || isBeginning(entry))
  const part = entries.slice(Math.max(0, start))
  const begun = new Set(part.flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : [])))
  const own = part.filter((entry) => !('stepId' in entry) || !('runId' in entry) || begun.has(entry.runId ?? ''))
  const { items } = transcript.reduce(transcript.initial, own)
  return visibleItems({ items, path })
}

function isBeginning(entry: Entry): boolean {
  return entry.type === 'run-started' && isExclusive(entry.purpose)
}
