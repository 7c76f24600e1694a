import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Append, Clock, Entry, EntryStore } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted, type OpenStore } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { onTestFinished } from 'vitest'
import { openSqliteStore, type SqliteStoreOptions, type TestedSqliteStore } from '../../src/sqlite/open-sqlite-store.ts'

/** Stands still: a lease of any length holds, one of no length is over. */
export const stillClock: Clock = {
  now: () => 1_000,
  monotonicMs: () => 0,
  after: () => () => undefined,
}

/** A new folder that goes when the test is over. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a store that is closed when the test is over. */
export async function openForTest(
  dataDir: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<TestedSqliteStore> {
  const opened = await openSqliteStore({ dataDir, clock: stillClock, ...options })
  onTestFinished(() => opened.close())
  return opened
}

/** Opens the store of a folder for a suite, which deletes the folder when it is done. */
export async function openForSuite(dataDir: string): Promise<OpenStore> {
  const { store, records, close } = await createSqliteStore({ dataDir, clock: stillClock })
  return {
    store,
    records,
    reopen: async () => {
      await close()
      return openForSuite(dataDir)
    },
    dispose: async () => {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** An append of one input to a log that ends at `after`; it begins the log when that is 0. */
export function appendOf(conversationId: string, after: number, words = `words ${after}`): Append {
  const entry = after === 0 ? conversationCreated('user_1') : inputAdmitted(`input_${after}`, words)
  return { conversationId, after, entries: [entry], at: 1_000 + after }
}

/** Writes a log of `length` entries, many to an append. */
export async function writeLog(store: EntryStore, conversationId: string, length: number): Promise<void> {
  for (let after = 0; after < length; ) {
    const count = after === 0 ? 1 : Math.min(200, length - after)
    const entries = Array.from({ length: count }, (_, index) => appendOf(conversationId, after + index).entries).flat()
    await store.append({ conversationId, after, entries, at: 1_000 + after })
    after += count
  }
}

/** The whole log, read in pages. */
export async function readLog(store: EntryStore, conversationId: string): Promise<Entry[]> {
  const entries: Entry[] = []
  while (true) {
    const page = await store.read({ conversationId, after: entries.length, limit: 500 })
    entries.push(...page.entries)
    if (page.entries.length === 0) return entries
  }
}

/** All that an async iterable gives. */
export async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

/** The error that a promise must fail with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => new Error('It was expected to fail, and did not'),
    (error: unknown) => error,
  )
  if (outcome instanceof Error) return outcome
  throw outcome
}
