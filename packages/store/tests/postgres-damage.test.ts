import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  DamagedBlobError,
  DamagedLogError,
  type Entry,
  type EntryStore,
  NewerEntryError,
  parseSearchQuery,
} from '@holdfast/conversation'
import { conversationCreated, fileSent, inputAdmitted, titleChanged } from '@holdfast/conversation/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { entryChecksum } from '../src/shared/checksum.ts'
import { createTestDatabase, startTestServer, type TestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A store with two logs of six entries, `bad` and `good`. */
async function twoLogs(): Promise<{ store: EntryStore; sql: TestDatabase['sql']; bad: readonly Entry[] }> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  const { store, close } = await openOn(database)
  closing.push(close)
  const bad = await sixEntries(store, 'bad')
  await sixEntries(store, 'good')
  return { store, sql: database.sql, bad }
}

async function sixEntries(store: EntryStore, conversationId: string): Promise<readonly Entry[]> {
  const titles = [2, 3, 4, 5, 6].map((number) => titleChanged(`title number${number}`, 'auto'))
  const entries = [conversationCreated('user_1'), ...titles]
  return (await store.append({ conversationId, after: 0, entries, at: 1_000 })).entries
}

function page(store: EntryStore, after: number, limit: number) {
  return store.read({ conversationId: 'bad', after, limit })
}

/** Where a read of the whole log says that the damage begins. */
async function firstBadSeq(read: Promise<unknown>): Promise<number> {
  const outcome = await read.then(
    () => new Error('It was expected to be refused, and was not'),
    (error: unknown) => error,
  )
  if (outcome instanceof DamagedLogError) return outcome.firstBadSeq
  throw outcome
}

async function readable(store: EntryStore): Promise<number[]> {
  const seqs: number[] = []
  for await (const entry of store.readableEntries('bad')) seqs.push(entry.seq)
  return seqs
}

function check(store: EntryStore) {
  return store.check(AbortSignal.timeout(20_000))
}

/** Ways in which a log goes bad, where it is good up to, and what a rescue still finds. */
const DAMAGES: readonly { what: string; sql: string; firstBadSeq: number; readable: number[] }[] = [
  {
    what: 'a body that was changed',
    sql: `UPDATE holdfast.entries SET body = replace(body, 'number3', 'number4') WHERE seq = 3`,
    firstBadSeq: 3,
    readable: [1, 2, 4, 5, 6],
  },
  {
    what: 'two bodies that changed places',
    sql: `UPDATE holdfast.entries e SET body = o.body, checksum = o.checksum FROM holdfast.entries o
      WHERE o.conversation_id = e.conversation_id AND (e.seq, o.seq) IN ((3, 4), (4, 3))`,
    firstBadSeq: 3,
    readable: [1, 2, 5, 6],
  },
  {
    what: 'a body of another log',
    sql: `UPDATE holdfast.entries e SET body = o.body, checksum = o.checksum FROM holdfast.entries o
      WHERE o.conversation_id = 'good' AND e.seq = o.seq AND e.seq = 5`,
    firstBadSeq: 5,
    readable: [1, 2, 3, 4, 6],
  },
  {
    what: 'a body that is not JSON',
    sql: `UPDATE holdfast.entries SET body = left(body, 20) WHERE seq = 2`,
    firstBadSeq: 2,
    readable: [1, 3, 4, 5, 6],
  },
  {
    what: 'a missing entry',
    sql: 'DELETE FROM holdfast.entries WHERE seq = 4',
    firstBadSeq: 4,
    readable: [1, 2, 3, 5, 6],
  },
  {
    what: 'a missing beginning',
    sql: 'DELETE FROM holdfast.entries WHERE seq = 1',
    firstBadSeq: 1,
    readable: [2, 3, 4, 5, 6],
  },
  {
    what: 'a missing end',
    sql: 'DELETE FROM holdfast.entries WHERE seq > 4',
    firstBadSeq: 5,
    readable: [1, 2, 3, 4],
  },
  { what: 'no entries at all', sql: 'DELETE FROM holdfast.entries WHERE seq > 0', firstBadSeq: 1, readable: [] },
]

describe('a damaged PostgreSQL store', () => {
  for (const damage of DAMAGES) {
    it(`[LOG7] reports ${damage.what}, reads up to it, and goes on with other conversations`, async () => {
      const { store, sql, bad } = await twoLogs()
      await sql(`${damage.sql} ${damage.sql.includes(' o\n') ? 'AND e.' : 'AND '}conversation_id = 'bad'`)
      const goodUpTo = damage.firstBadSeq - 1
      expect(await firstBadSeq(page(store, 0, 100))).toBe(damage.firstBadSeq)
      expect(await firstBadSeq(store.read({ conversationId: 'bad', before: 7, limit: 100 }))).toBe(damage.firstBadSeq)
      expect(await firstBadSeq(store.readText({ conversationId: 'bad', after: 0, limit: 100 }))).toBe(
        damage.firstBadSeq,
      )
      expect(await page(store, 0, goodUpTo)).toEqual({ entries: bad.slice(0, goodUpTo), head: 6 })
      expect(await readable(store)).toEqual(damage.readable)
      const report = await check(store)
      expect(report).toMatchObject({ conversationCount: 2, entryCount: 6 + damage.readable.length })
      expect(report.damages).toMatchObject([{ conversationId: 'bad', firstBadSeq: damage.firstBadSeq }])
      expect((await store.read({ conversationId: 'good', after: 0, limit: 100 })).entries).toHaveLength(6)
      const rows = await store.listConversations({ ownerId: 'user_1', archived: false, limit: 10 })
      expect(rows.map(({ conversationId }) => conversationId).sort()).toEqual(['bad', 'good'])
      const hits = await store.search({ ownerId: 'user_1', query: parseSearchQuery('number6 '), limit: 10 })
      expect(hits.map(({ conversationId }) => conversationId)).toContain('good')
    })
  }

  it('[LOG7] says up to where the log is good, not only where the page is bad', async () => {
    const { store, sql } = await twoLogs()
    await sql(`UPDATE holdfast.entries SET body = '' WHERE seq IN (2, 5) AND conversation_id = 'bad'`)
    expect(await firstBadSeq(page(store, 3, 100))).toBe(2)
    expect((await page(store, 2, 2)).entries.map(({ seq }) => seq)).toEqual([3, 4])
  })

  it('[LOG7] never takes a log whose row is missing for an empty one', async () => {
    const { store, sql } = await twoLogs()
    await sql(`DELETE FROM holdfast.conversations WHERE conversation_id = 'bad'`)
    expect(await firstBadSeq(page(store, 0, 100))).toBe(1)
    const again = { conversationId: 'bad', after: 0, entries: [conversationCreated('user_1')], at: 2_000 }
    expect(await firstBadSeq(store.append(again))).toBe(1)
    expect(await readable(store)).toEqual([1, 2, 3, 4, 5, 6])
    const report = await check(store)
    expect(report).toMatchObject({ conversationCount: 2, entryCount: 12 })
    expect(report.damages).toMatchObject([{ conversationId: 'bad', firstBadSeq: 1 }])
    await sql(`DELETE FROM holdfast.entries WHERE conversation_id = 'bad'`)
    expect(await page(store, 0, 100)).toEqual({ entries: [], head: 0 })
  })

  it('[LOG7] reports entries beyond the end of a log, and does not write over them', async () => {
    const { store, sql } = await twoLogs()
    await sql(`UPDATE holdfast.conversations SET head = 4 WHERE conversation_id = 'bad'`)
    const entries = [inputAdmitted('input_1', 'over them')]
    expect(await firstBadSeq(store.append({ conversationId: 'bad', after: 4, entries, at: 2_000 }))).toBe(5)
    expect(await readable(store)).toEqual([1, 2, 3, 4, 5, 6])
    expect((await check(store)).damages).toMatchObject([
      { conversationId: 'bad', firstBadSeq: 5 },
      { conversationId: 'bad', firstBadSeq: null },
    ])
  })

  it('[LOG6] refuses a page with an entry of a newer Holdfast, and reads the pages before it', async () => {
    const { store, sql, bad } = await twoLogs()
    const body = JSON.stringify({ ...bad[3], v: 99 })
    const checksum = entryChecksum({ conversationId: 'bad', seq: 4 }, body)
    await sql(`UPDATE holdfast.entries SET body = $1, checksum = $2 WHERE conversation_id = 'bad' AND seq = 4`, [
      body,
      checksum,
    ])
    await expect(page(store, 0, 100)).rejects.toBeInstanceOf(NewerEntryError)
    expect((await page(store, 0, 3)).entries).toHaveLength(3)
    expect((await check(store)).damages).toEqual([])
  })

  it('[PRJ5] makes a row of the list anew when it is damaged or of another version', async () => {
    const { store, sql } = await twoLogs()
    const row = await store.readListing('bad')
    const ways = [
      `listing_shown = replace(listing_shown, 'number6', 'number7')`,
      `listing_state = ''`,
      'listing_version = 0',
      `owner_id = 'thief'`,
    ]
    for (const change of ways) {
      await sql(`UPDATE holdfast.conversations SET ${change} WHERE conversation_id = 'bad'`)
      expect(await store.readListing('bad')).toEqual(row)
      expect((await check(store)).damages).toEqual([])
      await sql(`UPDATE holdfast.conversations SET ${change} WHERE conversation_id = 'bad'`)
      const head = (await store.readListing('good'))?.head ?? 0
      const entries = [titleChanged('still folded on', 'auto')]
      await store.append({ conversationId: 'good', after: head, entries, at: 2_000 })
      expect(await store.readListing('bad')).toEqual(row)
    }
    await sql(`UPDATE holdfast.conversations SET listing_state = '' WHERE conversation_id = 'bad'`)
    await store.append({ conversationId: 'bad', after: 6, entries: [titleChanged('folded on', 'auto')], at: 2_000 })
    expect(await store.readListing('bad')).toMatchObject({ head: 7, title: 'folded on', createdAt: 1_000 })
  })

  it('[LOG7] still lists a conversation whose row and log are both damaged', async () => {
    const { store, sql } = await twoLogs()
    await sql(`UPDATE holdfast.conversations SET listing_shown = '' WHERE conversation_id = 'bad'`)
    await sql(`UPDATE holdfast.entries SET body = '' WHERE conversation_id = 'bad'`)
    const rows = await store.listConversations({ ownerId: 'user_1', archived: false, limit: 10 })
    expect(rows).toMatchObject([
      { conversationId: 'good', title: 'title number6' },
      { conversationId: 'bad', title: null, head: 6 },
    ])
  })

  it('[PRJ2] leaves out a snapshot that is not what was written', async () => {
    const { store, sql } = await twoLogs()
    const snapshots = ['a', 'b', 'c'].map((projection) => ({ projection, version: 1, cursor: 6, state: projection }))
    await store.writeSnapshots('bad', snapshots)
    await sql(`UPDATE holdfast.snapshots SET state = '"x"' WHERE projection = 'a'`)
    await sql(`UPDATE holdfast.snapshots SET cursor = 5 WHERE projection = 'b'`)
    expect(await store.readSnapshots('bad')).toEqual(snapshots.slice(2))
  })

  it('[LOG7] reports a damaged blob and never gives out the whole of it', async () => {
    const ways = [
      'UPDATE holdfast.content_pieces SET bytes = overlay(bytes placing $$\\x00$$::bytea from 5) WHERE piece = 1',
      'DELETE FROM holdfast.content_pieces WHERE piece = 1',
      'DELETE FROM holdfast.content_pieces WHERE piece = 2',
      'DELETE FROM holdfast.blobs',
    ]
    for (const way of ways) {
      const { store, sql } = await twoLogs()
      const size = 600_000
      const blob = await store.putBlob({
        uploadId: 'upload_1',
        ownerId: 'user_1',
        conversationId: null,
        mediaType: 'text/plain',
        at: 1,
        content: (async function* () {
          yield new Uint8Array(size).fill(7)
        })(),
      })
      const entries = [fileSent('run_1', 'upload_1', blob)]
      await store.append({ conversationId: 'bad', after: 6, entries, at: 2_000 })
      await sql(way)
      let received = 0
      const reading = (async () => {
        const stored = await store.readBlob({ conversationId: 'bad', hash: blob.hash })
        for await (const piece of stored?.content ?? []) received += piece.length
      })()
      await expect(reading).rejects.toBeInstanceOf(DamagedBlobError)
      expect(received).toBeLessThan(size)
      expect((await check(store)).damages).toMatchObject([{ conversationId: 'bad', firstBadSeq: null }])
    }
  })

  it('[LOG7] reports entries on a page of the table that the server cannot read, and reads the others', async () => {
    const server = await startTestServer({ shared_buffers: '16MB' })
    closing.push(server.remove)
    const database = await server.createDatabase()
    const { store, close } = await openOn(database)
    closing.push(close)
    await sixEntries(store, 'good')
    const long = Array.from({ length: 40 }, (_, number) => titleChanged(`${number} ${'x'.repeat(180)}`, 'auto'))
    await store.append({ conversationId: 'bad', after: 0, entries: [conversationCreated('user_1'), ...long], at: 1 })
    const rows = await database.sql<{ block: number; seq: string }>(
      `SELECT (ctid::text::point)[0]::int AS block, min(seq) AS seq FROM holdfast.entries
      WHERE conversation_id = 'bad' GROUP BY 1 ORDER BY 1`,
    )
    const second = rows[1]
    if (!second) throw new Error('The log fits on one page of the table')
    const [file] = await database.sql<{ path: string }>(`SELECT pg_relation_filepath('holdfast.entries') AS path`)
    await server.stop('fast')
    await garble(join(server.folder, 'data', file?.path ?? ''), second.block * 8_192 + 5_000)
    await server.start()
    const firstBad = Number(second.seq)
    expect(await firstBadSeq(page(store, 0, 100))).toBe(firstBad)
    expect((await page(store, 0, firstBad - 1)).entries).toHaveLength(firstBad - 1)
    expect((await store.read({ conversationId: 'good', after: 0, limit: 100 })).entries).toHaveLength(6)
    const found = await readable(store)
    expect(found.slice(0, firstBad - 1)).toHaveLength(firstBad - 1)
    expect(found).not.toContain(firstBad)
    const report = await check(store)
    expect(report.damages).toMatchObject([{ conversationId: 'bad', firstBadSeq: firstBad }])
    expect(await readdir(server.folder)).toContain('data')
  })
})

async function garble(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(64, 0xa5), 0, 64, at)
  await file.close()
}
