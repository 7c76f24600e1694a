import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStore } from '@holdfast/conversation/testing'
import { createPostgresStore, type PostgresStore, restorePostgresStore } from '@holdfast/store/postgres'
import { afterAll } from 'vitest'
import { keepEmptied } from './emptied-databases.ts'
import { createTestDatabase, type TestDatabase } from './postgres-server.ts'
import { systemClock } from './system-clock.ts'

/** Opens the store of a test database, with as many connections as the suites have racers. */
export function openOn({ connectionString }: Pick<TestDatabase, 'connectionString'>): Promise<PostgresStore> {
  return createPostgresStore({ connectionString, clock: systemClock, poolSize: 8 })
}

/** Those of this file. */
export const emptied = keepEmptied(createTestDatabase)

/** A new store, as the suites want it. */
export async function openStore(): Promise<OpenStore> {
  const database = await emptied.take()
  return opened(database, await openOn(database))
}

/** A backup as a store of its own. */
export async function restoredStore(file: string): Promise<OpenStore> {
  const database = await createTestDatabase()
  await restorePostgresStore({ from: file, connectionString: database.connectionString })
  return opened(database, await openOn(database))
}

/** Gives paths of files that do not exist yet, in a folder that goes when the tests of the file have ended. */
export function useNewFiles(): () => Promise<string> {
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-backup-'))
    folders.push(folder)
    return join(folder, 'backup.jsonl.gz')
  }
}

function opened(database: TestDatabase, { store, records, replicas, close }: PostgresStore): OpenStore {
  return {
    store,
    records,
    replicas,
    reopen: async () => {
      await close()
      return opened(database, await openOn(database))
    },
    dispose: async () => {
      await close()
      await emptied.giveBack(database)
    },
  }
}
