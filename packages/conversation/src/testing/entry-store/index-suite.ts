import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewEntry } from '../../entry.ts'
import { noTotals } from '../../ledger-totals.ts'
import { type ConversationListing, listing, toListing } from '../../projections/listing.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { arbitraryEntries } from '../arbitrary-log.ts'
import { conversationCreated, inputAdmitted, titleChanged, usageRecorded, wholeTurn } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { allPages, begin, OWNER, readLog } from './appending.ts'
import { ODD_IDS, ODD_TEXTS } from './odd-text.ts'

/** The conversation list and the usage of an owner. */
export function describeIndex(harness: StoreHarness): void {
  describe('index', () => {
    const open = useStores(harness)

    it('[PRJ5] has the row that the fold of the log gives, however the log was written', async () => {
      const { store } = await open()
      let number = 0
      await fc.assert(
        fc.asyncProperty(arbitraryEntries, fc.array(fc.nat(20), { maxLength: 6 }), async (entries, sizes) => {
          const id = `log ${number++}`
          await appendInBatches(store, id, entries, sizes)
          const row = toListing(listing.reduce(listing.initial, await readLog(store, id)))
          expect(await store.readListing(id)).toEqual(row)
          await store.reindex(id)
          expect(await store.readListing(id)).toEqual(row)
          const page = await store.listConversations({ ownerId: OWNER, archived: row.archived, limit: 1_000 })
          expect(page.find(({ conversationId }) => conversationId === id)).toEqual(row)
        }),
        { numRuns: 40 },
      )
    })

    it('[PRJ5] keeps the rows over a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [
        ...wholeTurn(1, { asked: 'Hello', answered: 'Hi' }),
        titleChanged('Greetings', 'auto'),
      ])
      const row = await opened.store.readListing('a')
      const { store } = await opened.reopen()
      expect(await store.readListing('a')).toEqual(row)
      expect(await store.readListing('unknown')).toBeNull()
    })

    it('[PRJ5] lists the conversations of one owner, the newest change first', async () => {
      const { store } = await open()
      for (const [id, ownerId, at] of [
        ['a', OWNER, 1_000],
        ['b', OWNER, 3_000],
        ['c', 'user_2', 4_000],
        ['d', OWNER, 2_000],
      ] as const) {
        await store.append({ conversationId: id, after: 0, entries: [conversationCreated(ownerId)], at })
      }
      expect(await listed(store, { ownerId: OWNER, archived: false })).toEqual(['b', 'd', 'a'])
      await store.append({ conversationId: 'a', after: 1, entries: [inputAdmitted('input_1', 'Hello')], at: 5_000 })
      await store.append({
        conversationId: 'd',
        after: 1,
        entries: [titleChanged('A title moves nothing', 'user')],
        at: 6_000,
      })
      expect(await listed(store, { ownerId: OWNER, archived: false })).toEqual(['a', 'b', 'd'])
      expect(await listed(store, { ownerId: 'user_2', archived: false })).toEqual(['c'])
      expect(await listed(store, { ownerId: 'user_3', archived: false })).toEqual([])
    })

    it('[PRJ5] lists archived conversations apart', async () => {
      const { store } = await open()
      const archived: NewEntry = {
        type: 'conversation-archived',
        actor: { type: 'engine' },
        reason: 'person',
        totals: noTotals,
      }
      const restored: NewEntry = { type: 'conversation-restored', actor: { type: 'engine' } }
      await begin(store, 'a', [archived])
      await begin(store, 'b', [])
      await begin(store, 'c', [archived, restored])
      expect(await listed(store, { ownerId: OWNER, archived: true })).toEqual(['a'])
      expect((await listed(store, { ownerId: OWNER, archived: false })).sort()).toEqual(['b', 'c'])
    })

    it('[PRJ5] pages through the list without missing or repeating a row, also among equal times', async () => {
      const { store } = await open()
      for (let number = 0; number < 23; number++) {
        const at = 1_000 + Math.floor(number / 5)
        await store.append({
          conversationId: `id ${(number * 7) % 23}`,
          after: 0,
          entries: [conversationCreated(OWNER)],
          at,
        })
      }
      const whole = await store.listConversations({ ownerId: OWNER, archived: false, limit: 100 })
      const paged = await allPages(async (last: ConversationListing | undefined) => {
        const page = await store.listConversations({
          ownerId: OWNER,
          archived: false,
          limit: 4,
          ...(last ? { before: { updatedAt: last.updatedAt, conversationId: last.conversationId } } : {}),
        })
        expect(page.length).toBeLessThanOrEqual(4)
        return page
      })
      expect(whole).toHaveLength(23)
      expect(paged).toEqual(whole)
    })

    it('[PRJ5] keeps titles and owners of any letters', async () => {
      const { store } = await open()
      const titles = ODD_TEXTS.map((text) => text.slice(0, 200)).filter((text) => text !== '')
      for (const [number, text] of titles.entries()) {
        await begin(store, `titled ${number}`, [titleChanged(text, 'user')])
        expect((await store.readListing(`titled ${number}`))?.title === text).toBe(true)
      }
      for (const ownerId of ODD_IDS) {
        await store.append({
          conversationId: `of ${ownerId}`,
          after: 0,
          entries: [conversationCreated(ownerId)],
          at: 1,
        })
      }
      for (const ownerId of ODD_IDS) {
        expect(await listed(store, { ownerId, archived: false })).toEqual([`of ${ownerId}`])
      }
    })

    it('[PRJ5] gives back the usage records of an owner by time, page by page', async () => {
      const opened = await open()
      for (const id of ['a', 'b']) await begin(opened.store, id, [])
      for (let number = 0; number < 12; number++) {
        const entries = [usageRecorded('run_1', 'step_1', { input: number, output: 1 })]
        const at = 1_000 + Math.floor(number / 4)
        await opened.store.append({
          conversationId: number % 2 ? 'a' : 'b',
          after: 1 + Math.floor(number / 2),
          entries,
          at,
        })
      }
      await opened.store.append({
        conversationId: 'c',
        after: 0,
        entries: [conversationCreated('user_2'), usageRecorded('run_1', 'step_1', { input: 99, output: 1 })],
        at: 1_001,
      })
      const { store } = await opened.reopen()
      const whole = await store.readUsage({ ownerId: OWNER, from: 0, to: 9_000, limit: 100 })
      expect(whole.map(({ at }) => at)).toEqual([
        1_000, 1_000, 1_000, 1_000, 1_001, 1_001, 1_001, 1_001, 1_002, 1_002, 1_002, 1_002,
      ])
      expect(whole.map(({ inputTokens }) => inputTokens).sort((a, b) => a - b)).toEqual([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      ])
      const logs = [...(await readLog(store, 'a')), ...(await readLog(store, 'b'))]
      for (const record of whole) expect(logs).toContainEqual(record)
      const paged = await allPages((last: (typeof whole)[number] | undefined) =>
        store.readUsage({ ownerId: OWNER, from: 0, to: 9_000, limit: 5, ...(last ? { after: last } : {}) }),
      )
      expect(paged).toEqual(whole)
      const within = await store.readUsage({ ownerId: OWNER, from: 1_001, to: 1_002, limit: 100 })
      expect(within).toEqual(whole.slice(4, 8))
    })
  })
}

async function listed(store: EntryStore, query: { ownerId: string; archived: boolean }): Promise<string[]> {
  const page = await store.listConversations({ ...query, limit: 100 })
  return page.map(({ conversationId }) => conversationId)
}

/** Appends batches of these sizes, then the rest. */
async function appendInBatches(
  store: EntryStore,
  conversationId: string,
  entries: readonly NewEntry[],
  sizes: readonly number[],
): Promise<void> {
  let after = 0
  for (const size of [...sizes, entries.length]) {
    const batch = entries.slice(after, after + size)
    if (batch.length === 0) continue
    await store.append({ conversationId, after, entries: batch, at: 1_000 + after })
    after += batch.length
  }
}
