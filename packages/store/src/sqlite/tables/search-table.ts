import type { SearchQuery } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import { isSqliteError } from '../files/sqlite-errors.ts'

/**
 * The search index. Its rows are numbered by time, then by the order of writing, so that walking backward
 * over the rows that match gives the newest first and can stop early.
 */
export interface SearchTable {
  /** The number of a new row for an entry of this time. */
  place(at: number): bigint
  add(foundId: bigint, ownerId: string, text: string): void
  remove(foundIds: readonly bigint[]): void
  /** Empties the index, also one that is damaged. */
  empty(): void
  /** Does a part of what makes removed words leave the file. Returns whether there is more to do. */
  purgeSome(): boolean
}

/** How many rows one millisecond has room for. */
const ROWS_PER_MS = 1n << 20n

/** The last millisecond (in the year 2248) that gives a number SQLite can hold; later ones share it. */
const LAST_MS = 2 ** 43 - 1

/** The index of a connection. `onDamage` is called once when it turns out to be damaged; from then on nothing is added. */
export function createSearchTable(database: Database, onDamage: (error: Error) => void): SearchTable {
  const lastWithin = database
    .prepare<[bigint, bigint], { last: bigint | null }>(
      'SELECT max(found_id) AS last FROM entries WHERE found_id > ? AND found_id < ?',
    )
    .safeIntegers(true)
  const lastOfAll = database
    .prepare<[], { last: bigint | null }>(
      'SELECT max(found_id) AS last FROM entries INDEXED BY entries_found WHERE found_id IS NOT NULL',
    )
    .safeIntegers(true)
  const insert = database.prepare<[bigint, string, string]>('INSERT INTO search (rowid, owner, words) VALUES (?, ?, ?)')
  const remove = database.prepare<[bigint]>('DELETE FROM search WHERE rowid = ?')
  const merge = database.prepare<[]>("INSERT INTO search (search, rank) VALUES ('merge', -200)")
  const changes = database.prepare<[], { changes: number }>('SELECT total_changes() AS changes')
  let damaged = false
  /** No row has a higher number. A rollback may leave it higher than need be, which costs a number. */
  let highest: bigint | null = null
  // A damaged index must not keep anyone from writing: the log is what counts, and the index is made from it.
  const unlessDamaged = (work: () => void) => {
    if (damaged) return
    try {
      work()
    } catch (error) {
      if (!isSqliteError(error, 'SQLITE_CORRUPT')) throw error
      damaged = true
      onDamage(error)
    }
  }
  return {
    place(at) {
      highest ??= lastOfAll.get()?.last ?? 0n
      for (let from = BigInt(Math.min(at, LAST_MS)) * ROWS_PER_MS; ; from += ROWS_PER_MS) {
        const end = from + ROWS_PER_MS
        // Time goes on, so that nearly every entry is the newest, and nothing need be looked up.
        const last = highest <= from ? from : highest < end ? highest : (lastWithin.get(from, end)?.last ?? from)
        const next = last + 1n
        if (next >= end) continue
        if (next > highest) highest = next
        return next
      }
    },
    add: (foundId, ownerId, text) =>
      unlessDamaged(() => {
        insert.run(foundId, ownerWord(ownerId), text)
      }),
    remove: (foundIds) =>
      unlessDamaged(() => {
        for (const foundId of foundIds) remove.run(foundId)
      }),
    empty() {
      database.exec("INSERT INTO search (search) VALUES ('delete-all')")
      damaged = false
    },
    purgeSome() {
      if (damaged) return false
      const before = changes.get()?.changes ?? 0
      merge.run()
      // The statement itself counts as one change.
      return (changes.get()?.changes ?? 0) - before > 1
    },
  }
}

/** An owner as one word of the index: a query names it, so that rows of others do not match. */
function ownerWord(ownerId: string): string {
  return Buffer.from(ownerId).toString('hex')
}

/** A query in the index's own language. The words hold letters and digits only, so that quotes keep them whole. */
export function matchExpression(ownerId: string, query: SearchQuery): string {
  const phrases = query.phrases.map(({ tokens, prefix }) => `words : "${tokens.join(' ')}"${prefix ? ' *' : ''}`)
  return [`owner : "${ownerWord(ownerId)}"`, ...phrases].join(' AND ')
}
