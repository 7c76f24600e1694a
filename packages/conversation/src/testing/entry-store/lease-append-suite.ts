import { describe, expect, it } from 'vitest'
import { MalformedEntryError } from '../../entry-errors.ts'
import type { Append } from '../../store/entry-log.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { AppendConflictError, LeaseHeldError, MissingBlobError, StaleEpochError } from '../../store/store-errors.ts'
import { fileSent, runStarted } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, beginning, errorOf, inputs, readLog, settled } from './appending.ts'

/** A time that no test reaches. */
const LONG_MS = 3_600_000

/** The lease as part of an append. Time stands still for these tests, or passes: they hold either way. */
export function describeLeaseAppends(harness: StoreHarness): void {
  describe('leases of appends', () => {
    const open = useStores(harness)

    it('[LOG23] takes the lease with the entries, also after a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      const appended = await opened.store.append({ ...run(1), acquire: { holder: 'first', ttlMs: LONG_MS } })
      expect(appended.lease).toMatchObject({ conversationId: 'a', holder: 'first', epoch: 1 })
      expect(appended.lease?.expiresAt).toBeGreaterThan(LONG_MS)
      const { store } = await opened.reopen()
      expect(await readLog(store, 'a')).toHaveLength(2)
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 1 })
      expect((await store.append({ ...run(2), epoch: 1 })).lease).toBeUndefined()
    })

    it('[LOG23] takes the lease of a log that begins with it', async () => {
      const { store } = await open()
      const begun = { ...beginning('a', [runStarted('run_1', 'turn')]), acquire: { holder: 'first', ttlMs: LONG_MS } }
      expect((await store.append(begun)).lease).toMatchObject({ epoch: 1 })
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
    })

    it('[LOG23] appends nothing where another holds the lease, and leaves it to that one', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await acquire(store, 'first', LONG_MS)
      const refused = await errorOf(
        store.append({ ...run(1), acquire: { holder: 'second', ttlMs: LONG_MS } }),
        LeaseHeldError,
      )
      expect(refused.conversationId).toBe('a')
      expect(await readLog(store, 'a')).toHaveLength(1)
      await store.append({ ...run(1), epoch: 1 })
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 1 })
    })

    it('[SCALE24] appends where another holds the lease and may, and leaves it to that one; takes it where it is free', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await acquire(store, 'first', LONG_MS)
      const claim = { holder: 'second', ttlMs: LONG_MS, mayBeHeld: true } as const
      expect((await store.append({ ...inputs('a', 1, ['Hi']), acquire: claim })).lease).toBeUndefined()
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 1 })
      await store.releaseLease({ conversationId: 'a', epoch: 1 })
      const { lease } = await store.append({ ...inputs('a', 2, ['Hi again']), acquire: claim })
      expect(lease).toMatchObject({ holder: 'second', epoch: 2 })
      expect(await readLog(store, 'a')).toHaveLength(3)
    })

    it('[SCALE24] gives a lease back at the head that its holder knows of, and at no other', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await acquire(store, 'first', LONG_MS)
      await store.append(inputs('a', 1, ['Hi']))
      expect(await store.releaseLease({ conversationId: 'a', epoch: 1, head: 1 })).toBe(false)
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
      expect(await store.releaseLease({ conversationId: 'a', epoch: 7, head: 2 })).toBe(true)
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
      expect(await store.releaseLease({ conversationId: 'a', epoch: 1, head: 2 })).toBe(true)
      expect(await acquire(store, 'second', LONG_MS)).toMatchObject({ epoch: 2 })
    })

    it('[SCALE24] leaves no message without a lease that is written while the lease is given back', async () => {
      const { store } = await open()
      for (let round = 0; round < 30; round++) {
        const conversationId = `race ${round}`
        await begin(store, conversationId, [])
        await store.acquireLease({ conversationId, holder: 'first', ttlMs: LONG_MS })
        const claim = { holder: 'second', ttlMs: LONG_MS, mayBeHeld: true } as const
        const [isOver, { lease }] = await Promise.all([
          store.releaseLease({ conversationId, epoch: 1, head: 1 }),
          store.append({ ...inputs(conversationId, 1, ['Hi']), acquire: claim }),
        ])
        expect(lease?.holder ?? 'first').toBe(isOver ? 'second' : 'first')
      }
    })

    it('[LOG23] takes no lease with an append that is refused', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const claim = { holder: 'first', ttlMs: LONG_MS }
      const unknown = { hash: 'a'.repeat(64), sizeBytes: 1, mediaType: 'image/png' }
      const entries = [fileSent('run_1', 'upload_1', unknown)]
      await errorOf(store.append({ ...run(7), acquire: claim }), AppendConflictError)
      await errorOf(store.append({ ...run(1), acquire: claim, times: [] }), MalformedEntryError)
      await errorOf(store.append({ ...run(1), entries, acquire: claim }), MissingBlobError)
      expect(await acquire(store, 'second', LONG_MS)).toMatchObject({ holder: 'second', epoch: 1 })
    })

    it('[LOG23] takes the lease again for its holder with the same epoch and no earlier end', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const lease = await acquire(store, 'first', LONG_MS)
      const again = await store.append({ ...run(1), epoch: 1, acquire: { holder: 'first', ttlMs: 2 * LONG_MS } })
      expect(again.lease?.epoch).toBe(1)
      expect(again.lease?.expiresAt).toBeGreaterThan(lease?.expiresAt ?? 0)
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
    })

    it('[LOG23] takes over a lease that ran out with a higher epoch, and the append of its earlier holder is refused', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await store.append({ ...run(1), acquire: { holder: 'first', ttlMs: 0 } })
      const taken = await store.append({ ...run(2), acquire: { holder: 'second', ttlMs: LONG_MS } })
      expect(taken.lease).toMatchObject({ holder: 'second', epoch: 2 })
      await errorOf(store.append({ ...run(3), epoch: 1 }), StaleEpochError)
      await errorOf(store.append({ ...run(3), epoch: 1, release: true }), StaleEpochError)
      await errorOf(store.append({ ...run(3), acquire: { holder: 'first', ttlMs: LONG_MS } }), LeaseHeldError)
      expect(await readLog(store, 'a')).toHaveLength(3)
      await store.append({ ...run(3), epoch: 2 })
    })

    it('[LOG23] refuses an append under a lease that went elsewhere meanwhile, also where it is free again', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await store.append({ ...run(1), acquire: { holder: 'first', ttlMs: 0 } })
      await acquire(store, 'second', 0)
      const late = { ...run(2), epoch: 1, acquire: { holder: 'first', ttlMs: LONG_MS } }
      await errorOf(store.append(late), StaleEpochError)
      await store.append({ ...run(2), epoch: 2 })
      expect(await acquire(store, 'third', 0)).toMatchObject({ epoch: 3 })
    })

    it('[LOG23] gives the lease back behind the entries, also after a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      await opened.store.append({ ...run(1), acquire: { holder: 'first', ttlMs: 0 } })
      await opened.store.append({ ...run(2), epoch: 1, release: true })
      const { store } = await opened.reopen()
      expect(await readLog(store, 'a')).toHaveLength(3)
      expect(await store.expiredLeases(10)).toEqual([])
      expect(await acquire(store, 'first', LONG_MS)).toMatchObject({ epoch: 2 })
    })

    it('[LOG23] gives nothing back with an append that is refused', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await acquire(store, 'first', LONG_MS)
      await errorOf(store.append({ ...run(7), epoch: 1, release: true }), AppendConflictError)
      await errorOf(store.append({ ...run(1), release: true }), MalformedEntryError)
      expect(await acquire(store, 'second', LONG_MS)).toBeNull()
    })

    it('[LOG23] takes and gives back a lease for one append', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const appended = await store.append({ ...run(1), acquire: { holder: 'first', ttlMs: LONG_MS }, release: true })
      expect(appended.lease).toMatchObject({ holder: 'first', epoch: 1 })
      expect(await acquire(store, 'second', LONG_MS)).toMatchObject({ epoch: 2 })
    })

    it('[LOG23] takes nothing and gives nothing back for a repeated command', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const command = { commandId: 'command_1', fingerprint: 'one' }
      const claim = { holder: 'first', ttlMs: LONG_MS }
      await store.append({ ...run(1), command, acquire: claim, release: true })
      await acquire(store, 'second', LONG_MS)
      const again = await store.append({ ...run(1), command, acquire: claim })
      expect(again).toMatchObject({ repeated: true, entries: [{ seq: 2 }] })
      expect(again.lease).toBeUndefined()
      await store.append({ ...run(1), command, epoch: 2, release: true })
      expect(await acquire(store, 'third', LONG_MS)).toBeNull()
    })

    it('[LOG23] gives log and lease to exactly one of eight who append at the same time', async () => {
      const { store } = await open()
      for (let round = 0; round < 10; round++) {
        const conversationId = `race ${round}`
        await begin(store, conversationId, [])
        const asked = Array.from({ length: 8 }, (_, index) =>
          store.append({ ...run(1), conversationId, acquire: { holder: `holder ${index}`, ttlMs: LONG_MS } }),
        )
        const { kept, refused } = await settled(asked)
        expect(kept).toMatchObject([{ lease: { epoch: 1 } }])
        expect(refused).toHaveLength(7)
        expect(refused.every((error) => error instanceof LeaseHeldError)).toBe(true)
        expect(await readLog(store, conversationId)).toHaveLength(2)
        const winner = kept[0]?.lease?.holder ?? ''
        expect(await store.acquireLease({ conversationId, holder: winner, ttlMs: 0 })).toMatchObject({ epoch: 1 })
      }
    })
  })
}

function acquire(store: EntryStore, holder: string, ttlMs: number) {
  return store.acquireLease({ conversationId: 'a', holder, ttlMs })
}

/** An append of a run's beginning to a log that ends at `after`. */
function run(after: number): Append {
  return { conversationId: 'a', after, entries: [runStarted(`run_${after}`, 'turn')], at: 2_000 + after }
}
