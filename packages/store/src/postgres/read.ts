import { DamagedLogError, type EntryPage, MAX_PAGE_ENTRIES, type PageQuery } from '@holdfast/conversation'
import type { EntryRow } from '../shared/prepare-append.ts'
import type { Database } from './database.ts'
import { wholeStretch } from './log-pages.ts'

/**
 * The end of the log and a page of it, from one moment. `$2` and `$3` are the ends of the page asked for,
 * of which the log's own end cuts one. A log without its row, whose entries are there, is not an empty log.
 */
function page(from: string, to: string): string {
  return `
    SELECT c.head, e.seq, e.checksum, e.body,
      c.head IS NULL AND EXISTS (SELECT 1 FROM holdfast.entries WHERE conversation_id = $1) AS "isOrphan"
    FROM (VALUES (1)) AS one
    LEFT JOIN holdfast.conversations c ON c.conversation_id = $1
    LEFT JOIN LATERAL (
      SELECT seq, checksum, body FROM holdfast.entries
      WHERE conversation_id = $1 AND seq BETWEEN ${from} AND ${to}
    ) e ON true
    ORDER BY e.seq`
}

const FORWARD = page('$2::bigint + 1', 'least($2::bigint + $3::bigint, c.head)')
const BACKWARD = page('least($2::bigint - 1, c.head) - $3::bigint + 1', 'least($2::bigint - 1, c.head)')

type PageRow = { readonly head: number | null; readonly isOrphan: boolean } & {
  readonly [Column in keyof EntryRow]: EntryRow[Column] | null
}

/** A page of a log, oldest first. [LOG5, LOG7] */
export async function readPage(database: Database, query: PageQuery): Promise<EntryPage> {
  const { conversationId } = query
  const limit = Math.max(0, Math.min(query.limit, MAX_PAGE_ENTRIES))
  const rows = await database.read((sql) =>
    query.before === undefined
      ? sql<PageRow>(FORWARD, [conversationId, Math.max(0, query.after), limit])
      : sql<PageRow>(BACKWARD, [conversationId, Math.max(0, query.before), limit]),
  )
  const [first] = rows
  if (first?.isOrphan)
    throw new DamagedLogError({ conversationId, firstBadSeq: 1, what: 'its conversation has no row' })
  const head = first?.head ?? 0
  const entries = wholeStretch(rows.flatMap(entryRow), { conversationId, ...ends(query, { limit, head }) })
  return { entries, head }
}

/** The first and the last entry that a page of a log with this head has. */
function ends(query: PageQuery, { limit, head }: { limit: number; head: number }): { fromSeq: number; toSeq: number } {
  if (query.before === undefined) {
    const fromSeq = Math.max(0, query.after) + 1
    return { fromSeq, toSeq: Math.min(head, fromSeq + limit - 1) }
  }
  const toSeq = Math.min(query.before - 1, head)
  return { fromSeq: Math.max(1, toSeq - limit + 1), toSeq }
}

function entryRow({ seq, checksum, body }: PageRow): EntryRow[] {
  return seq === null || checksum === null || body === null ? [] : [{ seq, checksum, body }]
}
