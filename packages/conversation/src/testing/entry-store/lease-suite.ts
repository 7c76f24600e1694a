import { describe, expect, it } from 'vitest'
import type { EntryStore } from '../../store/entry-store.ts'
import { StaleEpochError } from '../../store/store-errors.ts'
import { runStarted } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, errorOf, inputs, readLog } from './appending.ts'
import { ODD_IDS } from './odd-text.ts'

/** A time that no test reaches. */
const LONG_MS = 3_600_000

/** The right to run a conversation. Time stands still for these tests, or passes: they hold either way. */
export function describeLeases(harness: StoreHarness): void {
  describe('leases', () => {
    const open = useStores(harness)

    it('[LOG10] gives the lease to one holder at a time', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const lease = await acquire(store, 'first', LONG_MS)
      expect(lease).toMatchObject({ conversationId: 'a', holder: 'first', epoch: 1 })
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
    })

    it('[LOG10] gives the present holder its lease again with the same epoch and no earlier end', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const lease = await acquire(store, 'first', LONG_MS)
      const again = await acquire(store, 'first', 2 * LONG_MS)
      expect(again?.epoch).toBe(lease?.epoch)
      expect(again?.expiresAt).toBeGreaterThan(lease?.expiresAt ?? 0)
    })

    it('[LOG10] gives a holder the lease that ran out with its epoch unchanged when nobody else took it', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      expect(await acquire(store, 'first', 0)).toMatchObject({ epoch: 1 })
      expect(await acquire(store, 'first', 0)).toMatchObject({ epoch: 1 })
      expect(await acquire(store, 'second', 0)).toMatchObject({ epoch: 2 })
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 3 })
      await store.releaseLease({ conversationId: 'a', epoch: 3 })
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 4 })
    })

    it('[LOG10] lets a lease of no length run out at once, and the next holder have a higher epoch', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      expect(await acquire(store, 'first', 0)).toMatchObject({ epoch: 1 })
      expect(await acquire(store, 'second', 0)).toMatchObject({ epoch: 2, holder: 'second' })
      expect(await acquire(store, 'third', LONG_MS)).toMatchObject({ epoch: 3, holder: 'third' })
      expect(await acquire(store, 'fourth', LONG_MS)).toBeNull()
    })

    it('[LOG10] lets another take what was given back, with a higher epoch, also after a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      await acquire(opened.store, 'first', LONG_MS)
      await opened.store.releaseLease({ conversationId: 'a', epoch: 1 })
      const { store } = await opened.reopen()
      expect(await acquire(store, 'second', LONG_MS)).toMatchObject({ epoch: 2 })
    })

    it('[LOG10] does nothing when a holder gives back an epoch that is over', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await acquire(store, 'first', 0)
      await acquire(store, 'second', LONG_MS)
      await store.releaseLease({ conversationId: 'a', epoch: 1 })
      await store.releaseLease({ conversationId: 'unknown', epoch: 1 })
      expect(await acquire(store, 'third', LONG_MS)).toBeNull()
    })

    it('[LOG10] holds over a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      await acquire(opened.store, 'first', LONG_MS)
      const { store } = await opened.reopen()
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 1 })
    })

    it('[LOG10] gives the lease to exactly one of eight who ask at the same time', async () => {
      const { store } = await open()
      for (let round = 0; round < 20; round++) {
        const conversationId = `race ${round}`
        await begin(store, conversationId, [])
        const asked = Array.from({ length: 8 }, (_, index) =>
          store.acquireLease({ conversationId, holder: `holder ${index}`, ttlMs: LONG_MS }),
        )
        const leases = (await Promise.all(asked)).filter((lease) => lease !== null)
        expect(leases).toMatchObject([{ epoch: 1 }])
      }
    })

    it('[LOG10] gives each of eight who ask at the same time for no time an epoch of its own', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const asked = Array.from({ length: 8 }, (_, index) => acquire(store, `holder ${index}`, 0))
      const epochs = (await Promise.all(asked)).map((lease) => lease?.epoch)
      expect([...epochs].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    })

    it('[LOG10] takes entries of a run only with the epoch of the lease', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const entries = [runStarted('run_1', 'turn')]
      await acquire(store, 'first', 0)
      await store.append({ conversationId: 'a', after: 1, entries, at: 2_000, epoch: 1 })
      await acquire(store, 'second', LONG_MS)
      for (const epoch of [0, 1, 3]) {
        const refused = await errorOf(
          store.append({ conversationId: 'a', after: 2, entries, at: 2_000, epoch }),
          StaleEpochError,
        )
        expect(refused.conversationId).toBe('a')
      }
      expect(await readLog(store, 'a')).toHaveLength(2)
      await store.append({ conversationId: 'a', after: 2, entries, at: 2_000, epoch: 2 })
      expect(await readLog(store, 'a')).toHaveLength(3)
    })

    it('[LOG10] takes commands from any replica, whoever holds the lease', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await acquire(store, 'first', LONG_MS)
      await store.append(inputs('a', 1, ['from anywhere']))
      expect(await readLog(store, 'a')).toHaveLength(2)
    })

    it('[RUN4] ends every lease for a process that is alone, so that it can take over at once', async () => {
      const { store } = await open()
      for (const conversationId of ['one', 'two']) {
        await begin(store, conversationId, [])
        await store.acquireLease({ conversationId, holder: 'killed', ttlMs: LONG_MS })
      }
      await store.releaseLease({ conversationId: 'two', epoch: 1 })
      await store.endLeases()
      expect(await store.expiredLeases(10)).toMatchObject([{ conversationId: 'one', epoch: 1 }])
      const lease = await store.acquireLease({ conversationId: 'one', holder: 'next', ttlMs: LONG_MS })
      expect(lease).toMatchObject({ holder: 'next', epoch: 2 })
    })

    it('[RUN4] lists the leases that ran out without being given back, also after a restart', async () => {
      const opened = await open()
      for (const conversationId of ['held', 'expired', 'returned', 'taken over', ...ODD_IDS]) {
        await begin(opened.store, conversationId, [])
        await opened.store.acquireLease({
          conversationId,
          holder: 'first',
          ttlMs: conversationId === 'held' ? LONG_MS : 0,
        })
      }
      await opened.store.releaseLease({ conversationId: 'returned', epoch: 1 })
      await opened.store.acquireLease({ conversationId: 'taken over', holder: 'second', ttlMs: LONG_MS })
      const { store } = await opened.reopen()
      const expired = await store.expiredLeases(100)
      expect(expired.map(({ conversationId }) => conversationId).sort()).toEqual(['expired', ...ODD_IDS].sort())
      expect(expired[0]).toMatchObject({ holder: 'first', epoch: 1 })
      expect(await store.expiredLeases(2)).toHaveLength(2)
    })
  })
}

function acquire(store: EntryStore, holder: string, ttlMs: number) {
  return store.acquireLease({ conversationId: 'a', holder, ttlMs })
}
