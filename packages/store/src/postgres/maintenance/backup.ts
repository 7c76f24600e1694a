import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { StoreWriteError } from '@holdfast/conversation'
import pg from 'pg'
import type { Bucket } from '../../bucket/bucket.ts'
import { noBucket } from '../../bucket/contents.ts'
import { DatabaseRefusal, toStoreError } from '../connection/database-failures.ts'
import { MIGRATIONS } from '../connection/schema.ts'
import {
  BACKUP_FORMAT,
  BACKUP_TABLES,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupRow,
  type BackupTable,
  type BackupTrailer,
  type ColumnType,
} from './backup-format.ts'

/** How long one batch of rows may take; the transaction as a whole takes as long as the database is large. */
const BATCH_LIMIT_MS = 5 * 60_000
const CONNECT_LIMIT_MS = 10_000

/** Which database to copy, with its name in messages. */
export interface BackupSource {
  readonly connectionString: string
  readonly server: string
  /** Where content of blobs may be; null where only the database has any. */
  readonly bucket: Bucket | null
}

/** Where to copy it to, and how to stop. */
export interface BackupTarget {
  /** A file that does not exist. */
  readonly file: string
  readonly signal: AbortSignal
}

/**
 * Copies every table, as it was at one moment, into one file of gzipped JSON lines: a header, the rows, a
 * trailer. Others read and write meanwhile; the copy has a connection of its own.
 *
 * @throws {StoreWriteError} when the file exists or the database or the disk refused. No file is left.
 */
export async function backUp(
  { connectionString, server, bucket }: BackupSource,
  { file, signal }: BackupTarget,
): Promise<void> {
  signal.throwIfAborted()
  await createFile(file)
  try {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      application_name: 'holdfast backup',
      keepAlive: true,
    })
    // A connection that ends fails the query that is under way; the event says nothing more.
    client.on('error', () => {})
    try {
      await client.connect()
      // `flush` syncs the file before it is closed.
      const output = createWriteStream(file, { flags: 'r+', flush: true })
      await pipeline(backupLines(client, bucket), createGzip(), output, { signal })
    } finally {
      await client.end()
    }
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(file, { force: true })
    throw toBackupError(error, { file, server })
  }
}

/** Readable by its owner alone: it holds everything that everybody wrote. */
async function createFile(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.close()
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const what = exists
      ? 'exists already; name a file that does not'
      : `cannot be made (${error instanceof Error ? error.message : error})`
    throw new StoreWriteError('not-writable', `The backup file ${file} ${what}. Nothing was written`, { cause: error })
  }
}

/** A new file is safe once its folder's list of names is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const NEWER = 'has the schema of a newer Holdfast; back it up with that version. Nothing was written'

async function* backupLines(client: pg.Client, bucket: Bucket | null): AsyncGenerator<string> {
  const sha256 = createHash('sha256')
  const line = (value: BackupHeader | BackupRow) => {
    const text = `${JSON.stringify(value)}\n`
    sha256.update(text)
    return text
  }
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(
    `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', '0', true)`,
    [String(BATCH_LIMIT_MS)],
  )
  const { rows } = await client.query<{ version: number }>('SELECT schema_version AS version FROM holdfast.meta')
  // What a later version has added would be missing in it.
  if (rows[0]?.version !== MIGRATIONS.length) throw new DatabaseRefusal('not-writable', NEWER)
  yield line({ format: BACKUP_FORMAT, formatVersion: BACKUP_VERSION, schemaVersion: MIGRATIONS.length })
  const rowCounts: Record<string, number> = {}
  for (const table of BACKUP_TABLES) {
    let count = 0
    for await (const rows of tableRows(client, table)) {
      count += rows.length
      yield rows.map((row) => line([table.name, ...row])).join('')
    }
    rowCounts[table.name] = count
  }
  let count = rowCounts[CONTENT_PIECES] ?? 0
  for await (const row of bucketRows(client, bucket)) {
    count += 1
    yield line([CONTENT_PIECES, ...row])
  }
  rowCounts[CONTENT_PIECES] = count
  await client.query('COMMIT')
  const trailer: BackupTrailer = { rowCounts, sha256: sha256.digest('hex') }
  yield `${JSON.stringify(trailer)}\n`
}

/**
 * What is in the bucket, as rows of the database's own table: a backup needs no bucket to be read. Of content that is damaged
 * there, what stands before the damage.
 */
async function* bucketRows(client: pg.Client, bucket: Bucket | null): AsyncGenerator<readonly string[]> {
  await client.query(`DECLARE objects NO SCROLL CURSOR FOR ${IN_BUCKET}`)
  while (true) {
    const { rows } = await client.query<InBucket>('FETCH 1 FROM objects')
    const [content] = rows
    if (!content) break
    if (!bucket) throw noBucket(content.hash)
    let foundBytes = 0
    for (let piece = 0; foundBytes < Number(content.sizeBytes); piece++) {
      const bytes = await bucket.read({ objectId: content.objectId, piece })
      if (bytes === null) break
      foundBytes += bytes.length
      yield [content.contentId, String(piece), Buffer.from(bytes).toString('base64')]
    }
  }
  await client.query('CLOSE objects')
}

const CONTENT_PIECES = 'content_pieces'

const IN_BUCKET = `
  SELECT content_id AS "contentId", object_id AS "objectId", hash, size_bytes AS "sizeBytes"
  FROM holdfast.blobs WHERE object_id IS NOT NULL ORDER BY content_id`

/** The driver gives numbers of eight bytes as texts here. */
interface InBucket {
  readonly contentId: string
  readonly objectId: string
  readonly hash: string
  readonly sizeBytes: string
}

async function* tableRows(
  client: pg.Client,
  table: BackupTable,
): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  const columns = Object.entries(table.columns).map(([name, type]) => asText(name, type))
  await client.query(
    `DECLARE copy NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM holdfast.${table.name} ORDER BY ${table.order.join(', ')}`,
  )
  while (true) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${table.batchRows} FROM copy`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    yield rows
  }
  await client.query('CLOSE copy')
}

function asText(column: string, type: ColumnType): string {
  return type === 'bytea' ? `encode(${column}, 'base64')` : `${column}::text`
}

function toBackupError(error: unknown, { file, server }: { file: string; server: string }): unknown {
  if (error instanceof Error && 'code' in error && 'syscall' in error && 'path' in error) {
    const code = error.code === 'ENOSPC' ? 'disk-full' : 'disk-error'
    return new StoreWriteError(
      code,
      `The backup file ${file} cannot be written (${error.message}); nothing of it is left`,
      { cause: error },
    )
  }
  return toStoreError(error, { kind: 'write', server })
}
