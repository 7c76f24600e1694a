import type { Entry, SearchQuery } from '@holdfast/conversation'
import type { Database } from 'better-sqlite3'
import { searchWords } from '../shared/search-row.ts'
import { isSqliteError } from './sqlite-errors.ts'

/** The search index. A row's number is that of its entry, so that the newest are found first by walking backward. */
export interface SearchTable {
  /** Adds an entry's words; nothing when it is not searched. */
  add(entryId: number, ownerId: string, entry: Entry): void
  remove(entryIds: readonly number[]): void
  /** Empties the index, also one that is damaged. */
  empty(): void
  /** Does a part of what makes removed words leave the file. Returns whether there is more to do. */
  purgeSome(): boolean
}

/** The index of a connection. `onDamage` is called once when it turns out to be damaged; from then on nothing is added. */
export function createSearchTable(database: Database, onDamage: (error: Error) => void): SearchTable {
  const insert = database.prepare<[number, string, string]>('INSERT INTO search (rowid, owner, words) VALUES (?, ?, ?)')
  const remove = database.prepare<[number]>('DELETE FROM search WHERE rowid = ?')
  const merge = database.prepare<[]>("INSERT INTO search (search, rank) VALUES ('merge', -200)")
  const changes = database.prepare<[], { changes: number }>('SELECT total_changes() AS changes')
  let damaged = false
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
    add(entryId, ownerId, entry) {
      const words = searchWords(entry)
      if (words !== null) unlessDamaged(() => insert.run(entryId, ownerWord(ownerId), words.join(' ')))
    },
    remove: (entryIds) => unlessDamaged(() => {
      for (const entryId of entryIds) remove.run(entryId)
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

/** An owner as one word of the index: a query names it, so that it never walks the rows of others. */
function ownerWord(ownerId: string): string {
  return Buffer.from(ownerId).toString('hex')
}

/** A query in the index's own language. The words hold letters and digits only, so that quotes keep them whole. */
export function matchExpression(ownerId: string, query: SearchQuery): string {
  const phrases = query.phrases.map(({ tokens, prefix }) => `"${tokens.join(' ')}"${prefix ? ' *' : ''}`)
  return [`owner : "${ownerWord(ownerId)}"`, ...phrases.map((phrase) => `words : ${phrase}`)].join(' AND ')
}
