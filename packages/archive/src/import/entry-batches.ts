import type { DatedEntry } from '../log/pending-step.ts'
import type { ImportEvent } from './import-event.ts'

/** Most entries of one batch. */
const BATCH_ENTRIES = 500

/** Cuts the entries of a conversation into batches of one time, without those that the store has already. */
export interface EntryBatches {
  /** How many entries the conversation has so far. */
  count(): number
  /** How many of them were new. */
  newCount(): number
  batchesOf(entries: readonly DatedEntry[]): Iterable<ImportEvent>
}

/** Makes the batches of one conversation. */
export function createEntryBatches(conversationId: string, knownCount: number): EntryBatches {
  let count = 0
  let newCount = 0
  return {
    count: () => count,
    newCount: () => newCount,
    *batchesOf(entries) {
      let start = Math.min(entries.length, Math.max(0, knownCount - count))
      count += start
      while (start < entries.length) {
        const at = entries[start]?.at ?? 0
        let end = start + 1
        while (end < entries.length && end - start < BATCH_ENTRIES && entries[end]?.at === at) end++
        const batch = entries.slice(start, end).map(({ entry }) => entry)
        const after = count
        count += batch.length
        newCount += batch.length
        start = end
        yield { type: 'entries', conversationId, after, at, entries: batch }
      }
    },
  }
}
