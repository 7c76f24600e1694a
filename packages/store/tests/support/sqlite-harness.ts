import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import type { OpenStore } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'

/** Stands still: a lease of any length holds, one of no length is over. */
export const stillClock: Clock = {
  now: () => 1_000,
  monotonicMs: () => 0,
  after: () => () => undefined,
}

/** A new folder, for one test. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'holdfast-'))
}

/** Opens the store of a folder for a suite. */
export async function openForSuite(dataDir: string): Promise<OpenStore> {
  const { store, records, close } = await createSqliteStore({ dataDir, clock: stillClock })
  return {
    store,
    records,
    reopen: async () => {
      await close()
      return openForSuite(dataDir)
    },
    dispose: async () => {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
