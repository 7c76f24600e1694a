import { join } from 'node:path'
import { holdFile } from '@holdfast/store/sqlite'
import { CliError } from '../cli-error.ts'
import type { Config } from '../config.ts'
import { openDataFolder } from '../data-folder.ts'

/**
 * Takes the data folder for one server whose store is PostgreSQL: what it keeps there, and what it ends that an earlier one
 * left running, is of one server. That of a store in the folder has a lock of its own; null there. [SCALE37]
 *
 * @throws {CliError} `E_STORE_LOCKED` where another server has it.
 */
export async function lockDataFolder({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<ReturnType<typeof holdFile>> {
  if (databaseUrl === null) return null
  await openDataFolder(dataDir)
  const lock = holdFile(join(dataDir, 'server.lock'))
  if (lock) return lock
  throw new CliError(
    'E_STORE_LOCKED',
    1,
    `The data folder ${dataDir} is in use by another server. Servers of one database have a data folder each: name one with --data-dir.`,
  )
}
