import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EntryStore, NewEntry } from '@holdfast/conversation'
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import Database from 'better-sqlite3'
import { type Benchmark, type Figure, inTurns, median, timeMs } from '../lib/measure.ts'
import { inTemporaryFolder, textOf, withSqliteStore } from '../lib/stores.ts'

const WRITERS = 8
const APPENDS_OF_EACH = 150

/** Appending with group commit, one synced commit, and the loop that serves sockets meanwhile. */
export const append: Benchmark = {
  name: 'append',
  about: `${WRITERS} writers of single entries, one sync a group, beside bare better-sqlite3 writing the same rows, ${WRITERS} to a transaction`,
  run: () =>
    withSqliteStore((store) =>
      inTemporaryFolder(async (folder) => {
        const bare = openBare(join(folder, 'bare.db'))
        const heads = await createConversations(store)
        try {
          return [await grouped(store, heads, bare), await single(store, heads, bare), await loopDelay(store, heads)]
        } finally {
          bare.close()
        }
      }),
    ),
}

type Heads = Map<string, number>

async function createConversations(store: EntryStore): Promise<Heads> {
  const heads: Heads = new Map()
  for (let writer = 0; writer < WRITERS; writer++) {
    const conversationId = `conversation_${writer}`
    await store.append({ conversationId, after: 0, entries: [conversationCreated('user_1')], at: 1_000 })
    heads.set(conversationId, 1)
  }
  return heads
}

async function grouped(store: EntryStore, heads: Heads, bare: Bare): Promise<Figure> {
  const { valueMs, baselineMs, ratio } = await inTurns(7, {
    value: () =>
      Promise.all(
        [...heads.keys()].map(async (conversationId) => {
          for (let number = 0; number < APPENDS_OF_EACH; number++) await appendOne(store, heads, conversationId)
        }),
      ),
    baseline: () => {
      for (let number = 0; number < APPENDS_OF_EACH; number++) bare.write(WRITERS)
    },
  })
  const perSecond = (ms: number): number => (WRITERS * APPENDS_OF_EACH * 1_000) / ms
  return {
    name: 'append grouped',
    value: perSecond(valueMs),
    unit: 'entries/s',
    baseline: perSecond(baselineMs),
    ratio,
    goal: 'at most 1.3 times the time of the baseline',
    met: ratio <= 1.3,
  }
}

async function single(store: EntryStore, heads: Heads, bare: Bare): Promise<Figure> {
  const times: number[] = []
  const bareTimes: number[] = []
  for (let round = 0; round < 200; round++) {
    times.push(await timeMs(() => appendOne(store, heads, 'conversation_0')))
    bareTimes.push(await timeMs(() => bare.write(1)))
  }
  const value = median(times)
  const baseline = median(bareTimes)
  return {
    name: 'append one synced',
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    goal: 'reported',
    met: true,
  }
}

/** What a timer sees while 5,000 entries a second are written, beside the same seconds without writing. */
async function loopDelay(store: EntryStore, heads: Heads): Promise<Figure> {
  const idle = await delayWhile(() => sleep(3_000))
  const busy = await delayWhile(async () => {
    const written: Promise<void>[] = []
    for (let tick = 0; tick < 300; tick++) {
      for (const conversationId of heads.keys()) written.push(appendMany(store, heads, conversationId, 50 / WRITERS))
      await sleep(10)
    }
    await Promise.all(written)
  })
  return {
    name: 'append loop delay p99',
    value: busy,
    unit: 'ms',
    baseline: idle,
    ratio: busy / idle,
    goal: 'under 5 ms while 5,000 entries/s are written',
    met: busy < 5,
  }
}

async function delayWhile(work: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await work()
  histogram.disable()
  // The histogram counts the timer's own millisecond.
  return Math.max(0, histogram.percentile(99) / 1e6 - 1)
}

function entryOf(number: number): NewEntry {
  return userMessageSent('run_1', `input_${number}`, textOf(number, 40))
}

async function appendOne(store: EntryStore, heads: Heads, conversationId: string): Promise<void> {
  const after = heads.get(conversationId) ?? 0
  heads.set(conversationId, after + 1)
  await store.append({ conversationId, after, entries: [entryOf(after)], at: 1_000 + after })
}

async function appendMany(store: EntryStore, heads: Heads, conversationId: string, count: number): Promise<void> {
  const after = heads.get(conversationId) ?? 0
  const whole = Math.ceil(count)
  heads.set(conversationId, after + whole)
  const entries = Array.from({ length: whole }, (_, index) => entryOf(after + index))
  await store.append({ conversationId, after, entries, at: 1_000 + after })
}

interface Bare {
  write(count: number): void
  close(): void
}

/** The same rows, written by hand: an entry with its text, the conversation's head, and the text's search row. */
function openBare(file: string): Bare {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`
    CREATE TABLE entries (conversation_id TEXT, seq INTEGER, body TEXT, PRIMARY KEY (conversation_id, seq)) STRICT, WITHOUT ROWID;
    CREATE TABLE conversations (conversation_id TEXT PRIMARY KEY, head INTEGER, listing TEXT) STRICT;
    CREATE VIRTUAL TABLE search USING fts5(owner, text, content='', contentless_delete=1);
  `)
  const entry = db.prepare('INSERT INTO entries VALUES (?, ?, ?)')
  const head = db.prepare(
    'INSERT INTO conversations VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET head = excluded.head, listing = excluded.listing',
  )
  const search = db.prepare('INSERT INTO search (owner, text) VALUES (?, ?)')
  let number = 0
  const listing = JSON.stringify({ title: null, state: 'idle', messageCount: 100, queue: [], updatedAt: 1_000 })
  const transaction = db.transaction((count: number) => {
    for (let writer = 0; writer < count; writer++) {
      number += 1
      const text = textOf(number, 40)
      const body = { ...entryOf(number), conversationId: `conversation_${writer}`, seq: number, at: 1_000, v: 1 }
      entry.run(`conversation_${writer}`, number, JSON.stringify(body))
      head.run(`conversation_${writer}`, number, listing)
      search.run('user_1', text)
    }
  })
  return { write: (count) => transaction(count), close: () => db.close() }
}
