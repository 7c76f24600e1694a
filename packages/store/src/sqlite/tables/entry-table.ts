import type { Database } from 'better-sqlite3'
import type { EntryRow } from '../../shared/prepare-append.ts'

/** The log's own table. */
export interface EntryTable {
  /** `foundId` is the entry's row in the search index; null when it is not searched. */
  insert(
    conversationKey: number,
    row: EntryRow,
    about: { readonly type: string; readonly foundId: bigint | null },
  ): void
  /** Puts a tombstone at the place of an entry, the only change a row ever has. [LOG9] */
  replace(conversationKey: number, row: EntryRow, type: string): void
  range(conversationKey: number, from: number, to: number): EntryRow[]
  one(conversationKey: number, seq: number): EntryRow | null
  /** The last place there is; 0 when there is none. */
  lastSeq(conversationKey: number): number
  checkpoints(conversationKey: number): EntryRow[]
  /** The rows in the search index of these entries, or of the whole log. */
  /** How many rows of a stretch, from its beginning or its end, have so many bytes together: at least one that is there. */
  fitting(conversationKey: number, stretch: BoundedStretch): number
  foundIds(conversationKey: number, seqs: readonly number[]): bigint[]
  allFoundIds(conversationKey: number): bigint[]
  setFoundId(conversationKey: number, seq: number, foundId: bigint | null): void
  deleteAll(conversationKey: number): void
}

/** A stretch of a log of which only so many bytes are wanted. */
export interface BoundedStretch {
  readonly from: number
  readonly to: number
  readonly maxBytes: number
  readonly isBackward: boolean
}

/** The table of a connection. */
export function createEntryTable(database: Database): EntryTable {
  const insert = database.prepare<[number, number, number, string, bigint | null, string]>(
    'INSERT INTO entries (conversation_key, seq, checksum, type, found_id, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const replace = database.prepare<[number, string, string, number, number]>(
    'UPDATE entries SET checksum = ?, type = ?, found_id = NULL, body = ? WHERE conversation_key = ? AND seq = ?',
  )
  const range = database.prepare<[number, number, number], EntryRow>(
    'SELECT seq, checksum, body FROM entries INDEXED BY entries_by_place WHERE conversation_key = ? AND seq BETWEEN ? AND ? ORDER BY seq',
  )
  // The size of a text stands in its row: what is long is not read for it.
  const sizes = database.prepare<[number, number, number], { sizeBytes: number }>(
    'SELECT octet_length(body) AS sizeBytes FROM entries INDEXED BY entries_by_place WHERE conversation_key = ? AND seq BETWEEN ? AND ? ORDER BY seq',
  )
  const sizesBackward = database.prepare<[number, number, number], { sizeBytes: number }>(
    'SELECT octet_length(body) AS sizeBytes FROM entries INDEXED BY entries_by_place WHERE conversation_key = ? AND seq BETWEEN ? AND ? ORDER BY seq DESC',
  )
  const lastSeq = database.prepare<[number], { seq: number | null }>(
    'SELECT max(seq) AS seq FROM entries INDEXED BY entries_by_place WHERE conversation_key = ?',
  )
  const checkpoints = database.prepare<[number], EntryRow>(
    "SELECT seq, checksum, body FROM entries WHERE conversation_key = ? AND type = 'checkpoint-made' ORDER BY seq",
  )
  const foundId = database
    .prepare<[number, number], { foundId: bigint }>(
      'SELECT found_id AS foundId FROM entries WHERE conversation_key = ? AND seq = ? AND found_id IS NOT NULL',
    )
    .safeIntegers(true)
  const allFoundIds = database
    .prepare<[number], { foundId: bigint }>(
      'SELECT found_id AS foundId FROM entries WHERE conversation_key = ? AND found_id IS NOT NULL',
    )
    .safeIntegers(true)
  const setFoundId = database.prepare<[bigint | null, number, number]>(
    'UPDATE entries SET found_id = ? WHERE conversation_key = ? AND seq = ?',
  )
  const deleteAll = database.prepare<[number]>('DELETE FROM entries WHERE conversation_key = ?')
  return {
    insert: (key, { seq, checksum, body }, { type, foundId: found }) => {
      insert.run(key, seq, checksum, type, found, body)
    },
    replace: (key, { seq, checksum, body }, type) => {
      replace.run(checksum, type, body, key, seq)
    },
    range: (key, from, to) => range.all(key, from, to),
    fitting(key, { from, to, maxBytes, isBackward }) {
      let bytes = 0
      let count = 0
      for (const { sizeBytes } of (isBackward ? sizesBackward : sizes).iterate(key, from, to)) {
        bytes += sizeBytes
        if (count > 0 && bytes > maxBytes) break
        count += 1
      }
      return count
    },
    one: (key, seq) => range.get(key, seq, seq) ?? null,
    lastSeq: (key) => lastSeq.get(key)?.seq ?? 0,
    checkpoints: (key) => checkpoints.all(key),
    foundIds: (key, seqs) => seqs.flatMap((seq) => foundId.get(key, seq)?.foundId ?? []),
    allFoundIds: (key) => allFoundIds.all(key).map((row) => row.foundId),
    setFoundId: (key, seq, found) => {
      setFoundId.run(found, key, seq)
    },
    deleteAll: (key) => {
      deleteAll.run(key)
    },
  }
}
