import { join } from 'node:path'

/** The files of a store in its folder. */
export interface StoreFiles {
  readonly dataDir: string
  /** The database. SQLite keeps `-wal` and `-shm` files beside it. */
  readonly database: string
  readonly wal: string
  readonly sharedMemory: string
  /** Locked by the process that has the store open, for as long as it lives. */
  readonly lock: string
  /** Who that is, and what must be in the folder. */
  readonly state: string
  /** A checked copy that is about to take the database's place. */
  readonly restored: string
}

/** Names the files of a store. */
export function storeFiles(dataDir: string): StoreFiles {
  const database = join(dataDir, 'holdfast.sqlite')
  return {
    dataDir,
    database,
    wal: `${database}-wal`,
    sharedMemory: `${database}-shm`,
    lock: join(dataDir, 'holdfast.lock'),
    state: join(dataDir, 'holdfast.state.json'),
    restored: `${database}.restored`,
  }
}
