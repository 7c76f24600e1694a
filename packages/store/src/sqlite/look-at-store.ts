import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type IntegrityReport, type Records, StoreOpenError } from '@holdfast/conversation'
import type { BucketOptions } from '../bucket/bucket.ts'
import { storeFiles } from './files/files.ts'
import type { ReadSignatures } from './messages/operations.ts'
import type { ThreadOptions } from './messages/thread-messages.ts'
import { createRecordReader } from './sqlite-records.ts'
import { runMaintenanceThread } from './threads/run-maintenance-thread.ts'
import { startThread } from './threads/thread.ts'

/** Which store is looked at. Another process may have it open: nothing of it is changed. */
export interface StoreLook {
  readonly dataDir: string
  readonly signal: AbortSignal
  /** Where content of blobs may be; left out where only the database has any. */
  readonly bucket?: BucketOptions
}

/**
 * Writes a copy of a store to a file that does not exist yet.
 *
 * @throws {StoreOpenError} when the folder holds no store.
 * @throws {StoreWriteError} when the disk refused. Nothing is left behind.
 */
export async function backupSqliteStore({ file, ...look }: StoreLook & { readonly file: string }): Promise<void> {
  await copyTo(look, { file: resolve(file), withBucket: true })
}

/** Writes a copy of the database to a file, without what is in a bucket: to be read once, and not as a backup. */
export async function copySqliteDatabase({ file, ...look }: StoreLook & { readonly file: string }): Promise<void> {
  await copyTo(look, { file: resolve(file), withBucket: false })
}

async function copyTo(look: StoreLook, args: { readonly file: string; readonly withBucket: boolean }): Promise<void> {
  await runMaintenanceThread({ ...readingOptions(look), role: 'backup' }, { args, signal: look.signal })
}

/**
 * Reads everything once and says what is damaged. [LOG7]
 *
 * @throws {StoreOpenError} when the folder holds no store.
 */
export function checkSqliteStore(look: StoreLook): Promise<IntegrityReport> {
  return runMaintenanceThread({ ...readingOptions(look), role: 'check' }, { args: null, signal: look.signal })
}

/** The records of a store, as they are read and not written. */
export interface RecordsLook {
  readonly records: Pick<Records, 'get' | 'list' | 'changes'>
  close(): Promise<void>
}

/**
 * Opens the records of a store to be read.
 *
 * @throws {StoreOpenError} when the folder holds no store, or one that cannot be read.
 */
export async function readSqliteRecords({ dataDir }: Pick<StoreLook, 'dataDir'>): Promise<RecordsLook> {
  const options = { ...readingOptions({ dataDir }), role: 'read' as const }
  const reader = await startThread<ReadSignatures>(options, () => undefined).open()
  return { records: createRecordReader(reader), close: () => reader.close() }
}

function readingOptions({ dataDir, bucket }: Pick<StoreLook, 'dataDir' | 'bucket'>): Omit<ThreadOptions, 'role'> {
  const folder = resolve(dataDir)
  if (!existsSync(storeFiles(folder).database))
    throw new StoreOpenError(
      'missing',
      `There is no store in ${folder}. Name the folder that Holdfast was started with.`,
    )
  return { dataDir: folder, now: 0, busyTimeoutMs: 5_000, maxPages: null, bucket: bucket ?? null }
}
