import { type Clock, type EntryStore, type Records, type ReplicaStore, StoreWriteError } from '@holdfast/conversation'
import { createLeaseTime } from '../shared/lease-time.ts'
import type { DataAccess } from './data-access.ts'
import { createMemoryData, type MemoryData } from './memory-data.ts'
import { replicasOver } from './memory-replicas.ts'
import { entryStoreOver, recordsOver } from './store-over-data.ts'

/** A store and its records, and the way to open the same data again as after a restart. */
export interface MemoryStore {
  readonly store: EntryStore
  readonly records: Records
  readonly replicas: ReplicaStore
  /** Closes this store and opens its data anew. */
  reopen(): Promise<MemoryStore>
}

/** What a memory store needs: the clock by which leases run out. */
export interface MemoryStoreOptions {
  readonly clock: Clock
}

/** The reference store: short, and what every other store is compared with. It keeps nothing on disk. */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  return openMemoryStore(options, createMemoryData())
}

function openMemoryStore({ clock }: MemoryStoreOptions, data: MemoryData): MemoryStore {
  const access = directAccess(data)
  return {
    store: entryStoreOver(access, clock),
    records: recordsOver(access),
    replicas: replicasOver(access, createLeaseTime(clock)),
    reopen: async () => {
      await access.close()
      return openMemoryStore({ clock }, data)
    },
  }
}

/** Everything happens at once, one call after the other. */
function directAccess(data: MemoryData): DataAccess {
  let closed = false
  const open = () => {
    if (closed) throw new StoreWriteError('closed', 'This memory store is closed; open it again with reopen()')
    return data
  }
  return {
    read: async (look) => look(open()),
    write: async (change) => change(open()),
    close: async () => {
      closed = true
    },
  }
}
