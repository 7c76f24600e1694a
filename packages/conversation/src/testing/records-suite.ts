import { scheduler } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Json } from '../json.ts'
import { type RecordChange, type RecordKind, type Records, RevisionConflictError } from '../store/records.ts'
import { allPages, errorOf, settled } from './entry-store/appending.ts'
import { ODD_IDS, ODD_TEXTS } from './entry-store/odd-text.ts'
import { type StoreHarness, useStores } from './store-harness.ts'

type Note = { readonly text: string; readonly tags: readonly string[] }

const note: RecordKind<Note> = {
  kind: 'note',
  schema: z.strictObject({ text: z.string(), tags: z.array(z.string()) }),
}
const memo: RecordKind<Json> = { kind: 'memo', schema: z.json() }

/** The contract of `Records` as tests. Every store passes all of it. */
export function describeRecords(name: string, harness: StoreHarness): void {
  describe(`${name} records`, () => {
    const open = useStores(harness)

    it('[LOG8] gives back what was put, with its revision, also after a restart', async () => {
      const opened = await open()
      const first = await put(opened.records, 'a', { revision: 0, text: 'one' })
      expect(first).toEqual({
        ownerId: 'user_1',
        id: 'a',
        revision: 1,
        change: first.change,
        updatedAt: 1_000,
        value: { text: 'one', tags: [] },
      })
      const second = await put(opened.records, 'a', { revision: 1, text: 'two' })
      expect(second).toMatchObject({ revision: 2, value: { text: 'two' } })
      expect(second.change).toBeGreaterThan(first.change)
      const { records } = await opened.reopen()
      expect(await records.get(note, { ownerId: 'user_1', id: 'a' })).toEqual(second)
      expect(await records.get(note, { ownerId: 'user_1', id: 'b' })).toBeNull()
    })

    it('[LOG1] does not change when a caller changes what it gave or was given', async () => {
      const { records } = await open()
      const value = { text: 'kept', tags: ['kept'] }
      const stored = await records.put(note, { ownerId: 'user_1', id: 'a', revision: 0, value, at: 1 })
      value.tags.push('changed')
      Object.assign(stored.value, { text: 'changed' })
      expect((await records.get(note, { ownerId: 'user_1', id: 'a' }))?.value).toEqual({ text: 'kept', tags: ['kept'] })
    })

    it('[LOG2] refuses a record that is not at the revision which the writer has read', async () => {
      const { records } = await open()
      await put(records, 'a', { revision: 0, text: 'one' })
      await put(records, 'a', { revision: 1, text: 'two' })
      for (const revision of [0, 1, 3]) {
        const refused = await errorOf(put(records, 'a', { revision, text: 'late' }), RevisionConflictError)
        expect(refused.currentRevision).toBe(2)
      }
      expect(
        (await errorOf(put(records, 'b', { revision: 1, text: 'late' }), RevisionConflictError)).currentRevision,
      ).toBe(0)
      expect((await records.get(note, { ownerId: 'user_1', id: 'a' }))?.value.text).toBe('two')
      expect(await records.get(note, { ownerId: 'user_1', id: 'b' })).toBeNull()
    })

    it('[LOG2] lets exactly one of eight racing writers win, for new and for known records', async () => {
      const { records } = await open()
      for (let round = 0; round < 20; round++) {
        for (const revision of [0, 1]) {
          const racers = [1, 2, 3, 4, 5, 6, 7, 8].map((racer) =>
            put(records, `id ${round}`, { revision, text: `by ${racer}` }),
          )
          const { kept, refused } = await settled(racers)
          expect(kept).toHaveLength(1)
          for (const error of refused) expect(error).toBeInstanceOf(RevisionConflictError)
          expect(await records.get(note, { ownerId: 'user_1', id: `id ${round}` })).toEqual(kept[0])
        }
      }
    })

    it('[LOG2] writes several records together or not at all, whichever of them is not at its revision', async () => {
      const opened = await open()
      const { records } = opened
      await put(records, 'a', { revision: 0, text: 'one' })
      await put(records, 'b', { revision: 0, text: 'one' })
      const together = (revisions: readonly [number, number, number], text: string) =>
        records.putTogether(
          ['a', 'b', 'c'].map((id, index) => {
            const write = { ownerId: 'user_1', id, revision: revisions[index] ?? 0, value: { text, tags: [] }, at: 7 }
            return { kind: note, write }
          }),
        )
      for (const late of [
        [0, 1, 0],
        [1, 2, 0],
        [1, 1, 1],
      ] as const)
        await errorOf(together(late, 'late'), RevisionConflictError)
      const textsOf = async () =>
        (await records.list(note, { ownerId: 'user_1', limit: 9 })).map(({ value }) => value.text)
      expect(await textsOf()).toEqual(['one', 'one'])
      const feed = await records.changes(0, 100)
      const written = await together([1, 1, 0], 'two')
      expect(written.map(({ id, revision, updatedAt }) => [id, revision, updatedAt])).toEqual([
        ['a', 2, 7],
        ['b', 2, 7],
        ['c', 1, 7],
      ])
      expect(await records.changes(feed.at(-1)?.change ?? 0, 100)).toMatchObject(['a', 'b', 'c'].map((id) => ({ id })))
      expect(await (await opened.reopen()).records.get(note, { ownerId: 'user_1', id: 'c' })).toEqual(written[2])
    })

    it('[LOG2] lets one of two racing writers of several records win, whole, also where they name them in another order', async () => {
      const { records } = await open()
      for (let round = 0; round < 20; round++) {
        const ids = [`first ${round}`, `second ${round}`]
        const by = (racer: string, order: readonly string[]) =>
          records.putTogether(
            order.map((id) => {
              const value = { text: racer, tags: [] }
              return { kind: note, write: { ownerId: 'user_1', id, revision: 0, value, at: 1 } }
            }),
          )
        const { kept, refused } = await settled([by('one', ids), by('other', ids.toReversed())])
        expect([kept.length, refused.length]).toEqual([1, 1])
        expect(refused[0]).toBeInstanceOf(RevisionConflictError)
        const found = await Promise.all(ids.map((id) => records.get(note, { ownerId: 'user_1', id })))
        expect(new Set(found.map((record) => record?.value.text))).toEqual(new Set([kept[0]?.[0]?.value.text]))
      }
    })

    it('[LOG5] lists the records of one owner and kind by id, page by page', async () => {
      const { records } = await open()
      const ids = ['e', 'b', 'a', 'd', 'c']
      for (const id of ids) await put(records, id, { revision: 0, text: id })
      await records.put(note, { ownerId: 'user_2', id: 'bb', revision: 0, value: { text: '', tags: [] }, at: 1 })
      await records.put(memo, { ownerId: 'user_1', id: 'cc', revision: 0, value: null, at: 1 })
      const page = async (query: { limit: number; afterId?: string }) =>
        (await records.list(note, { ownerId: 'user_1', ...query })).map(({ id }) => id)
      expect(await page({ limit: 10 })).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(await page({ limit: 2 })).toEqual(['a', 'b'])
      expect(await page({ limit: 2, afterId: 'b' })).toEqual(['c', 'd'])
      expect(await page({ limit: 2, afterId: 'd' })).toEqual(['e'])
      expect(await page({ limit: 2, afterId: 'e' })).toEqual([])
      expect(await records.list(note, { ownerId: 'user_3', limit: 10 })).toEqual([])
    })

    it('[LOG5] pages through ids of any letters without missing or repeating one', async () => {
      const { records } = await open()
      for (const id of ODD_IDS) await put(records, id, { revision: 0, text: id })
      const pages = await allPages((last: { readonly id: string } | undefined) =>
        records.list(note, { ownerId: 'user_1', limit: 3, ...(last ? { afterId: last.id } : {}) }),
      )
      const listed = pages.map(({ id }) => id)
      expect(listed).toHaveLength(ODD_IDS.length)
      expect(new Set(listed)).toEqual(new Set(ODD_IDS))
      for (const id of ODD_IDS) expect((await records.get(note, { ownerId: 'user_1', id }))?.value.text).toBe(id)
    })

    it('[SEC1] keeps the same id of other owners and kinds apart', async () => {
      const { records } = await open()
      await put(records, 'a', { revision: 0, text: 'mine' })
      await records.put(note, { ownerId: 'user_2', id: 'a', revision: 0, value: { text: 'theirs', tags: [] }, at: 1 })
      await records.put(memo, { ownerId: 'user_1', id: 'a', revision: 0, value: 'a memo', at: 1 })
      await records.remove(note, { ownerId: 'user_2', id: 'a', revision: 1 })
      expect((await records.get(note, { ownerId: 'user_1', id: 'a' }))?.value.text).toBe('mine')
      expect(await records.get(note, { ownerId: 'user_2', id: 'a' })).toBeNull()
      expect((await records.get(memo, { ownerId: 'user_1', id: 'a' }))?.value).toBe('a memo')
    })

    it('[LOG2] deletes a record only at the revision which the caller has read', async () => {
      const opened = await open()
      await put(opened.records, 'a', { revision: 0, text: 'one' })
      await put(opened.records, 'a', { revision: 1, text: 'two' })
      const late = opened.records.remove(note, { ownerId: 'user_1', id: 'a', revision: 1 })
      expect((await errorOf(late, RevisionConflictError)).currentRevision).toBe(2)
      const unknown = opened.records.remove(note, { ownerId: 'user_1', id: 'b', revision: 1 })
      expect((await errorOf(unknown, RevisionConflictError)).currentRevision).toBe(0)
      await opened.records.remove(note, { ownerId: 'user_1', id: 'a', revision: 2 })
      const { records } = await opened.reopen()
      expect(await records.get(note, { ownerId: 'user_1', id: 'a' })).toBeNull()
      expect(await records.list(note, { ownerId: 'user_1', limit: 10 })).toEqual([])
      expect(await put(records, 'a', { revision: 0, text: 'new' })).toMatchObject({ revision: 1 })
    })

    it('[LOG3] checks a value against its kind when it is written, and writes nothing else', async () => {
      const { records } = await open()
      const wrong: Note = JSON.parse('{"text":5}')
      await expect(
        records.put(note, { ownerId: 'user_1', id: 'a', revision: 0, value: wrong, at: 1 }),
      ).rejects.toThrow()
      expect(await records.get(note, { ownerId: 'user_1', id: 'a' })).toBeNull()
      expect(await records.changes(0, 10)).toEqual([])
    })

    it('[LOG7] checks a value against its kind when it is read, and never gives out another', async () => {
      const { records } = await open()
      const loose: RecordKind<Json> = { kind: 'note', schema: z.json() }
      await records.put(loose, { ownerId: 'user_1', id: 'a', revision: 0, value: { text: 5 }, at: 1 })
      await expect(records.get(note, { ownerId: 'user_1', id: 'a' })).rejects.toThrow()
      await expect(records.list(note, { ownerId: 'user_1', limit: 10 })).rejects.toThrow()
      expect((await records.get(loose, { ownerId: 'user_1', id: 'a' }))?.value).toEqual({ text: 5 })
    })

    it('[LOG1] keeps any text byte for byte', async () => {
      const opened = await open()
      const value = { text: ODD_TEXTS.join('|'), tags: ODD_TEXTS }
      await opened.records.put(note, { ownerId: 'user_1', id: 'a', revision: 0, value, at: 1 })
      const { records } = await opened.reopen()
      const read = await records.get(note, { ownerId: 'user_1', id: 'a' })
      expect(JSON.stringify(read?.value) === JSON.stringify(value)).toBe(true)
    })

    it('[SYNC4] tells of each record once, at its last change, deletions included, in order', async () => {
      const opened = await open()
      for (const id of ['a', 'b', 'c']) await put(opened.records, id, { revision: 0, text: id })
      await put(opened.records, 'a', { revision: 1, text: 'again' })
      await opened.records.remove(note, { ownerId: 'user_1', id: 'b', revision: 1 })
      await opened.records.put(memo, { ownerId: 'user_2', id: 'a', revision: 0, value: 1, at: 1 })
      const { records } = await opened.reopen()
      const feed = await records.changes(0, 100)
      expect(feed).toMatchObject([
        { kind: 'note', ownerId: 'user_1', id: 'c', deleted: false },
        { kind: 'note', ownerId: 'user_1', id: 'a', deleted: false },
        { kind: 'note', ownerId: 'user_1', id: 'b', deleted: true },
        { kind: 'memo', ownerId: 'user_2', id: 'a', deleted: false },
      ])
      expect(feed[1]?.change).toBe((await records.get(note, { ownerId: 'user_1', id: 'a' }))?.change)
      expect(await records.changes(feed[1]?.change ?? 0, 1)).toEqual(feed.slice(2, 3))
      expect(await records.changes(feed[3]?.change ?? 0, 10)).toEqual([])
      await put(records, 'b', { revision: 0, text: 'back' })
      const later = await records.changes(feed[3]?.change ?? 0, 10)
      expect(later).toMatchObject([{ kind: 'note', id: 'b', deleted: false }])
      expect(await records.changes(0, 100)).toHaveLength(4)
    })

    it('[SYNC4] hides no change from a reader of the feed while many write', async () => {
      const { records } = await open()
      const writers = [1, 2, 3, 4].map(async (writer) => {
        for (let number = 0; number < 25; number++)
          await put(records, `${writer} ${number}`, { revision: 0, text: 'new' })
      })
      const seen: RecordChange[] = []
      const readOn = async () => {
        const after = seen.at(-1)?.change ?? 0
        seen.push(...(await allPages((last: RecordChange | undefined) => records.changes(last?.change ?? after, 7))))
      }
      const written = { all: false }
      const done = Promise.all(writers).finally(() => {
        written.all = true
      })
      while (!written.all) {
        await readOn()
        await scheduler.yield()
      }
      await done
      await readOn()
      expect(new Set(seen.map(({ id }) => id)).size).toBe(100)
    })
  })
}

function put(records: Records, id: string, { revision, text }: { revision: number; text: string }) {
  return records.put(note, { ownerId: 'user_1', id, revision, value: { text, tags: [] }, at: 1_000 })
}
