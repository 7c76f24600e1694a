import {
  AppendConflictError,
  type Clock,
  type EntryStore,
  MissingBlobError,
  type RecordChange,
  type RecordKind,
  StaleEpochError,
} from '@holdfast/conversation'
import { conversationCreated, fileSent, inputAdmitted, titleChanged } from '@holdfast/conversation/testing'
import { createPostgresStore, type PostgresStore } from '@holdfast/store/postgres'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'
import { systemClock } from './support/system-clock.ts'

/** Twenty rounds: the first may only open connections, so that real races begin with the second. */
const ROUNDS = Array.from({ length: 20 }, (_, round) => round)

const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8]

const note: RecordKind<string> = { kind: 'note', schema: z.string() }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two processes on one database, each with its own connections. */
async function twoReplicas(): Promise<{ database: TestDatabase; a: PostgresStore; b: PostgresStore }> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  const [a, b] = await Promise.all([openOn(database), openOn(database)])
  closing.push(a.close, b.close)
  return { database, a, b }
}

function begin(store: EntryStore, conversationId: string) {
  return store.append({ conversationId, after: 0, entries: [conversationCreated('user_1')], at: 1_000 })
}

async function seqsOf(store: EntryStore, conversationId: string): Promise<number[]> {
  const { entries, head } = await store.read({ conversationId, after: 0, limit: 1_000 })
  expect(entries).toHaveLength(head)
  return entries.map(({ seq }) => seq)
}

describe('two PostgreSQL stores on one database', () => {
  it('[LOG2] let exactly one of eight racing appends win and keep nothing of the others', async () => {
    const { database, a, b } = await twoReplicas()
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      await begin(a.store, conversationId)
      const racers = EIGHT.map((count) =>
        (count % 2 ? a : b).store.append({
          conversationId,
          after: 1,
          entries: Array.from({ length: count }, (_, index) => inputAdmitted(`input ${index}`, `one of ${count}`)),
          at: 2_000,
        }),
      )
      const results = await Promise.allSettled(racers)
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect(won).toHaveLength(1)
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AppendConflictError)
      }
      const read = await b.store.read({ conversationId, after: 1, limit: 100 })
      expect(read.entries).toEqual(won[0]?.entries)
      const rows = await database.sql('SELECT count(*)::int AS n FROM holdfast.entries WHERE conversation_id = $1', [
        conversationId,
      ])
      expect(rows).toEqual([{ n: 1 + (won[0]?.entries.length ?? 0) }])
    }
  })

  it('[LOG2] let exactly one of eight racing beginnings of a log win and keep nothing of the others', async () => {
    const { database, a, b } = await twoReplicas()
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      const racers = EIGHT.map((count) =>
        (count % 2 ? a : b).store.append({
          conversationId,
          after: 0,
          entries: [
            conversationCreated(`user_${count}`),
            ...Array.from({ length: count }, () => titleChanged(`by racer${count}`, 'user')),
          ],
          at: 2_000,
        }),
      )
      const results = await Promise.allSettled(racers)
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect(won).toHaveLength(1)
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(AppendConflictError)
      }
      expect((await b.store.read({ conversationId, after: 0, limit: 100 })).entries).toEqual(won[0]?.entries)
      const beside = await database.sql(
        'SELECT (SELECT count(*)::int FROM holdfast.search_passages WHERE conversation_id = $1) AS found',
        [conversationId],
      )
      expect(beside).toEqual([{ found: (won[0]?.entries.length ?? 0) - 1 }])
    }
  })

  it('[LOG4] carry out a command once, whichever gets it and however often', async () => {
    const { a, b } = await twoReplicas()
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      await begin(a.store, conversationId)
      const sent = EIGHT.map((number) =>
        (number % 2 ? a : b).store.append({
          conversationId,
          after: 1,
          entries: [inputAdmitted('input_1', 'Hello')],
          at: 2_000,
          command: { commandId: 'command_1', fingerprint: 'Hello' },
        }),
      )
      const answers = await Promise.all(sent)
      expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
      for (const { entries } of answers) expect(entries).toEqual(answers[0]?.entries)
      expect(await seqsOf(b.store, conversationId)).toEqual([1, 2])
    }
  })

  it('[LOG10] write nothing with an epoch once another has been given the lease', async () => {
    const { a, b } = await twoReplicas()
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      await begin(a.store, conversationId)
      const lease = await a.store.acquireLease({ conversationId, holder: 'a', ttlMs: 0 })
      let appended = 1
      const writing = (async () => {
        while (true) {
          const entries = [inputAdmitted(`input ${appended}`, 'words')]
          await a.store.append({ conversationId, after: appended, entries, at: 2_000, epoch: lease?.epoch ?? 0 })
          appended += 1
        }
      })()
      const ended = expect(writing).rejects.toBeInstanceOf(StaleEpochError)
      while (appended < 1 + (round % 5)) await b.store.read({ conversationId, after: 0, limit: 1 })
      expect(await b.store.acquireLease({ conversationId, holder: 'b', ttlMs: 60_000 })).toMatchObject({ epoch: 2 })
      const { head } = await b.store.read({ conversationId, after: 0, limit: 1 })
      await ended
      expect((await b.store.read({ conversationId, after: 0, limit: 1 })).head).toBe(head)
      expect(head).toBe(appended)
    }
  })

  it('[LOG10] write no draft with an epoch once another has been given the lease', async () => {
    const { a, b } = await twoReplicas()
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      await begin(a.store, conversationId)
      const lease = await a.store.acquireLease({ conversationId, holder: 'a', ttlMs: 0 })
      let written = 0
      const writing = (async () => {
        while (true) {
          const deltas = [{ stepId: 'step_1', block: 0, offset: written, text: 'x' }]
          const chunk = {
            conversationId,
            runId: 'run_1',
            stepId: 'step_1',
            startedSeq: 99,
            epoch: lease?.epoch ?? 0,
            deltas,
          }
          const lost = await a.store.appendDrafts([chunk])
          if (lost.length > 0) return
          written += 1
        }
      })()
      while (written < round % 5) await b.store.readDrafts(conversationId)
      await b.store.acquireLease({ conversationId, holder: 'b', ttlMs: 60_000 })
      const before = await b.store.readDrafts(conversationId)
      await writing
      expect(await b.store.readDrafts(conversationId)).toEqual(before)
      expect(before[0]?.deltas ?? []).toHaveLength(written)
    }
  })

  it("[LOG10] let leases run out by the server's clock, whatever their own clocks say", async () => {
    const { database, a } = await twoReplicas()
    const yearAhead: Clock = { ...systemClock, now: () => Date.now() + 365 * 86_400_000 }
    const b = await createPostgresStore({
      connectionString: database.connectionString,
      clock: yearAhead,
      poolSize: 2,
    })
    closing.push(b.close)
    await begin(a.store, 'talk')
    const hour = 3_600_000
    await a.store.acquireLease({ conversationId: 'talk', holder: 'a', ttlMs: hour })
    expect(await b.store.acquireLease({ conversationId: 'talk', holder: 'b', ttlMs: hour })).toBeNull()
    expect(await b.store.expiredLeases(10)).toEqual([])
    await database.sql(`CREATE OR REPLACE FUNCTION holdfast.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 3700000'`)
    expect(await b.store.expiredLeases(10)).toMatchObject([{ conversationId: 'talk', holder: 'a', epoch: 1 }])
    expect(await b.store.acquireLease({ conversationId: 'talk', holder: 'b', ttlMs: hour })).toMatchObject({ epoch: 2 })
    expect(await a.store.acquireLease({ conversationId: 'talk', holder: 'a', ttlMs: hour })).toBeNull()
  })

  it('[LOG11] never collect a blob that an entry names, however close they are', async () => {
    const { a, b } = await twoReplicas()
    let collected = 0
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      await begin(a.store, conversationId)
      const blob = await a.store.putBlob({
        uploadId: `upload ${round}`,
        ownerId: 'user_1',
        conversationId: null,
        mediaType: 'text/plain',
        at: 1_000,
        content: contentOf(`content ${round}`),
      })
      const named = a.store
        .append({ conversationId, after: 1, entries: [fileSent('run_1', `upload ${round}`, blob)], at: 2_000 })
        .then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(MissingBlobError)
            return false
          },
        )
      const gone = b.store.collectBlobs(5_000)
      const wasNamed = await named
      expect(await gone).toBe(wasNamed ? 0 : 1)
      collected += wasNamed ? 0 : 1
      const read = await b.store.readBlob({ conversationId, hash: blob.hash })
      if (wasNamed) expect(await textOf(read?.content)).toBe(`content ${round}`)
      else expect(await seqsOf(a.store, conversationId)).toEqual([1])
    }
    expect(collected).toBeLessThan(ROUNDS.length)
  })

  it('[LOG9] leave nothing of a conversation that is deleted while the other appends to it', async () => {
    const { database, a, b } = await twoReplicas()
    for (const round of ROUNDS) {
      const conversationId = `race ${round}`
      await begin(a.store, conversationId)
      let head = 1
      const writing = (async () => {
        while (true) {
          const entries = [titleChanged(`title ${head}`, 'user')]
          await a.store.append({ conversationId, after: head, entries, at: 2_000 })
          head += 1
          await a.store.writeSnapshots(conversationId, [{ projection: 'p', version: 1, cursor: head, state: 'words' }])
        }
      })()
      const ended = expect(writing).rejects.toMatchObject({ name: 'AppendConflictError', head: 0 })
      while (head < 1 + (round % 5)) await b.store.readListing(conversationId)
      await b.store.deleteConversation(conversationId, 9_000)
      await ended
      const left = await database.sql(
        `SELECT (SELECT count(*) FROM holdfast.entries WHERE conversation_id = $1)
          + (SELECT count(*) FROM holdfast.snapshots WHERE conversation_id = $1)
          + (SELECT count(*) FROM holdfast.search_passages WHERE conversation_id = $1) AS count`,
        [conversationId],
      )
      expect(left).toEqual([{ count: '0' }])
    }
  })

  it('[SYNC4] show no change of a record after a later one', async () => {
    const { database, a, b } = await twoReplicas()
    const reader = await openOn(database)
    closing.push(reader.close)
    const written = { all: false }
    const writers = EIGHT.map(async (writer) => {
      for (const round of ROUNDS) {
        const { records } = writer % 2 ? a : b
        await records.put(note, { ownerId: 'user_1', id: `${writer} ${round}`, revision: 0, value: 'new', at: 1 })
      }
    })
    const done = Promise.all(writers).finally(() => {
      written.all = true
    })
    const seen: RecordChange[] = []
    const readOn = async () => {
      const page = await reader.records.changes(seen.at(-1)?.change ?? 0, 5)
      seen.push(...page)
      return page.length > 0
    }
    while (!written.all) await readOn()
    await done
    while (await readOn());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(EIGHT.length * ROUNDS.length)
    expect(seen.map(({ change }) => change)).toEqual(seen.map((_, index) => index + 1))
  })
})

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function textOf(content: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of content ?? []) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}
