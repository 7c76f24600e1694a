import { describe, expect, it } from 'vitest'
import type { EntryStore } from '../store/entry-store.ts'
import type { ReplicaBeat, ReplicaStore } from '../store/replica-store.ts'
import { LeaseHeldError, StaleEpochError } from '../store/store-errors.ts'
import { runStarted } from './entries.ts'
import { begin, errorOf, readLog } from './entry-store/appending.ts'
import { type StoreHarness, useStores } from './store-harness.ts'

/** A time that no test reaches. */
const LONG_MS = 3_600_000

/** The contract of `ReplicaStore` as tests. Time stands still for them, or passes: they hold either way. */
export function describeReplicas(name: string, harness: StoreHarness): void {
  describe(`${name} replicas`, () => {
    const openStore = useStores(harness)
    const open = async (): Promise<{ store: EntryStore; replicas: ReplicaStore }> => {
      const { store, replicas } = await openStore()
      if (!replicas) throw new Error(`The ${name} store knows no replicas`)
      return { store, replicas }
    }

    it('[SCALE1] holds the leases of a replica by its beats, whatever their own time', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('first', LONG_MS))
      expect(await acquire(store, 'first', 0)).toMatchObject({ epoch: 1 })
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
      expect(await store.expiredLeases(10)).toEqual([])
      expect(await acquire(store, 'first', 0)).toMatchObject({ epoch: 1 })
    })

    it('[SCALE1] frees the leases of a replica whose beats have ended, whatever their own time', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('first', LONG_MS))
      await acquire(store, 'first', LONG_MS)
      await replicas.beat(beatOf('first', 0))
      expect(await store.expiredLeases(10)).toMatchObject([{ conversationId: 'a', holder: 'first', epoch: 1 }])
      expect(await acquire(store, 'second', LONG_MS)).toMatchObject({ holder: 'second', epoch: 2 })
    })

    it('[SCALE1, LOG10] refuses what a replica writes that comes back after another took its lease', async () => {
      const { store, replicas } = await open()
      await begin(store, 'a', [])
      await replicas.beat(beatOf('first', 0))
      await acquire(store, 'first', LONG_MS)
      await replicas.beat(beatOf('second', LONG_MS))
      await acquire(store, 'second', 0)
      expect(await replicas.beat(beatOf('first', LONG_MS))).toMatchObject({ wasAlive: false })
      const entries = [runStarted('run_1', 'turn')]
      const run = { conversationId: 'a', after: 1, entries, at: 2_000 }
      await errorOf(store.append({ ...run, epoch: 1 }), StaleEpochError)
      await errorOf(store.append({ ...run, acquire: { holder: 'first', ttlMs: LONG_MS } }), LeaseHeldError)
      const deltas = [{ stepId: 'step_1', block: 0, offset: 0, text: 'late' }]
      const chunk = { conversationId: 'a', runId: 'run_1', stepId: 'step_1', startedSeq: 1, epoch: 1, deltas }
      expect(await store.appendDrafts([chunk])).toEqual(['a'])
      expect(await readLog(store, 'a')).toHaveLength(1)
      await store.append({ ...run, epoch: 2 })
    })

    it('[SCALE1] leaves a replica that comes back late the leases that nobody took', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('first', 0))
      await acquire(store, 'first', LONG_MS)
      await replicas.beat(beatOf('first', LONG_MS))
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 1 })
    })

    it('[SCALE1] says of each beat whether the replica counted as alive up to it', async () => {
      const { replicas } = await open()
      expect(await replicas.beat(beatOf('first', LONG_MS))).toMatchObject({ wasAlive: false })
      expect(await replicas.beat(beatOf('first', 0))).toMatchObject({ wasAlive: true })
      expect(await replicas.beat(beatOf('first', LONG_MS))).toMatchObject({ wasAlive: false })
      expect(await replicas.beat(beatOf('second', LONG_MS))).toMatchObject({ wasAlive: false })
    })

    it('[SCALE3] says with a beat whether a lease of another waits, and nothing of its own or of what is held', async () => {
      const { store, replicas } = await open()
      const isWorkLeft = async () => (await replicas.beat(beatOf('first', LONG_MS))).isWorkLeft
      await replicas.beat(beatOf('first', 0))
      await acquire(store, 'first', 0)
      expect(await isWorkLeft()).toBe(false)
      await replicas.beat(beatOf('second', LONG_MS))
      await store.acquireLease({ conversationId: 'b', holder: 'second', ttlMs: 0 })
      expect(await isWorkLeft()).toBe(false)
      await replicas.beat(beatOf('second', 0))
      expect(await isWorkLeft()).toBe(true)
      await store.acquireLease({ conversationId: 'b', holder: 'first', ttlMs: 0 })
      expect(await isWorkLeft()).toBe(false)
    })

    it('[SCALE6] holds the leases of a replica that drains for their own time, which begins again with the drain', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('first', LONG_MS))
      await store.acquireLease({ conversationId: 'kept', holder: 'first', ttlMs: 0 })
      await replicas.drain({ replicaId: 'first', ttlMs: LONG_MS })
      expect(await store.acquireLease({ conversationId: 'kept', holder: 'second', ttlMs: 0 })).toBeNull()
      await store.acquireLease({ conversationId: 'handed over', holder: 'first', ttlMs: 0 })
      await replicas.beat(beatOf('first', LONG_MS))
      expect(await store.expiredLeases(10)).toMatchObject([{ conversationId: 'handed over' }])
      expect(await replicas.beat(beatOf('second', LONG_MS))).toMatchObject({ isWorkLeft: true })
      const taken = await store.acquireLease({ conversationId: 'handed over', holder: 'second', ttlMs: 0 })
      expect(taken).toMatchObject({ holder: 'second', epoch: 2 })
    })

    it('[SCALE6] frees at once what a replica holds that leaves, also while it drained', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('first', LONG_MS))
      await acquire(store, 'first', LONG_MS)
      await replicas.drain({ replicaId: 'first', ttlMs: LONG_MS })
      await replicas.leave('first')
      await replicas.leave('unknown')
      expect(await replicas.beat(beatOf('second', LONG_MS))).toMatchObject({ isWorkLeft: true })
      expect(await acquire(store, 'second', 0)).toMatchObject({ epoch: 2 })
    })

    it('[SCALE7] lists who is there, who went, and what each holds', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('first', LONG_MS))
      await replicas.beat({ ...beatOf('second', LONG_MS), url: null })
      for (const conversationId of ['c', 'b', 'd']) {
        const lease = await store.acquireLease({ conversationId, holder: 'first', ttlMs: 0 })
        if (lease && conversationId === 'd') await store.releaseLease(lease)
      }
      await replicas.leave('second')
      const [first, second, ...others] = await replicas.listReplicas()
      expect(others).toEqual([])
      expect(first).toMatchObject({
        replicaId: 'first',
        host: 'machine',
        pid: 7,
        version: '1.2.3',
        url: 'http://127.0.0.1:4747',
        isAlive: true,
        isDraining: false,
        leaseCount: 2,
      })
      expect(first?.expiresAt).toBe((first?.beatAt ?? 0) + LONG_MS)
      expect(second).toMatchObject({ replicaId: 'second', url: null, isAlive: false, leaseCount: 0 })
      const held = await replicas.leasesOf({ replicaId: 'first', limit: 10 })
      expect(held.map(({ conversationId }) => conversationId)).toEqual(['b', 'c'])
      expect(await replicas.leasesOf({ replicaId: 'first', limit: 1 })).toMatchObject([{ conversationId: 'b' }])
    })

    it('[SCALE3] gives each lease of a replica that is gone to exactly one of eight who ask at the same time', async () => {
      const { store, replicas } = await open()
      await replicas.beat(beatOf('gone', LONG_MS))
      const names = Array.from({ length: 8 }, (_, index) => `replica ${index}`)
      for (const name of names) await replicas.beat(beatOf(name, LONG_MS))
      for (let round = 0; round < 10; round++) {
        const conversationId = `race ${round}`
        await store.acquireLease({ conversationId, holder: 'gone', ttlMs: 0 })
        await replicas.beat(beatOf('gone', 0))
        const asked = names.map((holder) => store.acquireLease({ conversationId, holder, ttlMs: 0 }))
        const leases = (await Promise.all(asked)).filter((lease) => lease !== null)
        expect(leases).toMatchObject([{ epoch: 2 }])
        await replicas.beat(beatOf('gone', LONG_MS))
      }
    })
  })
}

function acquire(store: EntryStore, holder: string, ttlMs: number) {
  return store.acquireLease({ conversationId: 'a', holder, ttlMs })
}

function beatOf(replicaId: string, ttlMs: number): ReplicaBeat {
  return { replicaId, host: 'machine', pid: 7, version: '1.2.3', url: 'http://127.0.0.1:4747', ttlMs }
}
