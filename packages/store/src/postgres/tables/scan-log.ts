import { DamagedLogError, type Entry } from '@holdfast/conversation'
import type { EntryRow } from '../../shared/prepare-append.ts'
import { readRow } from '../../shared/read-rows.ts'
import type { Database, Sql } from '../connection/database.ts'
import { isStorageFault } from '../connection/database-failures.ts'

/** How many rows are held at a time. */
const PAGE_ROWS = 500

const HEAD = 'SELECT head FROM holdfast.conversations WHERE conversation_id = $1'

/** How much is held at a time, in bytes; a page ends with the row that has more. */
const PAGE_BYTES = 1_024 * 1_024

const ROWS = `
  SELECT seq, checksum, body FROM (
    SELECT seq, checksum, body, sum(octet_length(body)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(body) AS before
    FROM (
      SELECT seq, checksum, body FROM holdfast.entries WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3
    ) page
  ) measured
  WHERE before < $4 ORDER BY seq`

const ROW = 'SELECT seq, checksum, body FROM holdfast.entries WHERE conversation_id = $1 AND seq = $2'

/** What is found at a place of a log when nothing about it is taken for granted. */
export type Found =
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'damage'; readonly seq: number; readonly what: string }

/**
 * Everything that is there of one log, in its order, past any damage. [LOG7]
 *
 * @throws {NewerEntryError} when an entry is of a newer Holdfast.
 */
export async function* scanLog(database: Database, conversationId: string): AsyncGenerator<Found> {
  const head = await headOf(database, conversationId)
  let next = 1
  while (true) {
    const page = await rowsFrom(database, { conversationId, next, head: head ?? 0 })
    if (page.length === 0) break
    if (head === null && next === 1) yield { type: 'damage', seq: 1, what: 'its conversation has no row' }
    for (const found of page) {
      const { seq } = found
      if (seq > next) yield { type: 'damage', seq: next, what: 'it is missing' }
      if (head !== null && seq > head && next <= head + 1)
        yield { type: 'damage', seq, what: 'it stands beyond the end of the log' }
      yield found.row ? read(conversationId, found.row) : { type: 'damage', seq, what: 'the database cannot read it' }
      next = seq + 1
    }
  }
  if (head !== null && next <= head) yield { type: 'damage', seq: next, what: 'it is missing' }
}

/** A row, or the place of one that the database cannot read. */
interface FoundRow {
  readonly seq: number
  readonly row: EntryRow | null
}

async function headOf(database: Database, conversationId: string): Promise<number | null> {
  const rows = await database.read((sql) => sql<{ head: number }>(HEAD, [conversationId]))
  return rows[0]?.head ?? null
}

async function rowsFrom(
  database: Database,
  { conversationId, next, head }: { conversationId: string; next: number; head: number },
): Promise<FoundRow[]> {
  try {
    const rows = await database.read((sql) => sql<EntryRow>(ROWS, [conversationId, next - 1, PAGE_ROWS, PAGE_BYTES]))
    return rows.map((row) => ({ seq: row.seq, row }))
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
  for (let fromSeq = next; fromSeq <= head; fromSeq += PAGE_ROWS) {
    const toSeq = Math.min(head, fromSeq + PAGE_ROWS - 1)
    const found = await rowsOneByOne(database, { conversationId, fromSeq, toSeq })
    if (found.length > 0) return found
  }
  return []
}

/** What can be read of a stretch whose page the database refuses as a whole. */
async function rowsOneByOne(
  database: Database,
  { conversationId, fromSeq, toSeq }: { conversationId: string; fromSeq: number; toSeq: number },
): Promise<FoundRow[]> {
  const found: FoundRow[] = []
  for (let seq = fromSeq; seq <= toSeq; seq++) {
    const rows = await database.read((sql) => readableRow(sql, { conversationId, seq }))
    if (rows === null) found.push({ seq, row: null })
    else found.push(...rows.map((row) => ({ seq, row })))
  }
  return found
}

async function readableRow(
  sql: Sql,
  { conversationId, seq }: { conversationId: string; seq: number },
): Promise<readonly EntryRow[] | null> {
  try {
    return await sql<EntryRow>(ROW, [conversationId, seq])
  } catch (error) {
    if (isStorageFault(error)) return null
    throw error
  }
}

function read(conversationId: string, row: EntryRow): Found {
  try {
    return { type: 'entry', entry: readRow(conversationId, row) }
  } catch (error) {
    if (error instanceof DamagedLogError) return { type: 'damage', seq: row.seq, what: 'it is not what was written' }
    throw error
  }
}

/** What is read past damage, without a word about the damage: for a rescue. */
export async function* readableEntries(database: Database, conversationId: string): AsyncGenerator<Entry> {
  for await (const found of scanLog(database, conversationId)) {
    if (found.type === 'entry') yield found.entry
  }
}
