import type { Clock, EntryStore } from '@holdfast/conversation'
import { createMemoryStore } from '@holdfast/store/memory'
import { describe, expect, it } from 'vitest'
import { newFolder, openForTest } from './support/sqlite-harness.ts'

const HOUR_MS = 3_600_000
const YEARS_MS = 7 * 365 * 24 * HOUR_MS
const TTL_MS = 10_000

/** A clock that can be set, and whose time passes when it is told to. */
function settableClock() {
  let wallMs = 1_800_000_000_000
  let passedMs = 0
  const clock: Clock = { now: () => wallMs + passedMs, monotonicMs: () => passedMs, after: () => () => undefined }
  return {
    clock,
    set: (byMs: number) => {
      wallMs += byMs
    },
    pass: (ms: number) => {
      passedMs += ms
    },
  }
}

const STORES: Readonly<Record<string, (clock: Clock) => Promise<EntryStore>>> = {
  memory: async (clock) => createMemoryStore({ clock }).store,
  SQLite: async (clock) => (await openForTest(await newFolder(), { clock })).store,
}

for (const [name, open] of Object.entries(STORES)) {
  describe(`leases of the ${name} store`, () => {
    for (const step of [HOUR_MS, -HOUR_MS, YEARS_MS, -YEARS_MS]) {
      it(`[LOG10] last as long as time passes when the clock is set by ${step / HOUR_MS} hours`, async () => {
        const { clock, set, pass } = settableClock()
        const store = await open(clock)
        const ask = (holder: string) => store.acquireLease({ conversationId: 'a', holder, ttlMs: TTL_MS })
        expect(await ask('first')).toMatchObject({ epoch: 1 })
        set(step)
        expect(await ask('second')).toBeNull()
        expect(await store.expiredLeases(10)).toEqual([])
        pass(TTL_MS - 1)
        expect(await ask('second')).toBeNull()
        expect(await ask('first')).toMatchObject({ epoch: 1 })
        pass(TTL_MS)
        expect(await store.expiredLeases(10)).toMatchObject([{ holder: 'first', epoch: 1 }])
        expect(await ask('first')).toMatchObject({ epoch: 1 })
        pass(TTL_MS)
        expect(await ask('second')).toMatchObject({ epoch: 2 })
      })
    }
  })
}
