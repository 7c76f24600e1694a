import { describe, expect, it } from 'vitest'
import { listing } from '../../projections/listing.ts'
import { wholeTurn } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { begin, readLog } from './appending.ts'
import { ODD_TEXTS } from './odd-text.ts'

/** The cache of projections' states. */
export function describeSnapshots(harness: StoreHarness): void {
  describe('snapshots', () => {
    const open = useStores(harness)

    it('[PRJ2] gives back one snapshot for each projection, also after a restart', async () => {
      const opened = await open()
      await begin(opened.store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      await begin(opened.store, 'b', [])
      const title = { projection: 'title', version: 1, cursor: 8, state: { text: ODD_TEXTS.join(''), source: null } }
      const notices = { projection: 'notices', version: 3, cursor: 8, state: [] }
      await opened.store.writeSnapshots('a', [title, notices])
      const { store } = await opened.reopen()
      expect([...(await store.readSnapshots('a'))].sort((x, y) => (x.projection < y.projection ? -1 : 1))).toEqual([
        notices,
        title,
      ])
      expect(await store.readSnapshots('b')).toEqual([])
      expect(await store.readSnapshots('unknown')).toEqual([])
    })

    it('[PRJ2] keeps the snapshot with the later cursor, whichever is written last', async () => {
      const { store } = await open()
      await begin(store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      const at = (cursor: number) => ({ projection: 'title', version: 1, cursor, state: `at ${cursor}` })
      for (const cursor of [3, 5, 4, 1]) await store.writeSnapshots('a', [at(cursor)])
      expect(await store.readSnapshots('a')).toEqual([at(5)])
      await store.writeSnapshots('a', [at(2), { ...at(5), state: 'again' }])
      expect(await store.readSnapshots('a')).toEqual([{ ...at(5), state: 'again' }])
      await store.writeSnapshots('a', [at(6)])
      expect(await store.readSnapshots('a')).toEqual([at(6)])
    })

    it('[PRJ2] gives back a state that goes on as the fold of the whole log does', async () => {
      const { store } = await open()
      const entries = await begin(store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      const state = JSON.parse(JSON.stringify(listing.reduce(listing.initial, entries.slice(0, 4))))
      await store.writeSnapshots('a', [{ projection: listing.name, version: listing.version, cursor: 4, state }])
      const [snapshot] = await store.readSnapshots('a')
      expect(snapshot).toEqual({ projection: listing.name, version: listing.version, cursor: 4, state })
      const whole = listing.reduce(listing.initial, await readLog(store, 'a'))
      expect(listing.reduce(JSON.parse(JSON.stringify(snapshot?.state)), entries.slice(4))).toEqual(whole)
    })
  })
}
