import { describe, expect, it } from 'vitest'
import type { Entry } from '../../entry.ts'
import { inputAdmitted, wholeTurn } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, inputs, readLog } from './appending.ts'

/** Looking at a store as a whole. What it does when it is damaged is tested beside each store. */
export function describeMaintenance(harness: StoreHarness): void {
  describe('maintenance', () => {
    const open = useStores(harness)

    it('[LOG7] reports a store that is whole as whole', async () => {
      const opened = await open()
      expect(await opened.store.check(new AbortController().signal)).toEqual({
        conversationCount: 0,
        entryCount: 0,
        damages: [],
      })
      await begin(opened.store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      await begin(opened.store, 'b', [inputAdmitted('input_1', 'a secret')])
      await opened.store.erase({ conversationId: 'b', seqs: [2], reason: 'asked for', at: 9_000 })
      const { store } = await opened.reopen()
      expect(await store.check(new AbortController().signal)).toEqual({
        conversationCount: 2,
        entryCount: 10,
        damages: [],
      })
    })

    it('[LOG7] stops a check when it is told to', async () => {
      const { store } = await open()
      await begin(store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      await expect(store.check(AbortSignal.abort())).rejects.toThrow()
    })

    it('[LOG7] gives out everything that can be read of a log, in its order', async () => {
      const { store } = await open()
      const begun = await begin(store, 'a', [])
      const { entries } = await store.append(
        inputs(
          'a',
          1,
          Array.from({ length: 2_500 }, (_, index) => `words ${index}`),
        ),
      )
      expect(await collected(store.readableEntries('a'))).toEqual([...begun, ...entries])
      expect(await collected(store.readableEntries('unknown'))).toEqual([])
      expect(await readLog(store, 'a')).toHaveLength(2_501)
    })
  })
}

async function collected(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entry of entries) all.push(entry)
  return all
}
