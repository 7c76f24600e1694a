import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError } from './cli-error.ts'

/** What a file system says of a folder that cannot be written. */
const UNWRITABLE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR'])

/** What a failure of a file means to a person; null for one that is not of a file. */
export function toFolderError(error: unknown): CliError | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null
  if (!UNWRITABLE.has(error.code) || error.syscall === 'listen') return null
  return new CliError(
    'E_DATA_FOLDER',
    1,
    `The data folder cannot be written: ${error.message}. Free some space or make it writable, or choose another with --data-dir.`,
    { cause: error },
  )
}

/**
 * Makes the data folder when it is not there; only its user may look into it.
 *
 * @throws {CliError} when it cannot be made.
 */
export async function openDataFolder(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    throw unusable(dataDir, `cannot be made: ${cause.message}`, cause)
  }
}

/**
 * Refuses what can never be a data folder: a file, or what lies under one.
 *
 * @throws {CliError} with 2.
 */
export function requireFolderName(dataDir: string): void {
  const found = firstThere(dataDir)
  if (statSync(found).isDirectory()) return
  throw unusable(dataDir, found === dataDir ? 'is a file' : `cannot be made: ${found} is a file`, null)
}

/** A folder at a time: of a file system that makes none, such as /proc, `recursive` asks again without end. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
  }
}

function firstThere(path: string): string {
  return existsSync(path) ? path : firstThere(dirname(path))
}

function unusable(dataDir: string, why: string, cause: Error | null): CliError {
  const remedy = 'Choose another with --data-dir.'
  return new CliError('E_DATA_FOLDER', 2, `The data folder ${dataDir} ${why}. ${remedy}`, { cause })
}
