import { isDeepStrictEqual } from 'node:util'
import { type Entry, type NewEntry, parseNewEntry, placeEntry } from '@holdfast/conversation'
import type { KnownConversation } from './import-event.ts'

/** What the store has of a conversation, read along with what the source says. */
export interface StoredLog {
  readonly entryCount: number
  /** Compares the next entry. @throws {DivergedError} when it is another. */
  compare(entry: NewEntry): Promise<void>
  /** Passes over the end of an earlier import. @throws {DivergedError} when something else is next. */
  passImported(): Promise<NewEntry>
}

/** The store has another entry at this place than the source gives. */
export class DivergedError extends Error {
  override readonly name = 'DivergedError'
  readonly code = 'diverged'
  readonly seq: number

  constructor(conversationId: string, seq: number) {
    super(`Entry ${seq} of conversation ${conversationId} is not what the source gives`)
    this.seq = seq
  }
}

/** Reads what the store has, once and in order. What was erased is taken to be the same. */
export function createStoredLog(known: KnownConversation): StoredLog {
  const reader = known.entries()[Symbol.asyncIterator]()
  const next = async (): Promise<Entry> => {
    const { value, done } = await reader.next()
    if (done) throw new Error(`The log has fewer than its ${known.entryCount} entries`)
    return value
  }
  return {
    entryCount: known.entryCount,
    async compare(entry) {
      const stored = await next()
      const { conversationId, seq, at } = stored
      // A source without times gets the time of each import.
      const isSame =
        stored.type === 'body-erased' ||
        isDeepStrictEqual(placeEntry(parseNewEntry(entry), { conversationId, seq, at }), stored)
      if (!isSame) throw new DivergedError(conversationId, seq)
    },
    async passImported() {
      const stored = await next()
      if (stored.type !== 'imported') throw new DivergedError(stored.conversationId, stored.seq)
      return stored
    },
  }
}
