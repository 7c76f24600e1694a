import { stat } from 'node:fs/promises'
import { storeFiles } from './files.ts'

/** What the files of a store take, in bytes. */
export interface SqliteStoreSize {
  readonly sizeBytes: number
  /** What waits in the write-ahead file; 0 where there is none. */
  readonly writeAheadBytes: number
}

/** Says how large the files of a store are, also while it is open. */
export async function sqliteStoreSize(dataDir: string): Promise<SqliteStoreSize> {
  const { database, wal } = storeFiles(dataDir)
  return { sizeBytes: (await stat(database)).size, writeAheadBytes: await sizeOrNone(wal) }
}

async function sizeOrNone(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
