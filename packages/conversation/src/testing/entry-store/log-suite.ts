import { describe, expect, it } from 'vitest'
import type { NewEntry } from '../../entry.ts'
import { MalformedEntryError } from '../../entry-errors.ts'
import { parseSearchQuery } from '../../search-text.ts'
import { MAX_PAGE_ENTRIES, type PageQuery } from '../../store/entry-log.ts'
import { AppendConflictError, CommandReusedError } from '../../store/store-errors.ts'
import { conversationCreated, inputAdmitted, titleChanged, wholeTurn } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { appendNext, begin, beginning, errorOf, inputs, OWNER, readAsText, readLog, settled } from './appending.ts'
import { ODD_IDS, ODD_TEXTS } from './odd-text.ts'

/** An entry that no schema accepts, given to `append` as if it were one. */
const NOT_AN_ENTRY = JSON.parse('{"type":"input-admitted","actor":{"type":"engine"}}')

/** Appending and reading the log. */
export function describeLog(harness: StoreHarness): void {
  describe('log', () => {
    const open = useStores(harness)

    it('[LOG1] numbers the entries of each conversation from 1 without gaps', async () => {
      const { store } = await open()
      const first = await begin(store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      await begin(store, 'b', [])
      const later = await store.append(inputs('a', first.length, ['more', 'words']))
      expect([...first, ...later.entries].map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect((await readLog(store, 'b')).map(({ seq }) => seq)).toEqual([1])
    })

    it('[LOG1] answers with the entries as they are read later, also after a restart', async () => {
      const opened = await open()
      const entries = await begin(opened.store, 'a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      expect(await readLog(opened.store, 'a')).toEqual(entries)
      const { store } = await opened.reopen()
      expect(await readLog(store, 'a')).toEqual(entries)
      expect(entries.map(({ conversationId, at, v }) => ({ conversationId, at, v }))).toEqual(
        entries.map(() => ({ conversationId: 'a', at: 1_000, v: 1 })),
      )
    })

    it('[LOG1, LOG3] keeps the time of each entry where an append gives them, and refuses too few', async () => {
      const opened = await open()
      const whole = beginning('a', wholeTurn(1, { asked: 'Hello', answered: 'Hi' }))
      const times = whole.entries.map((_, index) => 500 - index)
      const { entries } = await opened.store.append({ ...whole, times })
      expect(entries.map(({ at }) => at)).toEqual(times)
      const used = entries.filter(({ type }) => type === 'usage-recorded')
      for (const { at } of used)
        expect(await opened.store.readUsage({ ownerId: OWNER, from: at, to: at + 1, limit: 9 })).toHaveLength(1)
      const [hit] = await opened.store.search({ ownerId: OWNER, query: parseSearchQuery('Hello'), limit: 1 })
      expect(hit?.at).toBe(entries.find(({ seq }) => seq === hit?.seq)?.at)
      const { store } = await opened.reopen()
      expect(await readLog(store, 'a')).toEqual(entries)
      const fewer = store.append({ ...inputs('a', entries.length, ['one', 'two']), times: [1] })
      await errorOf(fewer, MalformedEntryError)
      expect(await readLog(store, 'a')).toEqual(entries)
    })

    it('[LOG1] does not change when a caller changes what it gave or was given', async () => {
      const { store } = await open()
      const given = conversationCreated(OWNER)
      const { entries } = await store.append({ conversationId: 'a', after: 0, entries: [given], at: 1 })
      Object.assign(given, { ownerId: 'thief' })
      Object.assign(entries[0] ?? {}, { ownerId: 'thief' })
      Object.assign((await readLog(store, 'a'))[0] ?? {}, { ownerId: 'thief' })
      expect((await readLog(store, 'a'))[0]).toMatchObject({ ownerId: OWNER })
    })

    it('[LOG2] appends nothing when the log has moved on, and says where it ends', async () => {
      const { store } = await open()
      const before = await begin(store, 'a', [inputAdmitted('input_1', 'Hello')])
      for (const after of [0, 1, 3, 4, 1_000]) {
        const { head } = await errorOf(store.append(inputs('a', after, ['late', 'later'])), AppendConflictError)
        expect(head).toBe(2)
      }
      expect(await readLog(store, 'a')).toEqual(before)
    })

    it('[LOG2] says that a log which does not exist ends at 0', async () => {
      const { store } = await open()
      const conflict = await errorOf(store.append(inputs('a', 3, ['Hello'])), AppendConflictError)
      expect(conflict).toMatchObject({ conversationId: 'a', after: 3, head: 0 })
      expect(await store.read({ conversationId: 'a', after: 0, limit: 10 })).toEqual({ entries: [], head: 0 })
    })

    // Twenty rounds: the first may only open connections, so that real races begin with the second.
    it('[LOG2] lets exactly one of eight racing appends win and keeps nothing of the others', async () => {
      const { store } = await open()
      for (let round = 0; round < 20; round++) {
        const id = `race ${round}`
        const begun = await begin(store, id, [])
        const racers = [1, 2, 3, 4, 5, 6, 7, 8].map((count) =>
          store.append(
            inputs(
              id,
              1,
              Array.from({ length: count }, () => `one of ${count}`),
            ),
          ),
        )
        const { kept, refused } = await settled(racers)
        expect(kept).toHaveLength(1)
        expect(await readLog(store, id)).toEqual([...begun, ...(kept[0]?.entries ?? [])])
        expect(await store.readListing(id)).toMatchObject({ head: 1 + (kept[0]?.entries.length ?? 0) })
        for (const error of refused) expect(error).toBeInstanceOf(AppendConflictError)
      }
    })

    it('[LOG2] lets exactly one of eight racing beginnings of a log win', async () => {
      const { store } = await open()
      for (let round = 0; round < 20; round++) {
        const id = `race ${round}`
        const racers = [1, 2, 3, 4, 5, 6, 7, 8].map((racer) =>
          store.append(beginning(id, [titleChanged(`by ${racer}`, 'user')])),
        )
        const { kept } = await settled(racers)
        expect(kept).toHaveLength(1)
        expect(await readLog(store, id)).toEqual(kept[0]?.entries)
      }
    })

    it('[LOG2] takes every one of eight racing appends to different logs', async () => {
      const { store } = await open()
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      const { kept } = await settled(ids.map((id) => store.append(beginning(id, [inputAdmitted('input_1', id)]))))
      expect(kept).toHaveLength(8)
      for (const id of ids) expect(await readLog(store, id)).toHaveLength(2)
    })

    it('[LOG3] writes nothing of an append in which one entry is none', async () => {
      const { store } = await open()
      const before = await begin(store, 'a', [])
      const entries: NewEntry[] = [titleChanged('Never', 'user'), NOT_AN_ENTRY, inputAdmitted('input_2', 'never')]
      const command = { commandId: 'command_1', fingerprint: 'f' }
      await errorOf(store.append({ conversationId: 'a', after: 1, entries, at: 2_000, command }), MalformedEntryError)
      expect(await readLog(store, 'a')).toEqual(before)
      expect(await store.readListing('a')).toMatchObject({ head: 1, title: null })
      const later = await store.append({ ...inputs('a', 1, ['allowed']), command })
      expect(later).toMatchObject({ repeated: false, entries: [{ seq: 2 }] })
    })

    it('[LOG3] refuses an entry with a field that its kind does not have, and writes nothing', async () => {
      const { store } = await open()
      const before = await begin(store, 'a', [])
      const misspelt = Object.assign(titleChanged('Never', 'user'), { sourse: 'auto' })
      const refused = await errorOf(
        store.append({ conversationId: 'a', after: 1, entries: [misspelt], at: 2_000 }),
        MalformedEntryError,
      )
      expect(refused.message).toContain('sourse')
      expect(await readLog(store, 'a')).toEqual(before)
    })

    it('[LOG4] remembers a command that left nothing, and answers it so when it comes again', async () => {
      const { store } = await open()
      const before = await begin(store, 'a', [])
      const command = { commandId: 'command_1', fingerprint: 'f' }
      const nothing = { conversationId: 'a', after: 1, entries: [], at: 2_000, command }
      expect(await store.append(nothing)).toEqual({ entries: [], repeated: false })
      expect(await readLog(store, 'a')).toEqual(before)
      expect(await store.append({ ...inputs('a', 7, ['too late']), command })).toEqual({ entries: [], repeated: true })
      expect(await readLog(store, 'a')).toEqual(before)
      const other = { ...inputs('a', 1, ['other']), command: { ...command, fingerprint: 'g' } }
      await errorOf(store.append(other), CommandReusedError)
      await errorOf(store.append({ ...nothing, conversationId: 'none', after: 0 }), MalformedEntryError)
      expect((await store.append(inputs('a', 1, ['next']))).entries).toMatchObject([{ seq: 2 }])
    })

    it('[LOG3] refuses an append without entries, and a log that does not begin as logs do', async () => {
      const { store } = await open()
      await errorOf(store.append({ conversationId: 'a', after: 0, entries: [], at: 1 }), MalformedEntryError)
      await errorOf(store.append(inputs('a', 0, ['no beginning'])), MalformedEntryError)
      await errorOf(store.append(beginning('a', [conversationCreated(OWNER)])), MalformedEntryError)
      expect(await readLog(store, 'a')).toEqual([])
      await begin(store, 'a', [])
      const again = { conversationId: 'a', after: 1, entries: [conversationCreated(OWNER)], at: 1 }
      await errorOf(store.append(again), MalformedEntryError)
      expect(await readLog(store, 'a')).toHaveLength(1)
    })

    it('[LOG5] reads pages forward and backward, each oldest first', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await store.append(
        inputs(
          'a',
          1,
          Array.from({ length: 24 }, (_, index) => `words ${index}`),
        ),
      )
      const seqs = async (query: { after: number } | { before: number }, limit: number) => {
        const page = await store.read({ conversationId: 'a', limit, ...query })
        expect(page.head).toBe(25)
        return page.entries.map(({ seq }) => seq)
      }
      expect(await seqs({ after: 0 }, 3)).toEqual([1, 2, 3])
      expect(await seqs({ after: 3 }, 3)).toEqual([4, 5, 6])
      expect(await seqs({ after: 23 }, 3)).toEqual([24, 25])
      expect(await seqs({ before: 26 }, 3)).toEqual([23, 24, 25])
      expect(await seqs({ before: 23 }, 3)).toEqual([20, 21, 22])
      expect(await seqs({ before: 3 }, 3)).toEqual([1, 2])
    })

    it('[LOG5] answers a page query beyond the ends of the log with what there is', async () => {
      const { store } = await open()
      await begin(store, 'a', [inputAdmitted('input_1', 'Hello')])
      const seqs = async (query: { after: number } | { before: number }) => {
        const page = await store.read({ conversationId: 'a', limit: 10, ...query })
        expect(page.head).toBe(2)
        return page.entries.map(({ seq }) => seq)
      }
      expect(await seqs({ after: 2 })).toEqual([])
      expect(await seqs({ after: 1_000_000 })).toEqual([])
      expect(await seqs({ after: Number.MAX_SAFE_INTEGER })).toEqual([])
      expect(await seqs({ after: -5 })).toEqual([1, 2])
      expect(await seqs({ before: 1 })).toEqual([])
      expect(await seqs({ before: 0 })).toEqual([])
      expect(await seqs({ before: -5 })).toEqual([])
      expect(await seqs({ before: Number.MAX_SAFE_INTEGER })).toEqual([1, 2])
      const unknown = { conversationId: 'unknown', before: 9, limit: 10 } as const
      expect(await store.read(unknown)).toEqual({ entries: [], head: 0 })
      expect(await readAsText(store, unknown)).toEqual({ entries: [], head: 0 })
    })

    it('[LOG5] ends a page that is bounded by bytes at the last entry that fits, in both directions, after one at least', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      const words = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(10_000))
      await store.append(inputs('a', 1, words))
      const seqs = async (query: PageQuery): Promise<readonly number[]> => {
        const { entries, head } = await store.read(query)
        expect(head).toBe(7)
        expect(await readAsText(store, query)).toEqual({ entries, head })
        return entries.map(({ seq }) => seq)
      }
      for (const [maxBytes, forward, backward] of [
        [25_000, [1, 2, 3], [6, 7]],
        [1, [1], [7]],
        [1_000_000, [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]],
      ] as const) {
        expect(await seqs({ conversationId: 'a', limit: 100, after: 0, maxBytes })).toEqual(forward)
        expect(await seqs({ conversationId: 'a', limit: 100, before: 8, maxBytes })).toEqual(backward)
      }
      expect(await seqs({ conversationId: 'a', limit: 2, after: 0, maxBytes: 1_000_000 })).toEqual([1, 2])
      expect(await seqs({ conversationId: 'a', limit: 100, after: 7, maxBytes: 1 })).toEqual([])
      expect(await seqs({ conversationId: 'a', limit: 100, before: 1, maxBytes: 1 })).toEqual([])
    })

    it('[LOG5] cuts a larger limit to the most entries that a page has', async () => {
      const { store } = await open()
      const begun = await begin(store, 'a', [])
      await store.append(
        inputs(
          'a',
          begun.length,
          Array.from({ length: MAX_PAGE_ENTRIES + 5 }, () => 'words'),
        ),
      )
      const forward = await store.read({ conversationId: 'a', after: 0, limit: 1_000_000 })
      const backward = await store.read({ conversationId: 'a', before: 10_000, limit: 1_000_000 })
      expect(forward.entries).toHaveLength(MAX_PAGE_ENTRIES)
      expect(forward.entries[0]?.seq).toBe(1)
      expect(backward.entries).toHaveLength(MAX_PAGE_ENTRIES)
      expect(backward.entries.at(-1)?.seq).toBe(MAX_PAGE_ENTRIES + 6)
    })

    it('[LOG1] keeps any text byte for byte', async () => {
      const opened = await open()
      const before = await begin(
        opened.store,
        'a',
        ODD_TEXTS.map((text, index) => inputAdmitted(`input_${index}`, text)),
      )
      const { store } = await opened.reopen()
      const read = await readLog(store, 'a')
      const texts = read.flatMap((entry) => (entry.type === 'input-admitted' ? entry.content : []))
      expect(
        texts.map((part) => (part.type === 'text' ? part.text : '')).every((text, index) => text === ODD_TEXTS[index]),
      ).toBe(true)
      expect(JSON.stringify(read)).toBe(JSON.stringify(before))
    })

    it('[LOG1] keeps ids of any letters apart', async () => {
      const opened = await open()
      for (const id of ODD_IDS) await begin(opened.store, id, [inputAdmitted(id, id)])
      const { store } = await opened.reopen()
      for (const id of ODD_IDS) {
        expect(await readLog(store, id)).toMatchObject([{ conversationId: id }, { conversationId: id, inputId: id }])
        expect(await store.readListing(id)).toMatchObject({ conversationId: id, head: 2 })
      }
    })

    it('[LOG8] refuses every call once it is closed', async () => {
      const { store } = await open()
      await begin(store, 'a', [])
      await store.close()
      await expect(appendNext(store, 'a', [inputAdmitted('input_1', 'late')])).rejects.toThrow()
      await expect(store.read({ conversationId: 'a', after: 0, limit: 1 })).rejects.toThrow()
      await expect(store.append(inputs('a', 1, ['late']))).rejects.toThrow()
      await expect(store.readListing('a')).rejects.toThrow()
    })

    it('[LOG8] finishes what it accepted before it closes', async () => {
      const opened = await open()
      await begin(opened.store, 'a', [])
      const accepted = opened.store.append(inputs('a', 1, ['just in time']))
      const reopened = opened.reopen()
      const { entries } = await accepted
      const { store } = await reopened
      expect((await readLog(store, 'a')).slice(1)).toEqual(entries)
    })
  })
}
