import { afterEach } from 'vitest'
import type { EntryStore } from '../store/entry-store.ts'
import type { Records } from '../store/records.ts'
import type { ReplicaStore } from '../store/replica-store.ts'

/** A store that a suite may do anything with. */
export interface OpenStore {
  readonly store: EntryStore
  readonly records: Records
  /** Absent for a store that one process has alone. */
  readonly replicas?: ReplicaStore
  /** Closes the store and opens the same data again, as after a restart. This handle is over. */
  reopen(): Promise<OpenStore>
  /** Closes the store, if it is open, and deletes its data. */
  dispose(): Promise<void>
}

/** How a suite gets the stores that it checks. */
export interface StoreHarness {
  /** A new, empty store. Leases run out by real or simulated time: the suites do not move it. */
  open(): Promise<OpenStore>
}

/** Opens stores for the tests of a `describe` and disposes of them after each test. */
export function useStores({ open }: StoreHarness): () => Promise<OpenStore> {
  const inUse = new Set<OpenStore>()
  afterEach(async () => {
    const left = [...inUse]
    inUse.clear()
    for (const store of left) await store.dispose()
  })
  const tracked = (opened: OpenStore): OpenStore => {
    inUse.add(opened)
    return {
      store: opened.store,
      records: opened.records,
      ...(opened.replicas ? { replicas: opened.replicas } : {}),
      reopen: async () => {
        const again = await opened.reopen()
        inUse.delete(opened)
        return tracked(again)
      },
      dispose: opened.dispose,
    }
  }
  return async () => tracked(await open())
}
