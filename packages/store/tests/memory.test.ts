import type { Clock } from '@holdfast/conversation'
import { describeEntryStore, type OpenStore } from '@holdfast/conversation/testing'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: () => () => undefined,
}

function opened({ store, records, reopen }: MemoryStore): OpenStore {
  return { store, records, reopen: async () => opened(await reopen()), dispose: () => store.close() }
}

describeEntryStore('memory', { open: async () => opened(createMemoryStore({ clock })) })
