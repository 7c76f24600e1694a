import { DamagedLogError, type EntryPage, isNewest, MAX_PAGE_ENTRIES, type PageQuery } from '@holdfast/conversation'
import { pageText, textOfPage } from '../../shared/page-text.ts'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { readRows } from '../../shared/read-rows.ts'
import type { Database } from '../connection/database.ts'
import { isStorageFault } from '../connection/database-failures.ts'
import { scanLog } from '../tables/scan-log.ts'

/**
 * The end of the log and a page of it, from one moment. Both ends of the page are known before it is read, so
 * that whatever the planner thinks of the table, no other rows are. A log without its row, whose entries are
 * there, is not an empty log.
 */
function page({
  from,
  to,
  order,
}: {
  readonly from: string
  readonly to: string
  readonly order: 'ASC' | 'DESC'
}): string {
  return `
    WITH log AS MATERIALIZED (SELECT head FROM holdfast.conversations WHERE conversation_id = $1)
    SELECT (SELECT head FROM log) AS head, e.seq, e.checksum, e.body,
      NOT EXISTS (SELECT 1 FROM log) AND EXISTS (SELECT 1 FROM holdfast.entries WHERE conversation_id = $1) AS "isOrphan"
    FROM (VALUES (1)) AS one
    LEFT JOIN (
      SELECT seq, checksum, body FROM (
        SELECT seq, checksum, body,
          sum(octet_length(body)) OVER (ORDER BY seq ${order}) AS bytes, row_number() OVER (ORDER BY seq ${order}) AS number
        FROM holdfast.entries WHERE conversation_id = $1 AND seq >= ${from} AND seq <= ${to}
      ) counted WHERE $4::bigint IS NULL OR bytes <= $4::bigint OR number = 1
    ) e ON true
    ORDER BY e.seq`
}

const AFTER = page({
  from: '$2::bigint + 1',
  to: 'least($2::bigint + $3::bigint, (SELECT head FROM log))',
  order: 'ASC',
})
const BEFORE = page({
  from: 'least($2::bigint - 1, (SELECT head FROM log)) - $3::bigint + 1',
  to: 'least($2::bigint - 1, (SELECT head FROM log))',
  order: 'DESC',
})

type PageRow = { readonly head: number | null; readonly isOrphan: boolean } & {
  readonly [Column in keyof EntryRow]: EntryRow[Column] | null
}

/** A page of a log, oldest first. [LOG5, LOG7] */
export async function readPage(database: Database, query: PageQuery): Promise<EntryPage> {
  try {
    return await wholePage(database, query)
  } catch (error) {
    if (!(error instanceof DamagedLogError || isStorageFault(error))) throw error
    throw (await firstDamage(database, query.conversationId)) ?? error
  }
}

/** A page as text: what cannot be handed on as it stands is read, which says what is wrong with it. [LOG37] */
export async function readPageText(database: Database, query: PageQuery): Promise<Uint8Array> {
  const { conversationId } = query
  const { head, isOrphan, ...found } = await pageRows(database, query)
  const text = isOrphan ? null : pageText({ conversationId, head, ...found })
  return text?.kinds.every(isNewest) ? text.bytes : textOfPage(await readPage(database, query))
}

async function wholePage(database: Database, query: PageQuery): Promise<EntryPage> {
  const { conversationId } = query
  const { head, isOrphan, rows, from, to } = await pageRows(database, query)
  if (isOrphan) throw new DamagedLogError({ conversationId, firstBadSeq: 1, what: 'its conversation has no row' })
  return { entries: readRows(conversationId, rows, { from, to }), head }
}

interface FoundRows extends Range {
  readonly head: number
  readonly isOrphan: boolean
  readonly rows: readonly EntryRow[]
}

async function pageRows(database: Database, query: PageQuery): Promise<FoundRows> {
  const { conversationId } = query
  const limit = Math.max(0, Math.min(query.limit, MAX_PAGE_ENTRIES))
  const rows = await database.read((sql) =>
    query.before === undefined
      ? sql<PageRow>(AFTER, [conversationId, Math.max(0, query.after), limit, query.maxBytes ?? null])
      : sql<PageRow>(BEFORE, [conversationId, Math.max(0, query.before), limit, query.maxBytes ?? null]),
  )
  const [first] = rows
  const head = first?.head ?? 0
  const found = rows.flatMap(entryRow)
  return {
    head,
    isOrphan: first?.isOrphan ?? false,
    rows: found,
    ...bounded(query, range(query, { limit, head }), found),
  }
}

interface Range {
  readonly from: number
  readonly to: number
}

/** What of the range a page of so many bytes has. A hole beside it is met by the next page. */
function bounded({ maxBytes, before }: PageQuery, { from, to }: Range, rows: readonly EntryRow[]): Range {
  const [first] = rows
  const last = rows.at(-1)
  if (maxBytes === undefined || !first || !last) return { from, to }
  return before === undefined ? { from, to: last.seq } : { from: first.seq, to }
}

/** The first and the last entry that a page of a log with this head has. */
function range(query: PageQuery, { limit, head }: { limit: number; head: number }): Range {
  if (query.before === undefined) {
    const from = Math.max(0, query.after) + 1
    return { from, to: Math.min(head, from + limit - 1) }
  }
  const to = Math.min(query.before - 1, head)
  return { from: Math.max(1, to - limit + 1), to }
}

/** A page says of its own damage; up to where the log is good, only the log from its beginning can say. */
async function firstDamage(database: Database, conversationId: string): Promise<DamagedLogError | null> {
  for await (const found of scanLog(database, conversationId)) {
    if (found.type === 'damage')
      return new DamagedLogError({ conversationId, firstBadSeq: found.seq, what: found.what })
  }
  return null
}

function entryRow({ seq, checksum, body }: PageRow): EntryRow[] {
  return seq === null || checksum === null || body === null ? [] : [{ seq, checksum, body }]
}
