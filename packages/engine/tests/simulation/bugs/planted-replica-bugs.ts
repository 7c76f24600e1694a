import type { EntryStore, Lease, ReplicaStore } from '@holdfast/conversation'
import type { PlantedBug, Soil } from './planted-bug.ts'
import { PLANTED_SHORTCUT_BUGS } from './planted-shortcut-bugs.ts'
import { withAppend } from './planted-store.ts'

/** Bugs of several replicas that the simulation must find where they beat. */
export const PLANTED_REPLICA_BUGS: readonly PlantedBug[] = [
  {
    name: 'writes without a check of the epoch',
    store: withAppend(({ epoch, ...append }, store) =>
      store.append(append.acquire === undefined ? append : { ...append, ...(epoch === undefined ? {} : { epoch }) }),
    ),
  },
  { name: 'takes a lease over under the epoch that it had', defect: 'takes-over-under-the-same-epoch' },
  { name: 'comes back and does not ask what it still has', beats: (beats) => ({ ...beats, onReturn: () => () => {} }) },
  {
    name: 'looks for what others left only now and then',
    beats: (beats) => ({ ...beats, onWorkLeft: () => () => {} }),
  },
  {
    name: 'drains, and keeps what it has',
    replicas: (replicas) => ({ ...replicas, drain: async () => {}, leave: async () => {} }),
  },
  {
    name: 'keeps what comes of a step that has ended',
    store: (store) => ({
      ...store,
      appendDrafts: (chunks) =>
        store.appendDrafts(chunks.map((chunk) => ({ ...chunk, startedSeq: Number.MAX_SAFE_INTEGER }))),
    }),
  },
  { name: 'closes what a living replica has open', store: closingOfOthers },
  { name: 'takes others for gone by its own clock', store: judgingByOwnClock },
  ...PLANTED_SHORTCUT_BUGS,
]

/** Works under the epoch of whoever holds the lease. */
function closingOfOthers(store: EntryStore, { replicas }: Soil): EntryStore {
  return {
    ...store,
    acquireLease: async (request) =>
      (await store.acquireLease(request)) ?? (await allLeases(replicas)).find(isOf(request.conversationId)) ?? null,
  }
}

/** Says of each whose beat is older than its own clock allows that it is gone, and asks again. */
function judgingByOwnClock(store: EntryStore, { replicas, clock }: Soil): EntryStore {
  return {
    ...store,
    async acquireLease(request) {
      const lease = await store.acquireLease(request)
      if (lease !== null) return lease
      for (const { replicaId, expiresAt } of await replicas.listReplicas())
        if (expiresAt <= clock.now() && replicaId !== request.holder) await replicas.leave(replicaId)
      return store.acquireLease(request)
    },
  }
}

async function allLeases(replicas: ReplicaStore): Promise<readonly Lease[]> {
  const listed = await replicas.listReplicas()
  const leases = await Promise.all(listed.map(({ replicaId }) => replicas.leasesOf({ replicaId, limit: 100 })))
  return leases.flat()
}

function isOf(conversationId: string): (lease: Lease) => boolean {
  return (lease) => lease.conversationId === conversationId
}
