import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EntryStore, NewEntry } from '@holdfast/conversation'
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import Database from 'better-sqlite3'
import { type Benchmark, type Figure, inTurns, median, timeMs } from '../lib/measure.ts'
import { inTemporaryFolder, systemClock, textOf, withSqliteStore } from '../lib/stores.ts'

const WRITERS = 8
const APPENDS_OF_EACH = 150
const ROUNDS = 15

/** Appending with group commit, one synced commit, and the loop that serves sockets meanwhile. */
export const append: Benchmark = {
  name: 'append',
  about: `${WRITERS} writers of single entries, one sync a group, beside bare better-sqlite3 writing the same rows, ${WRITERS} to a transaction`,
  run: () =>
    withSqliteStore((store) =>
      inTemporaryFolder(async (folder) => {
        const bare = await openBare(join(folder, 'bare'))
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
  const { valueMs, baselineMs, ratio } = await inTurns(ROUNDS, {
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

/** Made before anything is timed. */
const TEXTS = Array.from({ length: 1_000 }, (_, number) => textOf(number, 40))

function textOfEntry(number: number): string {
  return TEXTS[number % TEXTS.length] ?? ''
}

function entryOf(number: number): NewEntry {
  return userMessageSent('run_1', `input_${number}`, textOfEntry(number))
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

/**
 * Bare better-sqlite3 with the tables, indexes and settings of an empty store, writing the rows that the store
 * writes: an entry, its conversation's row in the list, and its words in the search index. It checks nothing,
 * finds no checksum, folds nothing and has no thread to talk to.
 */
async function openBare(dataDir: string): Promise<Bare> {
  const { store, close: closeStore } = await createSqliteStore({ dataDir, clock: systemClock })
  await createConversations(store)
  await closeStore()
  const db = new Database(join(dataDir, 'holdfast.sqlite'), { fileMustExist: true })
  for (const setting of SETTINGS) db.pragma(setting)
  const rows = db
    .prepare<[], Row>('SELECT conversation_key AS key, conversation_id AS id, shown, state FROM conversations')
    .all()
  const update = db.prepare(
    'UPDATE conversations SET updated_at = ?, head = ?, checksum = ?, shown = ?, state = ? WHERE conversation_key = ?',
  )
  const insert = db.prepare(
    'INSERT INTO entries (conversation_key, seq, checksum, type, found_id, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const index = db.prepare('INSERT INTO search (rowid, owner, words) VALUES (?, ?, ?)')
  const owner = Buffer.from('user_1').toString('hex')
  let seq = 1
  const transaction = db.transaction((count: number) => {
    seq += 1
    for (const [number, { key, id, shown, state }] of rows.slice(0, count).entries()) {
      const at = 1_000 + seq
      const foundId = BigInt(at) * ROWS_PER_MS + BigInt(number + 1)
      const body = JSON.stringify({ conversationId: id, seq, at, v: 1, ...entryOf(seq) })
      update.run(at, seq, CHECKSUM, shown, state, key)
      insert.run(key, seq, CHECKSUM, 'user-message-sent', foundId, body)
      index.run(foundId, owner, textOfEntry(seq))
    }
  })
  return { write: (count) => transaction(count), close: () => db.close() }
}

interface Row {
  readonly key: number
  readonly id: string
  readonly shown: string
  readonly state: string
}

/** As the store numbers the rows of its search index. */
const ROWS_PER_MS = 1n << 20n

/** Of the size that a checksum has. */
const CHECKSUM = 0x9a3c_71f2

/** Those of the store's settings that change what a commit writes. */
const SETTINGS = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'secure_delete = ON',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  'cache_size = -8192',
  'wal_autocheckpoint = 4096',
]
