import { type Entry, searchTokens } from '@holdfast/conversation'
import { titleChanged } from '@holdfast/conversation/testing'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SCHEMA_1 } from '../src/sqlite/files/schema.ts'
import { indexedText } from '../src/sqlite/tables/indexed-text.ts'
import { createSearchTable } from '../src/sqlite/tables/search-table.ts'

describe('what the SQLite store puts into its search index', () => {
  it('[PRJ5] is found under the words of the text, in their order, whatever the text', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9]{1,70}$/),
      fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)) }),
      fc.constantFrom('Straße', 'naïve', '東京都', 'ﬁne', 'a\u00a0b', 'x'.repeat(64), 'x'.repeat(65), '_', "don't"),
    )
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(text, (title) => {
        const indexed = indexedText(entryOf(title))
        const words = searchTokens(title).map(({ token }) => token)
        expect(indexed === null ? [] : wordsOfIndex(indexed)).toEqual(words)
      }),
      { numRuns: 300 },
    )
  })

  it('[PRJ5] has rows numbered by time and then by order, also for times that come late', () => {
    const database = new Database(':memory:')
    database.exec(SCHEMA_1)
    database.pragma('foreign_keys = OFF')
    const first = createSearchTable(database, () => undefined)
    const keep = (foundId: bigint) => database.prepare(INSERT).run(foundId, foundId)
    const newest = [first.place(2_000), first.place(2_000), first.place(3_000)]
    newest.forEach(keep)
    const late = [1_000, 2_000, 2_000].map((at) => {
      const foundId = first.place(at)
      keep(foundId)
      return foundId
    })
    const again = createSearchTable(database, () => undefined)
    const reopened = again.place(3_000)
    const times = [...newest, ...late, reopened].map((foundId) => Number(foundId / (1n << 20n)))
    expect(times).toEqual([2_000, 2_000, 3_000, 1_000, 2_000, 2_000, 3_000])
    expect(new Set([...newest, ...late, reopened]).size).toBe(7)
    expect(late[1]).toBeGreaterThan(newest[1] ?? 0n)
    expect(reopened).toBeGreaterThan(newest[2] ?? 0n)
    database.close()
  })
})

const INSERT = `INSERT INTO entries (conversation_key, seq, checksum, type, found_id, body) VALUES (1, ?, 0, 'title-changed', ?, '')`

function entryOf(title: string): Entry {
  return { conversationId: 'a', seq: 1, at: 1_000, v: 1, ...titleChanged(title, 'user') }
}

/** The words of a text as the index itself has them. */
function wordsOfIndex(text: string): string[] {
  const database = new Database(':memory:')
  try {
    database.exec(SCHEMA_1)
    createSearchTable(database, (error) => {
      throw error
    }).add(1n, 'user_1', text)
    database.exec("CREATE VIRTUAL TABLE words USING fts5vocab('search', 'instance')")
    return database
      .prepare<[], { term: string }>('SELECT term FROM words WHERE col = \'words\' ORDER BY "offset"')
      .all()
      .map(({ term }) => term)
  } finally {
    database.close()
  }
}
