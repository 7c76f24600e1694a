import { closeSync, openSync, readSync } from 'node:fs'
import { StoreOpenError } from '@holdfast/conversation/stored'
import { APPLICATION_ID } from './migrations.ts'

/** Where the header of a database says what it is: https://www.sqlite.org/fileformat.html#the_database_header */
const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
const VERSION_AT = 60
const APPLICATION_AT = 68

/** Whether a file begins as a database does. */
export function beginsAsDatabase(file: string): boolean {
  return headerOf(file).toString('latin1', 0, MAGIC.length) === MAGIC
}

/**
 * Refuses a database that a newer Holdfast wrote, by the header of its file: who opens a database to look leaves files beside
 * it. What a write-ahead file may say beyond that is seen when it is opened. [LOG6]
 *
 * @throws {StoreOpenError}
 */
export function refuseNewerFile(file: string, newestVersion: number): void {
  const header = headerOf(file)
  if (header.readUInt32BE(APPLICATION_AT) === APPLICATION_ID)
    refuseNewer(file, { version: header.readUInt32BE(VERSION_AT), newestVersion })
}

/** @throws {StoreOpenError} for a version that this Holdfast does not know. */
export function refuseNewer(
  file: string,
  { version, newestVersion }: { readonly version: number; readonly newestVersion: number },
): void {
  if (version <= newestVersion) return
  throw new StoreOpenError(
    'newer-version',
    `${file} is of version ${version}; this Holdfast knows ${newestVersion}. Nothing was changed. Install a newer Holdfast.`,
  )
}

function headerOf(file: string): Buffer {
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(handle, header)
    return header
  } finally {
    closeSync(handle)
  }
}
