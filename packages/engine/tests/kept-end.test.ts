import type { Entry, NewEntry, PageQuery } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { describe, expect, it, vi } from 'vitest'
import { createKeptEnd } from '../src/log/kept-end.ts'
import { createManualClock } from '../src/testing/manual-clock.ts'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const conversationId = 'conversation_1'

/** A log of so many entries in a store, and all that was asked of it. */
async function openLog(count: number) {
  const { store } = createMemoryStore({ clock: createManualClock() })
  let head = 0
  async function append(entries: readonly NewEntry[]): Promise<readonly Entry[]> {
    const appended = await store.append({ conversationId, after: head, entries, at: 1_000 })
    head += entries.length
    return appended.entries
  }
  await append([
    { type: 'conversation-created', actor: person, ownerId: 'user_1', settings: {}, origin: { type: 'new' } },
  ])
  await append(Array.from({ length: count - 1 }, (_, index) => titled(index)))
  const asked: PageQuery[] = []
  const read: typeof store.read = (query) => {
    asked.push(query)
    return store.read(query)
  }
  return { store, append, asked, kept: createKeptEnd({ read }, conversationId) }
}

function titled(index: number): NewEntry {
  return { type: 'title-changed', actor: person, title: `Title ${index}`, source: 'user' }
}

describe('the kept end of a log', () => {
  it('[LOG5] answers for another log with what that one holds', async () => {
    const { store, kept } = await openLog(30)
    kept.begin((await store.read({ conversationId, after: 0, limit: 100 })).entries)
    expect(await kept.read({ conversationId: 'another', after: 0, limit: 10 })).toEqual({ entries: [], head: 0 })
  })

  it('[LOG5] gives every page as the store gives it, and asks only for what stands before it', async () => {
    const { store, append, asked, kept } = await openLog(30)
    const page = await store.read({ conversationId, before: 31, limit: 10 })
    kept.begin(page.entries)
    kept.add(page.entries.slice(-3))
    kept.add(await append([titled(30), titled(31)]))
    for (let place = 0; place <= 34; place++) {
      for (const limit of [1, 5, 12, 40]) {
        const forward: PageQuery = { conversationId, after: place, limit }
        const backward: PageQuery = { conversationId, before: place, limit }
        expect(await kept.read(forward), `after ${place}, ${limit}`).toEqual(await store.read(forward))
        expect(await kept.read(backward), `before ${place}, ${limit}`).toEqual(await store.read(backward))
      }
    }
    const first = page.entries[0]?.seq ?? 0
    expect(asked.length).toBeGreaterThan(0)
    for (const { after, before, limit } of asked)
      expect(after === undefined ? Math.max(1, Math.min(before, 33) - limit) : after + 1).toBeLessThan(first)
  })

  it('[LOG9] keeps nothing once it has ended: what was erased meanwhile is not given any more', async () => {
    const { store, asked, kept } = await openLog(5)
    const query = { conversationId, before: 6, limit: 5 }
    kept.begin((await store.read(query)).entries)
    await kept.read(query)
    expect(asked).toEqual([])
    kept.end()
    await store.erase({ conversationId, seqs: [3], reason: 'asked for', at: 2_000 })
    expect((await kept.read(query)).entries[2]).toMatchObject({ type: 'body-erased' })
  })

  it('[WIN5] stays bounded in a run without end', async () => {
    const { store, append, asked, kept } = await openLog(2)
    kept.begin((await store.read({ conversationId, before: 3, limit: 2 })).entries)
    for (let from = 2; from < 2_402; from += 400)
      kept.add(await append(Array.from({ length: 400 }, (_, index) => titled(from + index))))
    const last = { conversationId, before: 2_403, limit: 400 }
    expect(await kept.read(last)).toEqual(await store.read(last))
    expect(asked).toEqual([])
    await kept.read({ conversationId, after: 0, limit: 1 })
    expect(asked).toHaveLength(1)
  })
})

describe('a run', () => {
  it('[WIN5] reads its log from the store as often with many steps as with one', async () => {
    const readsOf = async (stepCount: number): Promise<number> => {
      const { tool } = testTool({ name: 'look', category: 'read' })
      const steps = Array.from({ length: stepCount - 1 }, (_, index) =>
        calls({ callId: `c${index}`, name: 'look', input: { path: `${index}` } }),
      )
      const { engine, store, send, until } = await openHarness([...steps, says('Done')], [tool])
      const read = vi.spyOn(store, 'read')
      await send('Hi', 'send-1')
      await until('run-finished', 1)
      await engine.close()
      // The test itself reads the log as a whole.
      return read.mock.calls.filter(([query]) => query.limit < 1_000).length
    }
    const one = await readsOf(1)
    expect(one).toBeLessThanOrEqual(3)
    expect(await readsOf(6)).toBe(one)
  })
})
