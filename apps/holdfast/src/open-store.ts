import { join } from 'node:path'
import type { Clock, Damage, EntryStore, Records } from '@holdfast/conversation'
import { createSqliteStore } from '@holdfast/store/sqlite'
import type { Config } from './config.ts'

/** An open store, and whether other processes work on it too. */
export interface OpenStore {
  readonly store: EntryStore
  readonly records: Records
  /** Others may hold leases, withdraw sessions and change providers. */
  readonly isShared: boolean
  close(): Promise<void>
}

/** The most connections to PostgreSQL that one process has. */
const POOL_SIZE = 10

/**
 * Opens the database that HOLDFAST_DATABASE_URL names, or the one in the data folder.
 *
 * @throws {StoreOpenError} when it cannot be opened.
 */
export async function openStore(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { clock, onDamage }: { readonly clock: Clock; readonly onDamage: (damage: Damage) => void },
): Promise<OpenStore> {
  if (databaseUrl === null) {
    return { ...(await createSqliteStore({ dataDir: join(dataDir, 'store'), clock, onDamage })), isShared: false }
  }
  const { createPostgresStore } = await import('@holdfast/store/postgres')
  const opened = await createPostgresStore({ connectionString: databaseUrl, clock, poolSize: POOL_SIZE })
  return { ...opened, isShared: true }
}
