import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type RecordKind, StoreOpenError, StoreWriteError } from '@holdfast/conversation'
import {
  conversationCreated,
  fileSent,
  inputAdmitted,
  titleChanged,
  usageRecorded,
} from '@holdfast/conversation/testing'
import { type PostgresStore, restorePostgresStore } from '@holdfast/store/postgres'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { MIGRATIONS } from '../src/postgres/connection/schema.ts'
import { BACKUP_TABLES } from '../src/postgres/maintenance/backup-format.ts'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { openOn, useNewFiles } from './support/postgres-store.ts'

const note: RecordKind<string> = { kind: 'note', schema: z.string() }
const newFile = useNewFiles()

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function signal(): AbortSignal {
  return AbortSignal.timeout(30_000)
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  return database
}

async function opened(database: TestDatabase): Promise<PostgresStore> {
  const store = await openOn(database)
  closing.push(store.close)
  return store
}

/** A store with something in every table. */
async function fullStore(): Promise<{ database: TestDatabase; full: PostgresStore }> {
  const database = await newDatabase()
  const full = await opened(database)
  const { store, records } = full
  const put = (uploadId: string, content: AsyncIterable<Uint8Array>) =>
    store.putBlob({ uploadId, ownerId: 'user_1', conversationId: null, mediaType: 'text/plain', at: 1, content })
  const blob = await put('upload_1', bytes(600_000))
  await put('upload_2', bytes(7)).catch(() => {})
  const text = `${'many words '.repeat(400)}\u0000 \\ ' " \ud800 漢字`
  const entries = [
    conversationCreated('user_1'),
    fileSent('run_1', 'upload_1', blob),
    titleChanged('A title', 'auto'),
    usageRecorded('run_1', 'step_1', { input: 1, output: 1 }),
    {
      type: 'checkpoint-made' as const,
      actor: { type: 'engine' as const },
      source: 'auto' as const,
      summary: text,
      coversFromSeq: 1,
      coversToSeq: 2,
      keptFromSeq: 3,
      verbatimSeqs: [],
    },
  ]
  const command = { commandId: 'command_1', fingerprint: 'f' }
  await store.append({ conversationId: 'talk', after: 0, entries, at: 1_000, command })
  const lease = await store.acquireLease({ conversationId: 'talk', holder: 'a', ttlMs: 60_000 })
  const deltas = [{ stepId: 'step_1', block: 0, offset: 0, text: 'so far' }]
  await store.appendDrafts([
    { conversationId: 'talk', runId: 'run_1', stepId: 'step_1', startedSeq: 99, epoch: lease?.epoch ?? 0, deltas },
  ])
  await store.writeSnapshots('talk', [{ projection: 'p', version: 1, cursor: 3, state: { text } }])
  for (const id of ['a', 'b']) await records.put(note, { ownerId: 'user_1', id, revision: 0, value: text, at: 1 })
  await records.remove(note, { ownerId: 'user_1', id: 'a', revision: 1 })
  await database.sql('INSERT INTO holdfast.incoming_contents (started_at) VALUES (5)')
  return { database, full }
}

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from({ length: count }, (_, index) => (index * 7) % 256)
}

/** Every row of every table, as text. */
async function contents({ sql }: TestDatabase): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { name, order } of BACKUP_TABLES) {
    const rows = await sql<{ row: string }>(
      `SELECT t::text AS row FROM holdfast.${name} t ORDER BY ${order.join(', ')}`,
    )
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

async function refusal(from: string, database: TestDatabase): Promise<StoreOpenError> {
  const outcome = await restorePostgresStore({ from, connectionString: database.connectionString }).then(
    () => new Error('It was expected to be refused, and was not'),
    (error: unknown) => error,
  )
  if (outcome instanceof StoreOpenError) return outcome
  throw outcome
}

function schemasOf({ sql }: TestDatabase) {
  return sql(`SELECT nspname FROM pg_namespace WHERE nspname = 'holdfast'`)
}

describe('the backup of a PostgreSQL store', () => {
  it('[LOG11] knows every table and column of the schema', async () => {
    const database = await newDatabase()
    await opened(database)
    const rows = await database.sql<{ table: string; columns: string[] }>(
      `SELECT table_name::text AS table, array_agg(column_name || ' ' || data_type ORDER BY ordinal_position)::text[] AS columns
      FROM information_schema.columns WHERE table_schema = 'holdfast'
        AND table_name NOT IN ('meta', 'replicas', 'dropped_objects') AND column_name <> 'object_id' GROUP BY 1 ORDER BY 1`,
    )
    const known = BACKUP_TABLES.map(({ name, columns }) => ({
      table: name,
      columns: Object.entries(columns).map(([column, type]) => `${column} ${type}`),
    }))
    expect(known.sort((a, b) => (a.table < b.table ? -1 : 1))).toEqual(rows)
  })

  it('[LOG11] restores every row of every table, and the restored store goes on', async () => {
    const { database, full } = await fullStore()
    const file = await newFile()
    await full.store.backup(file, signal())
    const before = await contents(database)
    for (const rows of Object.values(before)) expect(rows.length).toBeGreaterThan(0)
    const copy = await newDatabase()
    await restorePostgresStore({ from: file, connectionString: copy.connectionString })
    expect(await contents(copy)).toEqual(before)

    const { store, records } = await opened(copy)
    expect((await store.check(signal())).damages).toEqual([])
    const entries = [usageRecorded('run_1', 'step_2', { input: 2, output: 2 })]
    await store.append({ conversationId: 'talk', after: 5, entries, at: 2_000, epoch: 1 })
    const deltas = [{ stepId: 'step_2', block: 0, offset: 0, text: 'more' }]
    expect(
      await store.appendDrafts([
        { conversationId: 'talk', runId: 'run_1', stepId: 'step_2', startedSeq: 99, epoch: 1, deltas },
      ]),
    ).toEqual([])
    await store.putBlob({
      uploadId: 'upload_3',
      ownerId: 'user_1',
      conversationId: null,
      mediaType: 'x/y',
      at: 1,
      content: bytes(700_000),
    })
    expect((await records.put(note, { ownerId: 'user_1', id: 'c', revision: 0, value: 'new', at: 1 })).change).toBe(4)
    expect(await store.acquireLease({ conversationId: 'talk', holder: 'b', ttlMs: 1 })).toBeNull()
    expect((await store.check(signal())).damages).toEqual([])
  })

  it('[SEC4] is a file that only its owner can read', async () => {
    const { full } = await fullStore()
    const file = await newFile()
    await full.store.backup(file, signal())
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('[LOG8] is not restored over a store, which stays as it is', async () => {
    const { database, full } = await fullStore()
    const file = await newFile()
    await full.store.backup(file, signal())
    const before = await contents(database)
    expect((await refusal(file, database)).message).toContain('already holds a store')
    expect(await contents(database)).toEqual(before)
  })

  it('[LOG7] is refused whole when any of it is missing or was changed', async () => {
    const { full } = await fullStore()
    const file = await newFile()
    await full.store.backup(file, signal())
    const packed = await readFile(file)
    const text = gunzipSync(packed).toString('utf8')
    const lines = text.trimEnd().split('\n')
    const flipped = Buffer.from(packed)
    flipped[Math.floor(flipped.length / 2)] = (flipped[Math.floor(flipped.length / 2)] ?? 0) ^ 0x10
    const versions: Record<string, Uint8Array> = {
      'no last line': gzipSync(`${lines.slice(0, -1).join('\n')}\n`),
      'one row less': gzipSync(`${[...lines.slice(0, 3), ...lines.slice(4)].join('\n')}\n`),
      'a changed row': gzipSync(text.replace('A title', 'B title')),
      'a row twice': gzipSync(
        text.replace('["drafts"', `${lines.find((line) => line.startsWith('["drafts"'))}\n["drafts"`),
      ),
      'a line after the end': gzipSync(`${text}["drafts"]\n`),
      'a value of another type': gzipSync(text.replace(/\["drafts","talk","\d+"/, '["drafts","talk","x"')),
      'a line that is no JSON': gzipSync(text.replace('["drafts"', '["drafts')),
      'a flipped bit': flipped,
      'nothing at all': gzipSync(''),
    }
    for (const share of [0.01, 0.3, 0.6, 0.9, 0.999]) {
      versions[`the first ${share}`] = packed.subarray(0, Math.floor(packed.length * share))
    }
    const database = await newDatabase()
    for (const [what, content] of Object.entries(versions)) {
      const bad = await newFile()
      await writeFile(bad, content)
      const { code, message } = await refusal(bad, database)
      expect({ what, code }).toEqual({ what, code: 'damaged' })
      expect(message).toContain(bad)
      expect(await schemasOf(database)).toEqual([])
    }
    await restorePostgresStore({ from: file, connectionString: database.connectionString })
  })

  it('[LOG6] is refused when it is none, or of another version', async () => {
    const database = await newDatabase()
    const header = { format: 'holdfast-postgres-backup', formatVersion: 1, schemaVersion: MIGRATIONS.length }
    const versions = [
      { header: { ...header, format: 'something else' }, code: 'not-a-store' },
      { header: { ...header, schemaVersion: MIGRATIONS.length + 1 }, code: 'newer-version' },
      { header: { ...header, formatVersion: 2 }, code: 'newer-version' },
    ]
    for (const { header: first, code } of versions) {
      const file = await newFile()
      await writeFile(file, gzipSync(`${JSON.stringify(first)}\n`))
      expect((await refusal(file, database)).code).toBe(code)
    }
    expect((await refusal('/no/such/file', database)).code).toBe('missing')
    expect(await schemasOf(database)).toEqual([])
  })

  it('[LOG8] leaves no file when it is stopped, when the database is lost, or when it cannot be written', async () => {
    const { database, full } = await fullStore()
    const { store } = full
    const rows = Array.from({ length: 1_000 }, (_, index) => inputAdmitted(`input ${index}`, `${index}`.repeat(500)))
    await store.append({ conversationId: 'talk', after: 5, entries: rows, at: 2_000 })
    const file = await newFile()
    const stop = new AbortController()
    const stopped = expect(store.backup(file, stop.signal)).rejects.toThrow()
    const folder = dirname(file)
    while ((await readdir(folder)).length === 0);
    stop.abort()
    await stopped
    const lost = expect(store.backup(file, signal())).rejects.toMatchObject({ code: 'unreachable' })
    while ((await endBackup(database)) === 0);
    await lost
    const place = join(folder, 'a folder')
    await mkdir(place)
    await expect(store.backup(place, signal())).rejects.toBeInstanceOf(StoreWriteError)
    await expect(store.backup(join(folder, 'none', 'b'), signal())).rejects.toBeInstanceOf(StoreWriteError)
    expect(await readdir(folder)).toEqual(['a folder'])
  })
})

async function endBackup({ name, sql }: TestDatabase): Promise<number> {
  const ended = await sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'holdfast backup'`,
    [name],
  )
  return ended.length
}
