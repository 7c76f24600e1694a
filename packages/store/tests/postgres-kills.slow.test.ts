import {
  AppendConflictError,
  type Entry,
  type EntryStore,
  StoreReadError,
  StoreWriteError,
} from '@holdfast/conversation'
import { conversationCreated, inputAdmitted } from '@holdfast/conversation/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestDatabase, startTestServer, type TestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'

const WRITERS = [0, 1, 2, 3]
const APPENDS = 150
/** The ends below which the test says nothing: of 600 appends, one in thirty. */
const ENOUGH = 20

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** What the writers know, kept outside the store. */
interface History {
  /** By conversation: what was acknowledged, in order. */
  readonly acknowledged: Map<string, Entry[]>
  /** Writes that failed without a word on what became of them. */
  failed: number
  /** Whether the test has ended. */
  isOver: boolean
  /** Answers to a command that had been carried out by an attempt that failed. */
  settled: number
}

/** Appends with a command id, again and again until it is acknowledged, as a client does. */
async function write(store: EntryStore, history: History, conversationId: string): Promise<void> {
  const own: Entry[] = []
  history.acknowledged.set(conversationId, own)
  for (let number = 0; number < APPENDS; number++) {
    const entries =
      number === 0
        ? [conversationCreated('user_1')]
        : [inputAdmitted(`input ${number}`, `words ${number}`), inputAdmitted(`twin ${number}`, 'more words')]
    const command = { commandId: `command ${number}`, fingerprint: `${number}` }
    while (true) {
      try {
        const appended = await store.append({ conversationId, after: own.length, entries, at: 1_000 + number, command })
        own.push(...appended.entries)
        if (appended.repeated) history.settled += 1
        break
      } catch (error) {
        if (error instanceof AppendConflictError || !(error instanceof StoreWriteError)) throw error
        history.failed += 1
        // A test that has failed by its time leaves no writer that tries for ever.
        if (history.isOver) return
      }
    }
  }
}

async function expectNothingLost(store: EntryStore, history: History): Promise<void> {
  for (const [conversationId, acknowledged] of history.acknowledged) {
    const { entries, head } = await store.read({ conversationId, after: 0, limit: 1_000 })
    expect(entries).toEqual(acknowledged)
    expect(head).toBe(1 + 2 * (APPENDS - 1))
    expect(await store.readListing(conversationId)).toMatchObject({ head, queuedCount: head - 1 })
  }
  expect((await store.check(AbortSignal.timeout(60_000))).damages).toEqual([])
}

function countOf({ acknowledged }: History): number {
  return [...acknowledged.values()].reduce((sum, entries) => sum + entries.length, 0)
}

describe('a PostgreSQL store whose connections end', { retry: 0 }, () => {
  it('[LOG4] loses and doubles nothing while its connections are ended in the middle of appends', async () => {
    const database = await createTestDatabase()
    closing.push(() => database.drop())
    const [a, b] = await Promise.all([openOn(database), openOn(database)])
    closing.push(a.close, b.close)
    const history: History = { acknowledged: new Map(), failed: 0, settled: 0, isOver: false }
    closing.push(async () => {
      history.isOver = true
    })
    const writers = WRITERS.map((writer) => write((writer % 2 ? a : b).store, history, `talk ${writer}`))
    const all = Promise.all(writers)
    const kills = await endWhile(database, { all, history })
    await all
    await expectNothingLost(a.store, history)
    // Which append an end meets is chance; on a busy machine fewer are met.
    expect(kills).toBeGreaterThan(ENOUGH)
    expect(history.failed).toBeGreaterThan(ENOUGH)
  }, 120_000)

  it('[LOG3] loses and doubles nothing when the server crashes again and again', async () => {
    const server = await startTestServer({})
    closing.push(server.remove)
    const { store, close } = await openOn(await server.createDatabase())
    closing.push(close)
    const history: History = { acknowledged: new Map(), failed: 0, settled: 0, isOver: false }
    closing.push(async () => {
      history.isOver = true
    })
    const writers = Promise.all(WRITERS.map((writer) => write(store, history, `talk ${writer}`)))
    for (let crash = 1; crash <= 10; crash++) {
      while (countOf(history) < crash * 90) await store.readListing('talk 0').catch(expectReadError)
      await server.stop(crash % 3 === 0 ? 'fast' : 'kill')
      await server.start()
    }
    await writers
    await expectNothingLost(store, history)
    expect(history.failed).toBeGreaterThan(10)
  }, 120_000)
})

function expectReadError(error: unknown): void {
  expect(error).toBeInstanceOf(StoreReadError)
}

/** Ends a connection that is at work, and the next one once something was acknowledged since. */
async function endWhile({ name, sql }: TestDatabase, { all, history }: { all: Promise<unknown>; history: History }) {
  const writing = { goesOn: true }
  const noteEnd = () => {
    writing.goesOn = false
  }
  all.then(noteEnd, noteEnd)
  let kills = 0
  let before = -1
  while (writing.goesOn) {
    if (countOf(history) === before) {
      await sql('SELECT 1')
      continue
    }
    const ended = await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = $1 AND application_name = 'holdfast' AND state <> 'idle' ORDER BY random() LIMIT 1`,
      [name],
    )
    kills += ended.length
    if (ended.length > 0) before = countOf(history)
  }
  return kills
}
