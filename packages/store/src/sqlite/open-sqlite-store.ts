import { resolve } from 'node:path'
import type { Clock, Damage, EntryStore, Records } from '@holdfast/conversation'
import { type BucketOptions, createBucket } from '../bucket/bucket.ts'
import { composeStore } from './compose-store.ts'
import { type FileSystemType, fileSystemTypeOf, requireLocalFolder } from './files/file-system-kind.ts'
import { makeFolder } from './files/make-folder.ts'
import type { ReadSignatures, WriterStatistics, WriteSignatures } from './messages/operations.ts'
import type { ThreadOptions } from './messages/thread-messages.ts'
import { createSqliteRecords } from './sqlite-records.ts'
import { runMaintenanceThread } from './threads/run-maintenance-thread.ts'
import { startThread, type Thread } from './threads/thread.ts'

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
  /** Where new content of blobs is kept; the database where it is left out. [LOG32] */
  readonly bucket?: BucketOptions
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
  const bucket = options.bucket ?? null
  const { writer, reader } = await startThreads(threadOptions, onDamage)
  const threads = { writer, reader, onDamage }
  let closing: Promise<void> | null = null
  const close = () => {
    writer.shut()
    // The reader first, so that the writer is the last to close the database and leaves one file.
    closing ??= reader.close().then(() => writer.close())
    return closing
  }
  const store = composeStore(threads, {
    clock,
    bucket: bucket && createBucket(bucket),
    check: (signal) => runMaintenanceThread({ ...threadOptions, bucket, role: 'check' }, { args: null, signal }),
    backup: async (file, signal) => {
      const args = { file, withBucket: true }
      await runMaintenanceThread({ ...threadOptions, bucket, role: 'backup' }, { args, signal })
    },
    close,
  })
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

/** The reader opens when the writer has made and checked the database. */
async function startThreads(
  options: Omit<ThreadOptions, 'role'>,
  onDamage: (damage: Damage) => void,
): Promise<{ readonly writer: Thread<WriteSignatures>; readonly reader: Thread<ReadSignatures> }> {
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
  return { writer, reader }
}
