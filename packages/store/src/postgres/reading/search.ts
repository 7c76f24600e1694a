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
  SELECT ${CONVERSATION_COLUMNS}, e.seq, e.checksum AS "entryChecksum", e.body
  FROM newest n
  JOIN holdfast.conversations c ON c.conversation_id = n.conversation_id
  JOIN holdfast.entries e ON e.conversation_id = n.conversation_id AND e.seq = n.seq
  ORDER BY n.at DESC, n.seq DESC, n.conversation_id`

type HitRow = ConversationRow & Pick<EntryRow, 'seq' | 'body'> & { readonly entryChecksum: number }

/** Messages and titles that hold all phrases, newest first. [PRJ5] */
export async function search(
  database: Database,
  { ownerId, query, limit }: SearchRequest,
): Promise<readonly SearchHit[]> {
  if (query.phrases.length === 0) return []
  const values = [ownerId, wholeQuery(query, ownerId), phraseQueries(query, ownerId), limit]
  const rows = await database.read((sql) => sql<HitRow>(SEARCH, values))
  const { toHit } = createSearchHits(query, LOOKED_AT_OF_SEARCH)
  const hits: SearchHit[] = []
  for (const row of rows) {
    hits.push(...hitOf(row, toHit))
    // Each may be a long message: whoever else waits comes in between.
    await setImmediate()
  }
  return hits
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
