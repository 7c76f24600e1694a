import type { Clock } from '@holdfast/conversation'
import { describeEntryStore, describeRecords, describeReplicas, type OpenStore } from '@holdfast/conversation/testing'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'

/** Stands still: a lease of any length holds, one of no length is over. */
const clock: Clock = {
  now: () => 1_000,
  monotonicMs: () => 0,
  after: () => () => undefined,
}

function opened({ store, records, replicas, reopen }: MemoryStore): OpenStore {
  return { store, records, replicas, reopen: async () => opened(await reopen()), dispose: () => store.close() }
}

const harness = { open: async () => opened(createMemoryStore({ clock })) }

describeEntryStore('memory', harness)
describeRecords('memory', harness)
describeReplicas('memory', harness)

it('[LOG8] says that a memory store has nothing to back up', async () => {
  const { store } = createMemoryStore({ clock })
  await expect(store.backup('copy.db', AbortSignal.timeout(1_000))).rejects.toThrow('cannot be backed up to copy.db')
})
