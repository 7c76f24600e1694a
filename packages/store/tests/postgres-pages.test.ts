import { parseSearchQuery, type RecordKind } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted, usageRecorded } from '@holdfast/conversation/testing'
import type { PostgresStore } from '@holdfast/store/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'

const LONG = 20_000
const MANY = 300

const note: RecordKind<string> = { kind: 'note', schema: z.string() }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { store, records, close } = await openOn(database)
  await store.append({ conversationId: 'long', after: 0, entries: [conversationCreated('user_1')], at: 1_000 })
  for (let after = 1; after < LONG; after += 1_000) {
    const entries = Array.from({ length: 1_000 }, (_, index) =>
      index % 4 === 0
        ? usageRecorded('run_1', 'step_1', { input: 1, output: 1 })
        : inputAdmitted(`input ${after + index}`, 'words'),
    )
    await store.append({ conversationId: 'long', after, entries, at: 1_000 + after })
  }
  for (let number = 0; number < MANY; number++) {
    const conversationId = `short ${number}`
    await store.append({ conversationId, after: 0, entries: [conversationCreated('user_1')], at: 2_000 + number })
    await records.put(note, { ownerId: 'user_1', id: `id ${number}`, revision: 0, value: 'words', at: 1 })
  }
  await close()
}, 60_000)
afterAll(() => database.drop())

/** How many rows, of tables and of indexes, the server looked at for some work. It counts when a connection ends. */
async function rowsReadBy(work: (opened: PostgresStore) => Promise<unknown>): Promise<number> {
  const before = await rowsRead()
  const opened = await openOn(database)
  await work(opened)
  await opened.close()
  return (await rowsRead()) - before
}

async function rowsRead(): Promise<number> {
  const [row] = await database.sql<{ count: string }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) AS count`,
  )
  return Number(row?.count)
}

describe('pages of a PostgreSQL store', () => {
  for (const state of ['before', 'after'] as const) {
    it(`[LOG5] read the rows they hold and few more, ${state} the planner knows the tables`, async () => {
      if (state === 'after') await database.sql('ANALYZE')
      for (const place of [0, 10_000, LONG - 100]) {
        for (const query of [{ after: place }, { before: place + 50 }]) {
          const count = await rowsReadBy(async ({ store }) => {
            const page = await store.read({ conversationId: 'long', limit: 40, ...query })
            expect(page.entries).toHaveLength(40)
          })
          expect(count).toBeLessThan(60)
        }
      }
    })

    it(`[PRJ5] of lists, usage and records do the same, ${state} the planner knows the tables`, async () => {
      if (state === 'after') await database.sql('ANALYZE')
      const before = { updatedAt: 2_150, conversationId: 'short 150' }
      const usage = { at: 10_001, conversationId: 'long', seq: 10_001 }
      const works: ((opened: PostgresStore) => Promise<readonly unknown[]>)[] = [
        ({ store }) => store.listConversations({ ownerId: 'user_1', archived: false, limit: 10 }),
        ({ store }) => store.listConversations({ ownerId: 'user_1', archived: false, limit: 10, before }),
        ({ store }) => store.readUsage({ ownerId: 'user_1', from: 0, to: 1e9, limit: 10 }),
        ({ store }) => store.readUsage({ ownerId: 'user_1', from: 0, to: 1e9, limit: 10, after: usage }),
        ({ records }) => records.list(note, { ownerId: 'user_1', limit: 10, afterId: 'id 2' }),
        ({ records }) => records.changes(150, 10),
      ]
      for (const work of works) {
        const count = await rowsReadBy(async (opened) => expect(await work(opened)).toHaveLength(10))
        expect(count).toBeLessThan(30)
      }
    })
  }

  it('[LOG3] append in time that does not depend on the length of the log', async () => {
    const count = await rowsReadBy(async ({ store }) => {
      const { head } = await store.read({ conversationId: 'long', after: LONG, limit: 1 })
      const command = { commandId: 'command_1', fingerprint: 'f' }
      const entries = [inputAdmitted('last', 'words')]
      await store.append({ conversationId: 'long', after: head, entries, at: 9_000, command })
    })
    expect(count).toBeLessThan(60)
  })

  it('[SEC1] of a search look at the words of their owner', async () => {
    const count = await rowsReadBy(async ({ store }) => {
      const query = parseSearchQuery('words ')
      expect(await store.search({ ownerId: 'user_2', query, limit: 10 })).toEqual([])
    })
    expect(count).toBeLessThan(60)
  })
})
