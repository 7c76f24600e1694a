import { entryChecksum } from './checksum.ts'
import type { EntryRow } from './prepare-append.ts'

/** Whether a row is what was written. In a damaged table a column may hold anything, so that its type is looked at too. */
export function isIntact(conversationId: string, { seq, body, checksum }: EntryRow): boolean {
  return typeof body === 'string' && entryChecksum({ conversationId, seq }, body) === checksum
}
