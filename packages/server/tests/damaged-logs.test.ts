import { DamagedLogError, type Entry, type EntryStore, MAX_PAGE_ENTRIES } from '@holdfast/conversation'
import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { createOwnerCheck } from '../src/parts/owner-check.ts'
import { readDamage } from '../src/routes/reading/read-damage.ts'
import { realClock } from './support/real-ports.ts'

const ID = 'conversation_1'

/** A store that lost these entries, and the row of its conversation where that is said. */
async function storeWithout(lost: readonly number[], { rowIsLost }: { readonly rowIsLost: boolean }) {
  const { store } = createMemoryStore({ clock: realClock })
  const entries = [conversationCreated('ann'), ...wholeTurn(1, { asked: 'Who?', answered: 'Me.' })]
  await store.append({ conversationId: ID, after: 0, at: 5, entries })
  const log = (await store.read({ conversationId: ID, after: 0, limit: MAX_PAGE_ENTRIES })).entries
  const damaged = (seq: number) => new DamagedLogError({ conversationId: ID, firstBadSeq: seq, what: 'it is missing' })
  const half: Pick<EntryStore, 'read' | 'readListing' | 'readableEntries'> = {
    async read(query) {
      const first = lost.find((seq) => seq > (query.after ?? 0) && seq <= (query.after ?? 0) + query.limit)
      if (first !== undefined) throw damaged(first)
      return store.read(query)
    },
    async readListing(id) {
      if (rowIsLost) throw damaged(1)
      return store.readListing(id)
    },
    async *readableEntries(): AsyncGenerator<Entry> {
      for (const entry of log) if (!lost.includes(entry.seq)) yield entry
    },
  }
  return { store: half, head: log.length }
}

test('[LOG7] says of a damaged log what of it can be read and what not, also at its end and without its row', async () => {
  const { store, head } = await storeWithout([3, 4, 7], { rowIsLost: false })
  expect(await readDamage(store, ID)).toEqual({
    isDamaged: true,
    readableCount: head - 3,
    entryCount: head,
    what: expect.stringContaining('entry 3'),
    missing: [
      { from: 3, to: 4 },
      { from: 7, to: 7 },
    ],
  })
  const cut = await storeWithout([head], { rowIsLost: false })
  expect(await readDamage(cut.store, ID)).toMatchObject({ isDamaged: true, missing: [{ from: head, to: head }] })
  const rowless = await storeWithout([3], { rowIsLost: true })
  expect(await readDamage(rowless.store, ID)).toMatchObject({
    isDamaged: true,
    entryCount: null,
    readableCount: head - 1,
  })
  const whole = await storeWithout([], { rowIsLost: false })
  expect(await readDamage(whole.store, ID)).toMatchObject({ isDamaged: false, missing: [], what: null })
})

test('[SEC1, LOG7] a conversation without its row is rescued by its owner and by nobody else', async () => {
  const { store } = await storeWithout([3], { rowIsLost: true })
  const owned = async (): Promise<never> => {
    throw new DamagedLogError({ conversationId: ID, firstBadSeq: 1, what: 'its row' })
  }
  const check = createOwnerCheck({ owned }, store)
  await expect(check('ann', ID)).resolves.toBeUndefined()
  await expect(check('eve', ID)).rejects.toMatchObject({ code: 'unknown-conversation' })
  const headless = await storeWithout([1], { rowIsLost: true })
  await expect(createOwnerCheck({ owned }, headless.store)('ann', ID)).rejects.toMatchObject({ code: 'damaged-log' })
})
