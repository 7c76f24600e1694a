import { type Entry, type ListingState, listing } from '@holdfast/conversation'
import { searchWords } from '../../shared/search-row.ts'
import type { Database, Sql } from '../connection/database.ts'
import { lockLog, writeListing } from './conversation-rows.ts'
import { logPages } from './log-pages.ts'
import { searchPassages } from './search-passages.ts'

const DELETE_PASSAGES = 'DELETE FROM holdfast.search_passages WHERE conversation_id = $1'

const WRITE_PASSAGES = `
  INSERT INTO holdfast.search_passages (conversation_id, owner_id, seq, at, passage, is_whole, words)
  SELECT $1, $2, new.seq, new.at, new.passage, new.is_whole, new.words::tsvector
  FROM unnest($3::bigint[], $4::bigint[], $5::integer[], $6::boolean[], $7::text[])
    AS new (seq, at, passage, is_whole, words)`

/** Makes the rows of one conversation anew from its log. [PRJ5] */
export async function reindex(database: Database, conversationId: string): Promise<void> {
  await database.maintain(async (sql) => {
    const log = await lockLog(sql, conversationId)
    if (log) await reindexLocked(sql, log)
  })
}

/** Makes the rows of one conversation anew in a transaction that holds the row of the log. */
export async function reindexLocked(
  sql: Sql,
  log: { readonly conversationId: string; readonly head: number },
): Promise<void> {
  let state = listing.initial
  await sql(DELETE_PASSAGES, [log.conversationId])
  for await (const entries of logPages(sql, log)) {
    state = listing.reduce(state, entries)
    await writePassages(sql, { state, entries })
  }
  await writeListing(sql, state)
}

async function writePassages(
  sql: Sql,
  { state, entries }: { state: ListingState; entries: readonly Entry[] },
): Promise<void> {
  const { conversationId, ownerId } = state
  const passages = entries.flatMap((entry) =>
    searchPassages(searchWords(entry) ?? [], ownerId).map((passage) => ({ ...passage, seq: entry.seq, at: entry.at })),
  )
  if (passages.length === 0) return
  await sql(WRITE_PASSAGES, [
    conversationId,
    ownerId,
    passages.map(({ seq }) => seq),
    passages.map(({ at }) => at),
    passages.map(({ number }) => number),
    passages.map(({ isWhole }) => isWhole),
    passages.map(({ words }) => words),
  ])
}
