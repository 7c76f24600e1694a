import { mkdir } from 'node:fs/promises'
import { CliError } from './cli-error.ts'

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
