import type { Entry } from '@holdfast/conversation'
import { DamagedLogError, MalformedEntryError } from '@holdfast/conversation/stored'
import { entryChecksum } from './checksum.ts'
import type { EntryRow } from './prepare-append.ts'

/** Whether a row is what was written. In a damaged table a column may hold anything, so that its type is looked at too. */
export function isIntact(conversationId: string, { seq, body, checksum }: EntryRow): boolean {
  return typeof body === 'string' && entryChecksum({ conversationId, seq }, body) === checksum
}

/**
 * What `read` makes of the body of a row.
 *
 * @throws {DamagedLogError} when it is not what was written. [LOG7]
 * @throws {NewerEntryError} when it is of a newer Holdfast. [LOG6]
 */
export function entryOfRow(conversationId: string, row: EntryRow, read: (stored: unknown) => Entry): Entry {
  const damaged = (what: string, cause?: unknown) =>
    new DamagedLogError({ conversationId, firstBadSeq: row.seq, what }, { cause })
  if (!isIntact(conversationId, row)) throw damaged('its body is not what was written')
  try {
    return read(JSON.parse(row.body))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof MalformedEntryError)
      throw damaged('its body is no entry', error)
    throw error
  }
}
