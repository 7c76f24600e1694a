import { mkdir } from 'node:fs/promises'
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
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    throw new CliError(
      'E_DATA_FOLDER',
      1,
      `The data folder ${dataDir} cannot be made: ${cause.message}. Choose another with --data-dir.`,
      { cause },
    )
  }
}
