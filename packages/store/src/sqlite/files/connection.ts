import { existsSync } from 'node:fs'
import { StoreOpenError } from '@holdfast/conversation/stored'
import Database from 'better-sqlite3'
import type { StoreFiles } from './files.ts'
import { MIGRATIONS, userVersion } from './migrations.ts'
import { refuseNewer, refuseNewerFile } from './newer-store.ts'

/** How a connection behaves where a caller may want it otherwise. */
export interface ConnectionOptions {
  /** How long a lock of another process is waited for. */
  readonly busyTimeoutMs: number
  /** The most pages the database may have, for tests of a full disk; null for no limit. */
  readonly maxPages: number | null
}

/** What a connection sets, and what must read back. FULL is what makes a commit durable in write-ahead mode. [LOG3] */
const DURABLE = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['secure_delete', 'ON', 1],
  // On macOS a sync reaches the platter only so.
  ['fullfsync', 'ON', 1],
  ['checkpoint_fullfsync', 'ON', 1],
] as const

/** What a connection sets for speed and care; nothing depends on it. */
const TUNED = [
  'cell_size_check = ON',
  'trusted_schema = OFF',
  // Mapped memory turns a truncated file into a crash of the process.
  'mmap_size = 0',
  'temp_store = MEMORY',
  // Kibibytes, as a negative number; the operating system caches the file as well.
  'cache_size = -8192',
  // `WriteAhead` takes its pages in, near 16 MiB of them; the file is cut back to 64 MiB after a burst.
  'wal_autocheckpoint = 0',
  'journal_size_limit = 67108864',
] as const

/**
 * Opens the connection that writes.
 *
 * @throws {StoreOpenError} when a setting on which durability rests does not read back.
 */
export function openForWriting(files: StoreFiles, options: ConnectionOptions): Database.Database {
  const database = new Database(files.database, { fileMustExist: true, timeout: options.busyTimeoutMs })
  try {
    for (const [name, value] of DURABLE) database.pragma(`${name} = ${value}`)
    tune(database)
    if (options.maxPages !== null) database.pragma(`max_page_count = ${options.maxPages}`)
    requireDurable(database, files)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Opens a connection that only reads.
 *
 * @throws {StoreOpenError} for a store of a newer Holdfast, of which nothing can be said. [LOG6]
 */
export function openForReading(files: StoreFiles, options: ConnectionOptions): Database.Database {
  const newestVersion = MIGRATIONS.length
  if (existsSync(files.database)) refuseNewerFile(files.database, newestVersion)
  const database = new Database(files.database, { readonly: true, timeout: options.busyTimeoutMs })
  try {
    for (const [name, value] of DURABLE) if (name !== 'journal_mode') database.pragma(`${name} = ${value}`)
    tune(database)
    database.pragma('query_only = ON')
    requireDurable(database, files)
    refuseNewer(files.database, { version: userVersion(database), newestVersion })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The settings on which durability rests, as the connection has them now. */
export function durableSettings(database: Database.Database): Readonly<Record<string, unknown>> {
  return Object.fromEntries(DURABLE.map(([name]) => [name, database.pragma(name, { simple: true })]))
}

function tune(database: Database.Database): void {
  for (const setting of TUNED) database.pragma(setting)
}

function requireDurable(database: Database.Database, files: StoreFiles): void {
  const settings = durableSettings(database)
  for (const [name, , expected] of DURABLE) {
    if (settings[name] !== expected) {
      throw new StoreOpenError(
        'not-writable',
        `${files.database} cannot keep its promises here: ${name} is ${String(settings[name])}, not ${expected}. Move the data folder to a local disk.`,
      )
    }
  }
}
