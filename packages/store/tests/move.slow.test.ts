import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EntryStore, type RecordKind, type Records, StoreOpenError } from '@holdfast/conversation'
import { conversationCreated, fileSent, inputAdmitted, usageRecorded, wholeTurn } from '@holdfast/conversation/testing'
import { moveStore, type StorePlace } from '@holdfast/store/move'
import { createPostgresStore } from '@holdfast/store/postgres'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withDatabaseSource } from '../src/postgres/maintenance/move-database.ts'
import { PORTABLE_TABLES, type PortableSource } from '../src/shared/portable-rows.ts'
import { withFolderSource } from '../src/sqlite/maintenance/move-folder.ts'
import { startBucketServer } from './support/bucket-server.ts'
import { startChild } from './support/child-process.ts'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { useNewFiles } from './support/postgres-store.ts'
import { stillClock } from './support/sqlite-harness.ts'
import { systemClock } from './support/system-clock.ts'

const newFolder = useNewFiles()
const note: RecordKind<string> = { kind: 'note', schema: z.string() }
const OWNER = 'user_1'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  return database
}

function folder(dataDir: string): StorePlace {
  return { type: 'folder', dataDir }
}

function inDatabase({ connectionString }: TestDatabase): StorePlace {
  return { type: 'database', connectionString }
}

function move(from: StorePlace, to: StorePlace) {
  const signal = new AbortController().signal
  return moveStore({ from, to, described: 'a folder that a test made', now: 1_000, signal })
}

async function failureOf(work: Promise<unknown>): Promise<StoreOpenError> {
  const outcome = await work.then(
    () => new Error('It was expected to be refused, and was not'),
    (error: unknown) => error,
  )
  if (outcome instanceof StoreOpenError) return outcome
  throw outcome
}

/** A store with something in every table. */
async function fill({ store, records }: { store: EntryStore; records: Records }): Promise<void> {
  const blob = await store.putBlob({
    uploadId: 'upload_1',
    ownerId: OWNER,
    conversationId: null,
    mediaType: 'text/plain',
    at: 1_000,
    content: bytes(700_000),
  })
  await store.putBlob({
    uploadId: 'upload_2',
    ownerId: 'user_2',
    conversationId: 'waits',
    mediaType: 'image/png',
    at: 1_100,
    content: bytes(10),
  })
  const turns = Array.from({ length: 40 }, (_, number) =>
    wholeTurn(number, { asked: `Frage ${number} — ünïcode 日本`, answered: `answer ${number}\n"quoted" \\ back` }),
  ).flat()
  await store.append({
    conversationId: 'a',
    after: 0,
    entries: [conversationCreated(OWNER), fileSent('run_1', 'upload_1', blob), ...turns],
    at: 2_000,
    command: { commandId: 'command_1', fingerprint: 'print_1' },
  })
  const lease = await store.acquireLease({ conversationId: 'a', holder: 'process_1', ttlMs: 1_000 })
  await store.appendDrafts([
    {
      conversationId: 'a',
      runId: 'run_9',
      stepId: 'step_9',
      startedSeq: 99,
      epoch: lease?.epoch ?? 0,
      deltas: [{ stepId: 'step_9', block: 0, offset: 0, text: 'half an ans', start: { type: 'text' } }],
    },
  ])
  await store.append({ conversationId: 'B', after: 0, entries: [conversationCreated('user_2')], at: 3_000 })
  await store.append({
    conversationId: 'B',
    after: 1,
    entries: [usageRecorded('run_2', 'step_2', { input: 10, output: 5 })],
    at: 3_100,
  })
  await store.append({ conversationId: 'gone', after: 0, entries: [conversationCreated(OWNER)], at: 3_000 })
  await store.deleteConversation('gone', 3_500)
  await records.put(note, { ownerId: OWNER, id: 'n1', revision: 0, value: 'first', at: 1 })
  await records.put(note, { ownerId: OWNER, id: 'n1', revision: 1, value: 'second', at: 2 })
  await records.put(note, { ownerId: OWNER, id: 'n2', revision: 0, value: 'to go', at: 3 })
  await records.remove(note, { ownerId: OWNER, id: 'n2', revision: 1 })
}

async function* bytes(length: number): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from({ length }, (_, index) => (index * 7) % 256)
}

/** Every row of a source, and every content. */
async function dump(source: PortableSource): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const table of PORTABLE_TABLES) {
    const all: unknown[] = []
    for await (const rows of source.rows(table)) all.push(...rows)
    tables[table] = all
  }
  tables['contents'] = []
  for (const row of tables['blobs'] ?? []) {
    const [ownerId, hash] = z.tuple([z.string(), z.string()]).rest(z.unknown()).parse(row)
    const pieces: Uint8Array[] = []
    for await (const piece of source.content({ ownerId, hash })) pieces.push(piece)
    tables['contents'].push(Buffer.concat(pieces).toString('base64'))
  }
  return tables
}

const dumpFolder = (dataDir: string) => withFolderSource({ dataDir, now: 1_000 }, dump)
const dumpDatabase = ({ connectionString }: TestDatabase) => withDatabaseSource({ connectionString }, dump)

/** What people and the engine see of a store. */
async function seen({ store, records }: { store: EntryStore; records: Records }) {
  const query = { phrases: [{ tokens: ['answer'], prefix: false }] }
  return {
    list: await store.listConversations({ ownerId: OWNER, archived: false, limit: 10 }),
    entries: (await store.read({ conversationId: 'a', after: 0, limit: 1_000 })).entries,
    drafts: await store.readDrafts('a'),
    usage: [
      ...(await store.readUsage({ ownerId: OWNER, from: 0, to: 10_000, limit: 1_000 })),
      ...(await store.readUsage({ ownerId: 'user_2', from: 0, to: 10_000, limit: 1_000 })),
    ],
    found: (await store.search({ ownerId: OWNER, query, limit: 100 })).map(({ seq, snippet }) => ({ seq, snippet })),
    bytes: await store.storedBytes(OWNER),
    changes: await records.changes(0, 100),
    note: await records.get(note, { ownerId: OWNER, id: 'n1' }),
    damages: (await store.check(new AbortController().signal)).damages,
  }
}

async function seenInFolder(dataDir: string) {
  const opened = await createSqliteStore({ dataDir, clock: stillClock })
  try {
    return await seen(opened)
  } finally {
    await opened.close()
  }
}

async function seenInDatabase({ connectionString }: TestDatabase) {
  const opened = await createPostgresStore({ connectionString, clock: systemClock, poolSize: 2 })
  try {
    return await seen(opened)
  } finally {
    await opened.close()
  }
}

async function filledFolder(): Promise<string> {
  const dataDir = await newFolder()
  const opened = await createSqliteStore({ dataDir, clock: stillClock })
  await fill(opened)
  await opened.close()
  return dataDir
}

describe('a move of a store', () => {
  it('[CLI14] brings everything from SQLite to PostgreSQL and back, byte for byte', async () => {
    const first = await filledFolder()
    const database = await newDatabase()
    const last = await newFolder()
    const moved = await move(folder(first), inDatabase(database))
    expect(moved).toMatchObject({ conversations: 2, blobs: 2, uploads: 2, commands: 1, drafts: 1, records: 2 })
    expect(await move(inDatabase(database), folder(last))).toEqual(moved)
    const source = await dumpFolder(first)
    for (const table of PORTABLE_TABLES) expect(source[table]?.length, table).toBeGreaterThan(0)
    expect(await dumpFolder(last)).toEqual(source)
    const there = await seenInFolder(first)
    expect(there.found.length).toBeGreaterThan(0)
    expect(there.damages).toEqual([])
    expect(await seenInDatabase(database)).toEqual(there)
    expect(await seenInFolder(last)).toEqual(there)
  })

  it('[CLI14] leaves a store that goes on: appends, commands, leases, uploads and records', async () => {
    const database = await newDatabase()
    const last = await newFolder()
    await move(folder(await filledFolder()), inDatabase(database))
    await move(inDatabase(database), folder(last))
    const { connectionString } = database
    for (const { store, records, close } of [
      await createPostgresStore({ connectionString, clock: systemClock, poolSize: 2 }),
      await createSqliteStore({ dataDir: last, clock: stillClock }),
    ]) {
      const repeated = await store.append({
        conversationId: 'B',
        after: 2,
        entries: [inputAdmitted('input_1', 'goes on')],
        at: 9_000,
        command: { commandId: 'command_2', fingerprint: 'p' },
      })
      expect(repeated.repeated).toBe(false)
      const command = { commandId: 'command_1', fingerprint: 'print_1' }
      const again = await store.append({
        conversationId: 'a',
        after: 0,
        entries: [conversationCreated(OWNER)],
        at: 9_000,
        command,
      })
      expect(again.repeated).toBe(true)
      const lease = await store.acquireLease({ conversationId: 'gone', holder: 'process_2', ttlMs: 1_000 })
      expect(lease).toMatchObject({ epoch: 1 })
      await records.put(note, { ownerId: OWNER, id: 'n2', revision: 0, value: 'again', at: 5 })
      const changes = await records.changes(0, 100)
      expect(new Set(changes.map(({ change }) => change)).size).toBe(changes.length)
      const upload = { uploadId: 'upload_3', ownerId: OWNER, conversationId: null, mediaType: 'text/plain', at: 9_000 }
      await store.putBlob({ ...upload, content: bytes(33) })
      expect((await store.check(new AbortController().signal)).damages).toEqual([])
      await close()
    }
  })

  it('[CLI14] changes nothing of its source, and refuses one that is in use', async () => {
    const first = await filledFolder()
    const before = await filesOf(first)
    await move(folder(first), inDatabase(await newDatabase()))
    expect(await filesOf(first)).toEqual(before)
    const { close } = await createSqliteStore({ dataDir: first, clock: stillClock })
    const empty = await newDatabase()
    expect((await failureOf(move(folder(first), inDatabase(empty)))).code).toBe('locked')
    await close()
    await move(folder(first), inDatabase(empty))
    const { connectionString } = empty
    const open = await createPostgresStore({ connectionString, clock: systemClock, poolSize: 2 })
    await open.store.readListing('a')
    expect((await failureOf(move(inDatabase(empty), folder(await newFolder())))).code).toBe('locked')
    await open.close()
  })

  it('[CLI14] refuses a target that holds a store, and leaves that as it is', async () => {
    const [first, second] = [await filledFolder(), await filledFolder()]
    const database = await newDatabase()
    await move(folder(first), inDatabase(database))
    expect((await failureOf(move(folder(first), folder(second)))).code).toBe('exists')
    expect((await failureOf(move(folder(first), inDatabase(database)))).code).toBe('exists')
    expect(await dumpDatabase(database)).toEqual(await dumpFolder(first))
  })

  it('[CLI14] refuses a source with a damaged entry, and the target says that nothing came', async () => {
    const first = await filledFolder()
    const database = await newDatabase()
    await move(folder(first), inDatabase(database))
    await database.sql(`UPDATE holdfast.entries SET body = body || ' ' WHERE conversation_id = 'a' AND seq = 3`)
    const target = await newFolder()
    await expect(move(inDatabase(database), folder(target))).rejects.toThrow('damaged at entry 3')
    expect((await failureOf(createSqliteStore({ dataDir: target, clock: stillClock }))).code).toBe('incomplete')
  })

  it('[CLI14] brings content that is in a bucket', async () => {
    const server = await startBucketServer()
    closing.push(() => server.remove())
    const dataDir = await newFolder()
    const opened = await createSqliteStore({ dataDir, clock: stillClock, bucket: server.options })
    await fill(opened)
    await opened.close()
    const to = await newFolder()
    const signal = new AbortController().signal
    const asked = { from: folder(dataDir), to: folder(to), described: 'a folder', now: 1_000, signal }
    await expect(moveStore(asked)).rejects.toThrow('none is set up')
    await moveStore({ ...asked, bucket: server.options })
    await server.lose()
    expect((await seenInFolder(to)).damages).toEqual([])
  })

  it('[CLI14] killed in the middle leaves a folder that says so, opens nowhere, and is filled by the next move', async () => {
    const first = await longFolder()
    const target = await newFolder()
    const state = join(target, 'holdfast.state.json')
    await killWhen(
      { from: folder(first), to: folder(target) },
      async () => existsSync(state) && readFileSync(state, 'utf8').includes('a folder that a test made'),
    )
    const refused = await failureOf(createSqliteStore({ dataDir: target, clock: stillClock }))
    expect(refused.code).toBe('incomplete')
    expect(refused.message).toContain('a move from a folder that a test made has not ended')
    await move(folder(first), folder(target))
    expect(await dumpFolder(target)).toEqual(await dumpFolder(first))
  })

  it('[CLI14] killed in the middle leaves a database that says so, opens nowhere, and is filled by the next move', async () => {
    const first = await longFolder()
    const database = await newDatabase()
    const { connectionString } = database
    await killWhen({ from: folder(first), to: inDatabase(database) }, async () => {
      const rows = await database.sql(`SELECT 1 FROM pg_tables WHERE schemaname = 'holdfast' AND tablename = 'moving'`)
      return rows.length > 0
    })
    const refused = await failureOf(createPostgresStore({ connectionString, clock: systemClock, poolSize: 2 }))
    expect(refused.code).toBe('incomplete')
    await move(folder(first), inDatabase(database))
    expect(await dumpDatabase(database)).toEqual(await dumpFolder(first))
  })
})

/** A store whose move takes long enough to be killed in its middle. */
async function longFolder(): Promise<string> {
  const dataDir = await newFolder()
  const { store, close } = await createSqliteStore({ dataDir, clock: stillClock })
  const turns = Array.from({ length: 4 }, (_, number) =>
    wholeTurn(number, { asked: 'words '.repeat(20), answered: 'more words '.repeat(40) }),
  ).flat()
  for (let number = 0; number < 300; number++) {
    const entries = [conversationCreated(OWNER), ...turns]
    await store.append({ conversationId: `long ${number}`, after: 0, entries, at: 1_000 + number })
  }
  await close()
  return dataDir
}

async function killWhen(
  places: { from: StorePlace; to: StorePlace },
  isInTheMiddle: () => Promise<boolean>,
): Promise<void> {
  const child = startChild('killed-move.ts', [JSON.stringify([places.from, places.to])])
  while (!(await isInTheMiddle())) expect(child.process.exitCode).toBeNull()
  await child.kill()
  expect(child.process.signalCode).toBe('SIGKILL')
}

/** What is in a folder's files, but for who opened the store last. */
async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const names = (await readdir(dataDir)).filter((name) => name === 'holdfast.sqlite')
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(dataDir, name))).toString('base64')] as const),
    ),
  )
}
