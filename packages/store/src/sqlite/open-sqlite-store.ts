import { resolve } from 'node:path'
import { type Clock, type Damage, type EntryStore, type Records } from '@holdfast/conversation'
import { toDrafts } from '../shared/draft-rows.ts'
import { readRow } from '../shared/read-rows.ts'
import { type FileSystemType, fileSystemTypeOf, requireLocalFolder } from './file-system-kind.ts'
import { makeFolder } from './make-folder.ts'
import type { ReadSignatures, WriterStatistics, WriteSignatures } from './operations.ts'
import { runMaintenanceThread } from './run-maintenance-thread.ts'
import { createSqliteBlobs } from './sqlite-blobs.ts'
import { createSqliteIndexes } from './sqlite-indexes.ts'
import { createSqliteLog, type StoreThreads } from './sqlite-log.ts'
import { createSqliteRecords } from './sqlite-records.ts'
import { startThread } from './thread.ts'
import type { ThreadOptions } from './thread-messages.ts'

/** What a SQLite store needs. */
export interface SqliteStoreOptions {
  /** The folder that holds the store and nothing else. It is made when it is missing; one process owns it. */
  readonly dataDir: string
  /** The clock by which leases run out. */
  readonly clock: Clock
  /** Says of what type the file system of a folder is; the operating system by default. */
  readonly fileSystemType?: FileSystemType
  /** Is told of everything that turns out to be damaged, beside the error that its reader meets. [LOG7] */
  readonly onDamage?: (damage: Damage) => void
  /** How long a lock of another process is waited for; 5 seconds by default. */
  readonly busyTimeoutMs?: number
}

/** A store in a folder, with the records in the same database. */
export interface SqliteStore {
  readonly store: EntryStore
  readonly records: Records
  /** Finishes what was accepted, then closes both. Later calls throw. */
  close(): Promise<void>
}

/** The store with what only its tests look at. */
export interface TestedSqliteStore extends SqliteStore {
  statistics(): Promise<WriterStatistics>
  readerSettings(): Promise<Readonly<Record<string, unknown>>>
  /** Makes the database as full as if its disk were. */
  limitPages(maxPages: number): Promise<void>
}

/** Opens a store with what its tests need. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<TestedSqliteStore> {
  const { clock } = options
  const dataDir = resolve(options.dataDir)
  await makeFolder(dataDir)
  await requireLocalFolder(dataDir, options.fileSystemType ?? fileSystemTypeOf)
  const onDamage = options.onDamage ?? (() => undefined)
  const threadOptions = {
    dataDir,
    now: clock.now(),
    busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
    maxPages: null,
  }
  const threads = await startThreads(threadOptions, onDamage)
  const { writer, reader } = threads
  let closing: Promise<void> | null = null
  const close = () => {
    writer.shut()
    // The reader first, so that the writer is the last to close the database and leaves one file.
    closing ??= reader.close().then(() => writer.close())
    return closing
  }
  const store = createStore(threads, { clock, threadOptions, close })
  return {
    store,
    records: createSqliteRecords(threads),
    close,
    statistics: () => writer.call('writerStatistics', null),
    readerSettings: () => reader.call('readerSettings', null),
    limitPages: async (maxPages) => {
      await writer.call('limitPages', { maxPages })
    },
  }
}

function createStore(
  threads: StoreThreads,
  {
    clock,
    threadOptions,
    close,
  }: { clock: Clock; threadOptions: Omit<ThreadOptions, 'role'>; close: () => Promise<void> },
): EntryStore {
  const { writer, reader } = threads
  return {
    ...createSqliteLog(threads),
    ...createSqliteBlobs(threads),
    ...createSqliteIndexes(threads),

    appendDrafts: (chunks) => {
      const rows = chunks.map(({ deltas, ...chunk }) => ({ ...chunk, deltas: JSON.stringify(deltas) }))
      return writer.call('appendDrafts', { chunks: rows })
    },
    readDrafts: async (conversationId) => toDrafts(await reader.call('readDrafts', { conversationId })),

    writeSnapshots: async (conversationId, snapshots) => {
      const rows = snapshots.map(({ state, ...about }) => ({ ...about, state: JSON.stringify(state) }))
      await writer.call('writeSnapshots', { conversationId, rows })
    },
    readSnapshots: async (conversationId) => {
      const rows = await reader.call('readSnapshots', { conversationId })
      return rows.map(({ state, ...about }) => ({ ...about, state: JSON.parse(state) }))
    },

    acquireLease: ({ conversationId, holder, ttlMs }) =>
      writer.call('acquireLease', { conversationId, holder, ttlMs, now: clock.now() }),
    releaseLease: async ({ conversationId, epoch }) => {
      await writer.call('releaseLease', { conversationId, epoch })
    },
    expiredLeases: (limit) => reader.call('expiredLeases', { now: clock.now(), limit }),

    erase: async ({ conversationId, seqs, reason, at }) => {
      const rows = await writer.call('erase', { conversationId, seqs, reason, at })
      return rows.map((row) => readRow(conversationId, row))
    },
    deleteConversation: async (conversationId) => {
      await writer.call('deleteConversation', { conversationId })
    },
    check: (signal) => runMaintenanceThread({ ...threadOptions, role: 'check' }, { args: null, signal }),
    backup: async (file, signal) => {
      await runMaintenanceThread({ ...threadOptions, role: 'backup' }, { args: { file }, signal })
    },
    close,
  }
}

/** The reader opens when the writer has made and checked the database. */
async function startThreads(
  options: Omit<ThreadOptions, 'role'>,
  onDamage: (damage: Damage) => void,
): Promise<StoreThreads> {
  const loading = {
    writer: startThread<WriteSignatures>({ ...options, role: 'write' }, onDamage),
    reader: startThread<ReadSignatures>({ ...options, role: 'read' }, onDamage),
  }
  const writer = await loading.writer.open().catch(async (error: unknown) => {
    await loading.reader.dismiss()
    throw error
  })
  const reader = await loading.reader.open().catch(async (error: unknown) => {
    await writer.close()
    throw error
  })
  return { writer, reader, onDamage }
}
