import { DamagedLogError, readTrustedEntry, StoreReadError, UPCASTS } from '@holdfast/conversation/stored'
import type { Database } from 'better-sqlite3'
import { entryOfRow } from '../../shared/intact-row.ts'
import { readShown } from '../../shared/listing-row.ts'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { createSearchHits, type SearchHits } from '../../shared/search-row.ts'
import { isSqliteError } from '../files/sqlite-errors.ts'
import type { FoundHit, Operations, ReadSignatures } from '../messages/operations.ts'

/** Of so many characters hits are made at once, and of one entry at least: readings of others come in between. */
const AT_ONCE = 1_024 * 1_024

/** An entry that the search index names. */
interface FoundRow extends EntryRow {
  readonly conversationId: string
  /** What the list shows of the conversation, as JSON. */
  readonly shown: string
}

/** The search's part of the reading thread. Texts stay here: what goes to the thread that serves others is passages. [LOG15] */
export function createSearchReader(database: Database): Pick<Operations<ReadSignatures>, 'findWords' | 'searchHits'> {
  const matching = database
    .prepare<[string, number], { foundId: bigint }>(
      'SELECT rowid AS foundId FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .safeIntegers(true)
  const found = database.prepare<[bigint], FoundRow>(
    `SELECT seq, entries.checksum, body, conversation_id AS conversationId, shown
     FROM entries JOIN conversations USING (conversation_key) WHERE found_id = ?`,
  )
  return {
    findWords({ match, limit }) {
      try {
        return BigInt64Array.from(matching.all(match, limit), ({ foundId }) => foundId)
      } catch (error) {
        if (!isSqliteError(error, 'SQLITE_CORRUPT')) throw error
        throw new StoreReadError('The search index is damaged. It is made anew at the next start.', { cause: error })
      }
    },
    searchHits({ query, foundIds, lookedAt }) {
      const search = createSearchHits(query, lookedAt)
      const hits: FoundHit[] = []
      let characters = 0
      let taken = 0
      for (const foundId of foundIds) {
        if (characters >= AT_ONCE) break
        taken += 1
        const row = found.get(foundId)
        // It may have been erased since it was found.
        if (row === undefined) continue
        hits.push(hitOf(row, search))
        characters += row.body.length
      }
      return { hits, taken, left: search.left() }
    },
  }
}

/** A damaged entry is told as such, so that one does not keep all the others from being found. */
function hitOf(row: FoundRow, { toHit }: SearchHits): FoundHit {
  const { conversationId, seq, shown } = row
  try {
    const entry = entryOfRow(conversationId, row, (stored) => readTrustedEntry(stored, UPCASTS))
    return { type: 'hit', hit: toHit(entry, readShown(shown).title) }
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error
    return { type: 'damaged', damage: { conversationId, firstBadSeq: seq, what: error.message } }
  }
}
