import type { NewEntry } from '@holdfast/conversation'
import type { DatedEntry } from '../log/pending-step.ts'
import type { ImportEvent, ImportLimits } from './import-event.ts'
import type { StoredLog } from './stored-log.ts'

/** Gathers the entries of a conversation into appends, without those that the store has already. */
export interface EntryBatches {
  /** How many entries the conversation has so far. */
  count(): number
  /** How many of them are new. */
  newCount(): number
  /** Takes entries; what is gathered comes out when it is enough. `characters`: how far the source has been read. */
  add(entries: readonly DatedEntry[], characters: number): AsyncGenerator<ImportEvent>
  /** Passes over the end of an earlier import: the store has it, and the source does not say it. */
  passImported(): Promise<NewEntry>
  /** Gives the rest: with it the conversation is whole. */
  finish(): Iterable<ImportEvent>
}

/** So many times the usual append may be gathered while a turn is open that readers could see. */
const PATIENCE = 4

/**
 * Makes the appends of one conversation: one, where it is not too large, so that it is there as a whole or not at all.
 * What continues a conversation that people can see is cut between turns.
 */
export function createEntryBatches(options: {
  readonly conversationId: string
  readonly stored: StoredLog | null
  readonly limits: ImportLimits
}): EntryBatches {
  const { conversationId, stored, limits } = options
  let pending: DatedEntry[] = []
  let count = 0
  let newCount = 0
  let flushedCharacters = 0

  const flush = function* (isWhole: boolean): Iterable<ImportEvent> {
    const last = pending.at(-1)
    if (!last) return
    const batch = pending
    pending = []
    yield {
      type: 'entries',
      conversationId,
      after: count - batch.length,
      at: last.at,
      isWhole,
      times: batch.map(({ at }) => at),
      entries: batch.map(({ entry }) => entry),
    }
  }

  const isEnough = (last: DatedEntry, characters: number): boolean => {
    const share = Math.max(pending.length / limits.batchEntries, (characters - flushedCharacters) / limits.batchChars)
    return share >= (stored === null || last.entry.type === 'run-finished' ? 1 : PATIENCE)
  }

  return {
    count: () => count,
    newCount: () => newCount,
    async *add(entries, characters) {
      for (const dated of entries) {
        if (stored && count < stored.entryCount) {
          count++
          await stored.compare(dated.entry)
          continue
        }
        count++
        newCount++
        pending.push(dated)
        if (!isEnough(dated, characters)) continue
        flushedCharacters = characters
        yield* flush(false)
      }
    },
    async passImported() {
      count++
      if (!stored) throw new Error(`Conversation ${conversationId} was not imported before`)
      return stored.passImported()
    },
    finish: () => flush(true),
  }
}
