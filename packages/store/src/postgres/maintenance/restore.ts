import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { StoreOpenError } from '@holdfast/conversation'
import pg from 'pg'
import { createSchema, type SchemaClient } from '../connection/open-schema.ts'
import { MIGRATIONS } from '../connection/schema.ts'
import { serverName } from '../connection/server-name.ts'
import {
  BACKUP_FORMAT,
  BACKUP_TABLES,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupRow,
  type BackupTable,
  type BackupTrailer,
} from './backup-format.ts'

/** What to restore, and where. */
export interface PostgresRestore {
  /** A file that `backup` of a PostgreSQL store wrote. */
  readonly from: string
  /** A database that holds no store. */
  readonly connectionString: string
}

/** New rows get numbers that no restored row has. A content keeps its number when its upload has ended. */
const GO_ON_COUNTING = [
  `SELECT setval(pg_get_serial_sequence('holdfast.drafts', 'draft_number'),
    coalesce((SELECT max(draft_number) FROM holdfast.drafts), 0) + 1, false)`,
  `SELECT setval(pg_get_serial_sequence('holdfast.usage_records', 'usage_number'),
    coalesce((SELECT max(usage_number) FROM holdfast.usage_records), 0) + 1, false)`,
  `SELECT setval(pg_get_serial_sequence('holdfast.incoming_contents', 'content_id'), 1 + greatest(0,
    (SELECT max(content_id) FROM holdfast.incoming_contents),
    (SELECT max(content_id) FROM holdfast.content_pieces),
    (SELECT max(content_id) FROM holdfast.blobs)), false)`,
]

/**
 * Fills an empty database from a backup, in one transaction: all of it or nothing.
 *
 * @throws {StoreOpenError} when the file is not a whole backup of this version, or the database holds a
 *   store already. Nothing was changed.
 */
export async function restorePostgresStore({ from, connectionString }: PostgresRestore): Promise<void> {
  const server = serverName(connectionString)
  await createSchema({ connectionString, server, migrations: MIGRATIONS }, (client) => fill(client, from))
}

async function fill(client: SchemaClient, file: string): Promise<void> {
  const restored = createRestore(client, file)
  try {
    await pipeline(createReadStream(file), createGunzip(), async (content: AsyncIterable<Buffer>) => {
      for await (const line of linesOf(content)) await restored.take(line)
    })
  } catch (error) {
    throw toFileError(error, file)
  }
  restored.finish()
  for (const statement of GO_ON_COUNTING) await client.query(statement)
}

/** What has been read of a backup so far. */
interface Restore {
  take(line: string): Promise<void>
  /** @throws {StoreOpenError} when the backup did not end as backups do. */
  finish(): void
}

function createRestore(client: SchemaClient, file: string): Restore {
  const sha256 = createHash('sha256')
  const rowCounts: Record<string, number> = Object.fromEntries(BACKUP_TABLES.map(({ name }) => [name, 0]))
  let lineCount = 0
  let batch: { readonly table: BackupTable; readonly rows: (readonly (string | null)[])[] } | null = null
  let isWhole = false

  const write = async () => {
    try {
      if (batch) await insertRows(client, batch)
    } catch (error) {
      throw isRefusedData(error)
        ? damaged(file, `a row before line ${lineCount} cannot be one of a store`, error)
        : error
    }
    batch = null
  }
  const takeRow = async (line: string) => {
    const row = jsonOf(line)
    if (!isRow(row)) throw damaged(file, `line ${lineCount} is not one of a backup`)
    const [name, ...values] = row
    const table = BACKUP_TABLES.find((known) => known.name === name)
    if (!table || values.length !== Object.keys(table.columns).length)
      throw damaged(file, `line ${lineCount} is of no known table`)
    if (batch && (batch.table !== table || batch.rows.length >= table.batchRows)) await write()
    batch ??= { table, rows: [] }
    batch.rows.push(values)
    rowCounts[name] = (rowCounts[name] ?? 0) + 1
    sha256.update(`${line}\n`)
  }
  const takeTrailer = async (line: string) => {
    const trailer = jsonOf(line)
    await write()
    isWhole =
      isTrailer(trailer) &&
      trailer.sha256 === sha256.digest('hex') &&
      Object.entries(rowCounts).every(([name, count]) => trailer.rowCounts[name] === count)
    if (!isWhole) throw damaged(file, 'its rows are not those that its last line tells of')
  }

  return {
    take: async (line) => {
      lineCount += 1
      if (isWhole) throw damaged(file, 'something follows its last line')
      if (lineCount === 1) {
        checkHeader(line, file)
        sha256.update(`${line}\n`)
      } else if (line.startsWith('[')) await takeRow(line)
      else await takeTrailer(line)
    },
    finish: () => {
      if (!isWhole) throw damaged(file, 'it ends early')
    },
  }
}

function checkHeader(line: string, file: string): void {
  const header = jsonOf(line)
  if (!isHeader(header)) {
    throw new StoreOpenError('not-a-store', `${file} is not a backup of a PostgreSQL store. Nothing was changed`)
  }
  const { formatVersion, schemaVersion } = header
  if (formatVersion !== BACKUP_VERSION || schemaVersion !== MIGRATIONS.length) {
    throw new StoreOpenError(
      'newer-version',
      `${file} is a backup of schema version ${schemaVersion} in format ${formatVersion}; this Holdfast restores ` +
        `${MIGRATIONS.length} in format ${BACKUP_VERSION}. Restore it with the version that wrote it. Nothing was changed`,
    )
  }
}

/** Values that are none of their type, and rows that stand twice. https://www.postgresql.org/docs/15/errcodes-appendix.html */
function isRefusedData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['22', '23'].includes(error.code?.slice(0, 2) ?? '')
}

async function insertRows(
  client: SchemaClient,
  { table, rows }: { table: BackupTable; rows: readonly (readonly (string | null)[])[] },
): Promise<void> {
  const names = Object.keys(table.columns)
  const values = Object.entries(table.columns).map(([name, type]) =>
    type === 'bytea' ? `decode(${name}, 'base64')` : `${name}::${type}`,
  )
  const lists = names.map((_, index) => `$${index + 1}::text[]`)
  await client.query(
    `INSERT INTO holdfast.${table.name} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${values.join(', ')} FROM unnest(${lists.join(', ')}) AS row (${names.join(', ')})`,
    names.map((_, index) => rows.map((row) => row[index])),
  )
}

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = []
  for await (const chunk of content) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, end)]).toString('utf8')
      held = []
      from = end + 1
    }
    if (from < chunk.length) held.push(chunk.subarray(from))
  }
  if (held.length > 0) yield Buffer.concat(held).toString('utf8')
}

function isHeader(value: unknown): value is BackupHeader {
  return (
    isObject(value) &&
    value['format'] === BACKUP_FORMAT &&
    Number.isInteger(value['formatVersion']) &&
    Number.isInteger(value['schemaVersion'])
  )
}

function isRow(value: unknown): value is BackupRow {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    value.every((item) => item === null || typeof item === 'string')
  )
}

function isTrailer(value: unknown): value is BackupTrailer {
  return isObject(value) && typeof value['sha256'] === 'string' && isObject(value['rowCounts'])
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function damaged(file: string, what: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError('damaged', `The backup ${file} is damaged: ${what}. Nothing was changed`, { cause })
}

/** What zlib says of a file that does not begin as a packed one. It has no code of its own. */
const NOT_PACKED = 'incorrect header check'

/** Errors of the file's stream; those of the database go on as they are. */
function toFileError(error: unknown, file: string): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  if (error.code === 'ENOENT')
    return new StoreOpenError('missing', `The backup ${file} does not exist`, { cause: error })
  if (error.message === NOT_PACKED)
    return new StoreOpenError('not-a-store', `${file} is not a backup of a PostgreSQL store. Nothing was changed`, {
      cause: error,
    })
  if (error.code.startsWith('Z_')) return damaged(file, `it cannot be unpacked (${error.message})`, error)
  return error
}
