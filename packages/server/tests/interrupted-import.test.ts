import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IMPORT_LIMITS } from '@holdfast/archive'
import { type Append, type Entry, type EntryStore, MAX_PAGE_ENTRIES, type Records } from '@holdfast/conversation'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Imports, openImports } from '../src/imports/imports.ts'
import { createSourceFolder } from '../src/imports/source-folder.ts'
import { createStorage } from '../src/parts/storage.ts'
import { STORAGE_LIMITS } from '../src/parts/storage-limits.ts'
import { claudeLog } from './support/claude-log.ts'
import { realClock, realIds } from './support/real-ports.ts'

let folder: string
let opened: Imports[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-interrupted-'))
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map((imports) => imports.close()))
  await rm(folder, { recursive: true })
})

interface Kept {
  readonly store: EntryStore
  readonly records: Records
}

/** Imports that append few entries at once. `onAppend` may hold an append back for ever, as a dying process does. */
async function open({ store, records }: Kept, onAppend: (append: Append) => Promise<void>): Promise<Imports> {
  const imports = await openImports({
    store: {
      ...store,
      async append(asked) {
        await onAppend(asked)
        return store.append(asked)
      },
    },
    records,
    bus: { publish: () => {} },
    onConversation: () => {},
    engine: { forgetLog: () => {} },
    importLimits: { ...IMPORT_LIMITS, batchEntries: 4 },
    folder: createSourceFolder(folder),
    storage: createStorage({ store, limits: STORAGE_LIMITS, freeBytes: null }),
    storageLimits: STORAGE_LIMITS,
    clock: realClock,
    ids: realIds,
    log: { info: () => {}, warn: () => {}, error: (_message, fields) => expect.unreachable(JSON.stringify(fields)) },
  })
  imports.start()
  return imports
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** All of a file is taken, and written. */
const WHOLE = { isDryRun: false, only: null, since: null } as const

const file = () => ({ ...WHOLE, name: 'session.jsonl', content: bytes(claudeLog('s', 12)) })
const atOnce = () => Promise.resolve()

async function logs({ store }: Kept): Promise<readonly (readonly Entry[])[]> {
  const rows = await store.listConversations({ ownerId: 'local', archived: false, limit: 100 })
  return Promise.all(
    rows.map(
      async ({ conversationId }) => (await store.read({ conversationId, after: 0, limit: MAX_PAGE_ENTRIES })).entries,
    ),
  )
}

test('[LOG2, LOG4] an import that dies at any append is finished by the next process, without doubles', async () => {
  const whole = createMemoryStore({ clock: realClock })
  const first = await open(whole, atOnce)
  opened.push(first)
  const { id } = await first.begin('local', file())
  expect(await first.read({ userId: 'local', importId: id }, 10_000)).toMatchObject({ state: 'finished', imported: 1 })
  const expected = await logs(whole)
  const appends = Math.ceil((expected[0]?.length ?? 0) / 4)
  expect(appends).toBeGreaterThan(5)
  for (let dieAt = 1; dieAt <= appends; dieAt++) {
    const kept = createMemoryStore({ clock: realClock })
    let count = 0
    const died = Promise.withResolvers<void>()
    const dying = await open(kept, async () => {
      count++
      if (count < dieAt) return
      died.resolve()
      await new Promise(() => {})
    })
    const begun = await dying.begin('local', file())
    await died.promise
    for (const log of await logs(kept)) expect(dying.isHidden(log[0]?.conversationId ?? '')).toBe(true)
    const next = await open(kept, atOnce)
    opened.push(next)
    const answer = await next.read({ userId: 'local', importId: begun.id }, 10_000)
    expect(answer).toMatchObject({ state: 'finished', imported: 1, alreadyThere: 0, entryCount: expected[0]?.length })
    expect(await logs(kept)).toEqual(expected)
    expect(next.isHidden(expected[0]?.[0]?.conversationId ?? '')).toBe(false)
    expect(await readdir(join(folder, 'local'))).toEqual([])
  }
})

test('[LOG1] an import that is cancelled leaves nothing half, and its file goes', async () => {
  const kept = createMemoryStore({ clock: realClock })
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let count = 0
  const imports = await open(kept, async () => {
    if (++count < 3) return
    reached.resolve()
    await goOn.promise
  })
  opened.push(imports)
  const { id } = await imports.begin('local', file())
  await reached.promise
  const cancelled = imports.cancel({ userId: 'local', importId: id })
  goOn.resolve()
  expect(await cancelled).toMatchObject({ state: 'cancelled', imported: 0 })
  expect(await logs(kept)).toEqual([])
  expect(await readdir(join(folder, 'local'))).toEqual([])
  const again = await imports.begin('local', file())
  expect(await imports.read({ userId: 'local', importId: again.id }, 10_000)).toMatchObject({ imported: 1 })
})

test('[LOG2] a conversation that is changed at the moment of an import is begun again, and then left alone', async () => {
  const kept = createMemoryStore({ clock: realClock })
  let isOthersTurn = false
  const imports = await open(kept, async ({ conversationId, after }) => {
    if (!isOthersTurn) return
    isOthersTurn = false
    const actor = { type: 'person', userId: 'local' } as const
    const entries = [{ type: 'title-changed', actor, title: 'Mine', source: 'user' } as const]
    await kept.store.append({ conversationId, after, at: 1, entries })
  })
  opened.push(imports)
  const begun = await imports.begin('local', { ...WHOLE, name: 'a.jsonl', content: bytes(claudeLog('s', 4)) })
  await imports.read({ userId: 'local', importId: begun.id }, 10_000)
  isOthersTurn = true
  const { id } = await imports.begin('local', file())
  const answer = await imports.read({ userId: 'local', importId: id }, 10_000)
  expect(answer).toMatchObject({ state: 'finished', updated: 0, unchanged: 1, skippedCounts: { 'changed-here': 1 } })
  const [log] = await logs(kept)
  expect(log?.at(-1)).toMatchObject({ type: 'title-changed', title: 'Mine' })
})

test('[SEC18] an import of one user ends while a longer one of another, which began before, still runs', async () => {
  const kept = createMemoryStore({ clock: realClock })
  const bobHasEnded = Promise.withResolvers<void>()
  let ofAnn = 0
  const imports = await open(kept, async ({ entries: [first] }) => {
    if (first?.type === 'conversation-created' && first.ownerId === 'bob') return
    if (++ofAnn === 3) await bobHasEnded.promise
  })
  opened.push(imports)
  const long = await imports.begin('ann', { ...WHOLE, name: 'long.jsonl', content: bytes(claudeLog('long', 12)) })
  const next = await imports.begin('ann', { ...WHOLE, name: 'next.jsonl', content: bytes(claudeLog('next', 1)) })
  const short = await imports.begin('bob', { ...WHOLE, name: 'short.jsonl', content: bytes(claudeLog('short', 1)) })
  const ended = await imports.read({ userId: 'bob', importId: short.id }, 10_000)
  expect(ended).toMatchObject({ state: 'finished', imported: 1 })
  const read = (importId: string, waitMs: number) => imports.read({ userId: 'ann', importId }, waitMs)
  expect(await read(long.id, 0)).toMatchObject({ state: 'running' })
  expect(await read(next.id, 0)).toMatchObject({ state: 'running', readBytes: 0 })
  bobHasEnded.resolve()
  expect(await read(long.id, 10_000)).toMatchObject({ state: 'finished', imported: 1 })
  expect(await read(next.id, 10_000)).toMatchObject({ state: 'finished', imported: 1 })
})

test('[SEC5] a file that did not arrive in whole is not kept, and its import never begun', async () => {
  const kept = createMemoryStore({ clock: realClock })
  const imports = await open(kept, atOnce)
  opened.push(imports)
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('{')
    throw new Error('The line broke')
  }
  await expect(imports.begin('local', { ...WHOLE, name: 'a', content: breaking() })).rejects.toThrow('The line broke')
  expect(await readdir(join(folder, 'local'))).toEqual([])
  expect(await imports.list('local')).toEqual([])
})
