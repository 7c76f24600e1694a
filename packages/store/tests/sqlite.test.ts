import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@holdfast/conversation'
import { describeEntryStore, describeRecords, type OpenStore } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'

/** Stands still: a lease of any length holds, one of no length is over. */
const clock: Clock = {
  now: () => 1_000,
  monotonicMs: () => 0,
  after: () => () => undefined,
}

async function opened(dataDir: string): Promise<OpenStore> {
  const { store, records, close } = await createSqliteStore({ dataDir, clock })
  return {
    store,
    records,
    reopen: async () => {
      await close()
      return opened(dataDir)
    },
    dispose: async () => {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const harness = { open: async () => opened(join(await mkdtemp(join(tmpdir(), 'holdfast-')), 'data')) }

describeEntryStore('sqlite', harness)
describeRecords('sqlite', harness)
