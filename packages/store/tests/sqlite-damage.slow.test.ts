import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Damage,
  DamagedLogError,
  type Entry,
  type EntryStore,
  StoreOpenError,
  StoreReadError,
  StoreWriteError,
} from '@holdfast/conversation'
import { conversationCreated, titleChanged, wholeTurn } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storeFiles } from '../src/sqlite/files/files.ts'
import { type FileDamage, fileDamage, spoil } from './support/file-damage.ts'
import { openInThread } from './support/in-thread-store.ts'
import { appendOf, collected, newFolder, openForTest, readLog } from './support/sqlite-harness.ts'

const FULL = process.env['HOLDFAST_FULL'] === '1'
const DAMAGED_FILES = FULL ? 200 : 60

const IDS = ['a', 'b', 'c', 'd']

describe('a damaged SQLite store', { retry: 0 }, () => {
  it('[LOG7] gives a visible error or all it has, never silently less, and goes on with other conversations', async () => {
    const folder = await newFolder()
    const logs = await writeStore(join(folder, 'whole'))
    const damages = fc.sample(fileDamage, { numRuns: DAMAGED_FILES, seed: 5 })
    const outcomes = { refused: 0, damaged: 0, whole: 0 }
    for (const [number, damage] of damages.entries()) {
      const dataDir = join(folder, `damaged ${number}`)
      spoilStore(join(folder, 'whole'), { dataDir, damage })
      try {
        outcomes[await lookAt(dataDir, logs)] += 1
      } catch (error) {
        throw new Error(`Damage ${JSON.stringify(damage)} was not met as it must be`, { cause: error })
      }
    }
    expect(outcomes.refused).toBeGreaterThan(0)
    expect(outcomes.damaged).toBeGreaterThan(0)
  }, 900_000)
})

/** Four logs with everything that belongs to them; gives their entries. */
async function writeStore(dataDir: string): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const { store, close } = await openForTest(dataDir)
  for (const id of IDS) {
    const turns = Array.from({ length: 12 }, (_, number) =>
      wholeTurn(number, { asked: `asked ${number}`, answered: `answered ${number} `.repeat(40) }),
    )
    const entries = [conversationCreated('user_1'), titleChanged(`Title of ${id}`, 'user'), ...turns.flat()]
    await store.append({ conversationId: id, after: 0, entries, at: 1_000 })
  }
  for (let after = 86; after < 150; after++) for (const id of IDS) await store.append(appendOf(id, after))
  const logs = new Map<string, readonly Entry[]>()
  for (const id of IDS) logs.set(id, await readLog(store, id))
  await close()
  return logs
}

function spoilStore(whole: string, { dataDir, damage }: { dataDir: string; damage: FileDamage }): void {
  mkdirSync(dataDir)
  const from = storeFiles(whole)
  const to = storeFiles(dataDir)
  copyFileSync(from.state, to.state)
  writeFileSync(to.database, spoil(readFileSync(from.database), damage))
}

type Outcome = 'refused' | 'damaged' | 'whole'

/** Uses a store as a person would, and compares all it says with what was written. */
async function lookAt(dataDir: string, logs: ReadonlyMap<string, readonly Entry[]>): Promise<Outcome> {
  const reported: Damage[] = []
  const store = openOrNull(dataDir, (damage) => reported.push(damage))
  if (!store) return 'refused'
  try {
    const bad = new Set<string>()
    for (const [id, log] of logs) if (!(await readsWhole(store, id, log))) bad.add(id)
    await expectListed(store)
    await expectSearchable(store)
    const report = await store.check(new AbortController().signal)
    if (bad.size > 0) expect(report.damages).not.toEqual([])
    for (const [id, log] of logs) await expectRescued(store, id, log)
    for (const [id, log] of logs) if (!bad.has(id)) await expectUsable(store, id, log)
    return bad.size > 0 || report.damages.length > 0 || reported.length > 0 ? 'damaged' : 'whole'
  } finally {
    await store.close()
  }
}

/** Null when the store cannot be opened, which it must say. */
function openOrNull(dataDir: string, onDamage: (damage: Damage) => void): EntryStore | null {
  try {
    return openInThread(dataDir, onDamage)
  } catch (error) {
    if (error instanceof StoreOpenError) return null
    throw error
  }
}

/** Whether the log reads as it was written. Anything but that or an error that says so fails the test. */
async function readsWhole(store: EntryStore, id: string, log: readonly Entry[]): Promise<boolean> {
  try {
    expect(await readLog(store, id)).toEqual(log)
    expect((await store.read({ conversationId: id, before: log.length + 1, limit: 5 })).entries).toEqual(log.slice(-5))
    expect(await textOf(store, id)).toEqual(log)
    return true
  } catch (error) {
    if (error instanceof DamagedLogError) {
      const asText = await textOf(store, id).catch((again: unknown) => again)
      expect(asText).toMatchObject({ code: error.code, firstBadSeq: error.firstBadSeq })
      const good = await store
        .read({ conversationId: id, after: 0, limit: error.firstBadSeq - 1 })
        .catch((again: unknown) => again)
      if (error.firstBadSeq > 1) expect(good).toMatchObject({ entries: log.slice(0, error.firstBadSeq - 1) })
      return false
    }
    if (error instanceof StoreReadError) return false
    throw error
  }
}

/** The log as it is handed on. */
async function textOf(store: EntryStore, conversationId: string): Promise<unknown> {
  const text = await store.readText({ conversationId, after: 0, limit: 500 })
  return JSON.parse(Buffer.from(text).toString()).entries
}

async function expectListed(store: EntryStore): Promise<void> {
  try {
    const rows = await store.listConversations({ ownerId: 'user_1', archived: false, limit: 100 })
    expect(rows.map(({ conversationId }) => conversationId).sort()).toEqual(IDS)
  } catch (error) {
    if (!(error instanceof StoreReadError)) throw error
  }
}

async function expectSearchable(store: EntryStore): Promise<void> {
  const query = { phrases: [{ tokens: ['answered'], prefix: false }] }
  await store.search({ ownerId: 'user_1', query, limit: 100 }).catch((error: unknown) => {
    if (!(error instanceof StoreReadError)) throw error
  })
}

/** A rescue gives entries that were written, in their order, and nothing else. */
async function expectRescued(store: EntryStore, id: string, log: readonly Entry[]): Promise<void> {
  const rescued = await collected(store.readableEntries(id))
  expect(rescued).toEqual(rescued.map(({ seq }) => log[seq - 1]))
  expect(rescued.map(({ seq }) => seq)).toEqual(rescued.map(({ seq }) => seq).sort((a, b) => a - b))
}

async function expectUsable(store: EntryStore, id: string, log: readonly Entry[]): Promise<void> {
  try {
    const { entries } = await store.append(appendOf(id, log.length))
    expect(await readLog(store, id)).toEqual([...log, ...entries])
  } catch (error) {
    if (!(error instanceof StoreWriteError || error instanceof DamagedLogError)) throw error
  }
}
