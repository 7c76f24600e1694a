import { DamagedLogError, type Entry, readStoredEntry, UPCASTS } from '@holdfast/conversation'
import { entryOfRow } from './intact-row.ts'
import type { EntryRow } from './prepare-append.ts'

/**
 * The entries of rows, which must be those from `from` to `to` without a gap.
 *
 * @throws {DamagedLogError} at the first row that is missing or not what was written. [LOG7]
 * @throws {NewerEntryError} when an entry is of a newer Holdfast. [LOG6]
 */
export function readRows(
  conversationId: string,
  rows: readonly EntryRow[],
  range: { readonly from: number; readonly to: number },
): Entry[] {
  const missing = (seq: number) => new DamagedLogError({ conversationId, firstBadSeq: seq, what: 'it is missing' })
  const entries = rows.map((row, index) => {
    if (row.seq !== range.from + index) throw missing(range.from + index)
    return readRow(conversationId, row)
  })
  if (range.from + entries.length <= range.to) throw missing(range.from + entries.length)
  return entries
}

/**
 * The entry of a row.
 *
 * @throws {DamagedLogError} when it is not what was written. [LOG7]
 * @throws {NewerEntryError} when it is of a newer Holdfast. [LOG6]
 */
export function readRow(conversationId: string, row: EntryRow): Entry {
  return entryOfRow(conversationId, row, (stored) => readStoredEntry(stored, UPCASTS))
}
