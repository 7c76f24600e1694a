import { setImmediate } from 'node:timers/promises'
import { DamagedLogError, type SearchHit, type SearchRequest } from '@holdfast/conversation'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { readRow } from '../../shared/read-rows.ts'
import { createSearchHits, LOOKED_AT_OF_SEARCH, type SearchHits } from '../../shared/search-row.ts'
import type { Database } from '../connection/database.ts'
import { CONVERSATION_COLUMNS, type ConversationRow, isCurrent, shownOf } from '../tables/conversation-rows.ts'
import { phraseQueries, wholeQuery } from '../tables/search-passages.ts'

/** Texts of one passage hold all phrases in it; those of several hold each phrase in one of them. */
const SEARCH = `
  WITH found AS (
    SELECT conversation_id, seq, at FROM holdfast.search_passages
    WHERE words @@ $2::text::tsquery AND owner_id = $1 AND is_whole
    UNION ALL
    SELECT part.conversation_id, part.seq, part.at
    FROM unnest($3::text[]) WITH ORDINALITY AS phrase (query, number)
    JOIN holdfast.search_passages part ON part.words @@ phrase.query::tsquery
    WHERE part.owner_id = $1 AND NOT part.is_whole
    GROUP BY part.conversation_id, part.seq, part.at
    HAVING count(DISTINCT phrase.number) = cardinality($3::text[])
  ), newest AS (
    SELECT * FROM found ORDER BY at DESC, seq DESC, conversation_id LIMIT $4
  )
  SELECT n.conversation_id AS "conversationId", n.seq, octet_length(e.body) AS "sizeBytes"
  FROM newest n JOIN holdfast.entries e ON e.conversation_id = n.conversation_id AND e.seq = n.seq
  ORDER BY n.at DESC, n.seq DESC, n.conversation_id`

const READ = `
  SELECT ${CONVERSATION_COLUMNS}, e.seq, e.checksum AS "entryChecksum", e.body
  FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS n (conversation_id, seq, place)
  JOIN holdfast.conversations c ON c.conversation_id = n.conversation_id
  JOIN holdfast.entries e ON e.conversation_id = n.conversation_id AND e.seq = n.seq
  ORDER BY n.place`

/** As many bytes of bodies are read at once, and one entry at least. */
const AT_ONCE_BYTES = 1_024 * 1_024

/** An entry that the index names, and how long it is. */
interface FoundRow {
  readonly conversationId: string
  readonly seq: number
  readonly sizeBytes: number
}

type HitRow = ConversationRow & Pick<EntryRow, 'seq' | 'body'> & { readonly entryChecksum: number }

/** Messages and titles that hold all phrases, newest first, read a piece at a time. [PRJ5, LOG15] */
export async function search(
  database: Pick<Database, 'read'>,
  { ownerId, query, limit }: SearchRequest,
): Promise<readonly SearchHit[]> {
  if (query.phrases.length === 0) return []
  const values = [ownerId, wholeQuery(query, ownerId), phraseQueries(query, ownerId), limit]
  const found = await database.read((sql) => sql<FoundRow>(SEARCH, values))
  const { toHit } = createSearchHits(query, LOOKED_AT_OF_SEARCH)
  const hits: SearchHit[] = []
  for (const piece of piecesOf(found)) {
    const names = [piece.map(({ conversationId }) => conversationId), piece.map(({ seq }) => seq)]
    // What was erased since it was found is not among them.
    for (const row of await database.read((sql) => sql<HitRow>(READ, names))) {
      hits.push(...hitOf(row, toHit))
      // Each may be a long message: whoever else waits comes in between.
      await setImmediate()
    }
  }
  return hits
}

function piecesOf(found: readonly FoundRow[]): readonly (readonly FoundRow[])[] {
  const pieces: FoundRow[][] = []
  let piece: FoundRow[] = []
  let left = 0
  for (const row of found) {
    if (row.sizeBytes > left) {
      piece = []
      pieces.push(piece)
      left = AT_ONCE_BYTES
    }
    piece.push(row)
    left -= row.sizeBytes
  }
  return pieces
}

/** A damaged entry is reported where its conversation is opened; the search goes on without it. [LOG7] */
function hitOf(row: HitRow, toHit: SearchHits['toHit']): SearchHit[] {
  const { conversationId, seq, body, entryChecksum } = row
  try {
    const entry = readRow(conversationId, { seq, body, checksum: entryChecksum })
    return [toHit(entry, isCurrent(row) ? shownOf(row).title : null)]
  } catch (error) {
    if (error instanceof DamagedLogError) return []
    throw error
  }
}
