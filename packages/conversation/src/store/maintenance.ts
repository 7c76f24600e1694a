import type { Entry } from '../entry.ts'
import type { Actor } from '../envelope.ts'

/** What to erase. */
export interface Erasure {
  readonly conversationId: string
  readonly seqs: readonly number[]
  readonly reason: string
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  /** Who asked, as the tombstones say. */
  readonly by?: Actor
}

/** Something in the store that is not as it was written. */
export interface Damage {
  /** The conversation it touches; null when it touches the store as a whole. */
  readonly conversationId: string | null
  /** The first bad entry, where it is an entry. */
  readonly firstBadSeq: number | null
  /** What is wrong, in words. */
  readonly what: string
}

/** What a check of the whole store found. */
export interface IntegrityReport {
  readonly conversationCount: number
  readonly entryCount: number
  readonly damages: readonly Damage[]
}

/** What is done to a store as a whole, by its operator or its owner. */
export interface StoreMaintenance {
  /**
   * Replaces the bodies of these entries, and of all that `entriesToErase` says goes with them, by tombstones:
   * in the log, the drafts of their steps, blobs that no other entry names and no upload waits for (`putBlob`), snapshots
   * and search. Usage records stay. All of them or none. [LOG9]
   *
   * @returns the entries that became tombstones, in the order of the log.
   * @throws {ErasureRefusedError} when one of them holds no content or does not exist. Nothing was erased.
   */
  erase(erasure: Erasure): Promise<readonly Entry[]>

  /**
   * Deletes a conversation with all that belongs to it, blobs as `erase` does; its usage records stay, without content.
   * `at` is the time, in milliseconds since the Unix epoch. [LOG9]
   */
  deleteConversation(conversationId: string, at: number): Promise<void>

  /** Reads everything once and says what is damaged. [LOG7] */
  check(signal: AbortSignal): Promise<IntegrityReport>

  /**
   * Everything that can still be read of one log, in its order, past any damage. For a rescue export. [LOG7]
   */
  readableEntries(conversationId: string): AsyncIterable<Entry>

  /** Writes a copy of the whole store to a file that does not exist yet, while others read and write. */
  backup(file: string, signal: AbortSignal): Promise<void>
}
