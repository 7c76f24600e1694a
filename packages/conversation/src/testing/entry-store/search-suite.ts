import { describe, expect, it } from 'vitest'
import { parseSearchQuery, searchTokens } from '../../search-text.ts'
import type { SearchHit } from '../../store/conversation-index.ts'
import type { EntryStore } from '../../store/entry-store.ts'
import { conversationCreated, pathRewound, titleChanged, userMessageSent, wholeTurn } from '../entries.ts'
import { type StoreHarness, useStores } from '../store-harness.ts'
import { appendNext, begin, OWNER } from './appending.ts'
import { ODD_TEXTS } from './odd-text.ts'

/** What a person may type that is no search. */
const HOSTILE_QUERIES: readonly string[] = [
  '',
  ' ',
  '"',
  '""',
  '"" ""',
  '*',
  '-',
  '...!?',
  '()',
  "'",
  "' OR 1=1 --",
  'AND',
  'NOT',
  'NOT x',
  'hello OR',
  'hello NEAR/2 you',
  'column:hello',
  '^hello',
  'hello*',
  '+hello -you',
  '{hello}',
  '"unfinished',
  'a\u0000b',
  '\u0000',
  '\ud800',
  '\udc00 hello',
  '\\',
  '%',
  '_',
  '$1 ? :x @y',
  '/*',
  'hello & | ! <-> you:*',
  'x'.repeat(10_000),
  'ab '.repeat(3_333),
  '"'.repeat(10_000),
  '漢'.repeat(10_000),
  '"a b '.repeat(2_000),
  '👩‍👩‍👧‍👦'.repeat(900),
  '\u0301'.repeat(10_000),
]

/** Finding words in all conversations of an owner. */
export function describeSearch(harness: StoreHarness): void {
  describe('search', () => {
    const open = useStores(harness)

    it('[PRJ5] finds messages of people and models that hold all words, also after a restart', async () => {
      const opened = await open()
      await begin(
        opened.store,
        'a',
        wholeTurn(1, { asked: 'How do tides work?', answered: 'The moon pulls the water.' }),
      )
      await begin(opened.store, 'b', wholeTurn(1, { asked: 'Is the moon made of cheese?', answered: 'No.' }))
      const { store } = await opened.reopen()
      expect(await found(store, 'tides ')).toEqual(['a 4'])
      expect((await found(store, 'moon ')).sort()).toEqual(['a 6', 'b 4'])
      expect(await found(store, 'water moon ')).toEqual(['a 6'])
      expect(await found(store, 'tides moon ')).toEqual([])
      expect(await found(store, 'sun ')).toEqual([])
    })

    it('[PRJ5] finds words that stand together, and the word being typed', async () => {
      const { store } = await open()
      await begin(store, 'a', [userMessageSent('run_1', 'input_1', 'the quick brown fox jumps')])
      await begin(store, 'b', [userMessageSent('run_1', 'input_1', 'brown is a quick colour of a fox')])
      expect(await found(store, '"quick brown"')).toEqual(['a 2'])
      expect(await found(store, '"brown quick"')).toEqual([])
      expect((await found(store, 'quick brown fo')).sort()).toEqual(['a 2', 'b 2'])
      expect((await found(store, 'qui')).sort()).toEqual(['a 2', 'b 2'])
      expect(await found(store, 'qui ')).toEqual([])
      expect(await found(store, '"qui"')).toEqual([])
      expect(await found(store, 'uick')).toEqual([])
    })

    it('[PRJ5] finds words whatever their case, accents and width', async () => {
      const { store } = await open()
      await begin(store, 'a', [userMessageSent('run_1', 'input_1', 'Ein Café in ZÜRICH, ＡＢＣ and Ελλάδα, Йод')])
      for (const typed of ['cafe ', 'CAFÉ ', 'cafe\u0301 ', 'zurich ', 'Zürich ', 'abc ', 'ελλαδα ', 'ЙОД ', 'йо']) {
        expect(await found(store, typed)).toEqual(['a 2'])
      }
    })

    it('[PRJ5] finds words in scripts without spaces', async () => {
      const { store } = await open()
      await begin(store, 'zh', [userMessageSent('run_1', 'input_1', '我们在北京大学学习中文。')])
      await begin(store, 'ja', [userMessageSent('run_1', 'input_1', '東京タワーの近くに住んでいます')])
      await begin(store, 'th', [userMessageSent('run_1', 'input_1', 'สวัสดีครับ ยินดีที่ได้รู้จัก')])
      await begin(store, 'ko', [userMessageSent('run_1', 'input_1', '서울에서 만나요')])
      expect(await found(store, '北京')).toEqual(['zh 2'])
      expect(await found(store, '学习中文')).toEqual(['zh 2'])
      expect(await found(store, '大京')).toEqual([])
      expect(await found(store, '東京タワー')).toEqual(['ja 2'])
      expect(await found(store, '住んで')).toEqual(['ja 2'])
      expect(await found(store, 'ยินดี')).toEqual(['th 2'])
      expect(await found(store, '서울')).toEqual(['ko 2'])
      expect(await found(store, '만나요 ')).toEqual(['ko 2'])
    })

    it('[PRJ5] finds titles, and says the present title of each hit', async () => {
      const { store } = await open()
      await begin(store, 'a', [
        titleChanged('Journey to Lisbon', 'auto'),
        userMessageSent('run_1', 'input_1', 'Which train?'),
      ])
      await appendNext(store, 'a', [titleChanged('Holidays', 'user')])
      expect(await found(store, 'holidays ')).toEqual(['a 4'])
      const [hit] = await searched(store, 'train ')
      expect(hit).toMatchObject({ conversationId: 'a', seq: 3, at: 1_000, title: 'Holidays' })
    })

    it('[PRJ6] still finds what was set aside', async () => {
      const { store } = await open()
      await begin(store, 'a', [userMessageSent('run_1', 'input_1', 'abandoned words'), pathRewound(0)])
      expect(await found(store, 'abandoned ')).toEqual(['a 2'])
    })

    it('[SEC1] finds only what belongs to the owner', async () => {
      const { store } = await open()
      await begin(store, 'a', [userMessageSent('run_1', 'input_1', 'secret words')])
      const entries = [conversationCreated('user_2'), userMessageSent('run_1', 'input_1', 'secret words too')]
      await store.append({ conversationId: 'b', after: 0, entries, at: 1_000 })
      expect(await found(store, 'secret ')).toEqual(['a 2'])
      const theirs = await store.search({ ownerId: 'user_2', query: parseSearchQuery('secret '), limit: 10 })
      expect(theirs.map(({ conversationId }) => conversationId)).toEqual(['b'])
      expect(await store.search({ ownerId: 'user_3', query: parseSearchQuery('secret '), limit: 10 })).toEqual([])
    })

    it('[PRJ5] gives the newest first, and no more than asked for', async () => {
      const { store } = await open()
      for (const [id, at] of [
        ['a', 2_000],
        ['b', 4_000],
        ['c', 1_000],
        ['d', 3_000],
      ] as const) {
        const entries = [conversationCreated(OWNER), userMessageSent('run_1', 'input_1', 'words')]
        await store.append({ conversationId: id, after: 0, entries, at })
      }
      expect(await found(store, 'words ')).toEqual(['b 2', 'd 2', 'a 2', 'c 2'])
      const two = await store.search({ ownerId: OWNER, query: parseSearchQuery('words '), limit: 2 })
      expect(two.map(({ conversationId }) => conversationId)).toEqual(['b', 'd'])
    })

    it('[PRJ5] shows the passage with the found words marked', async () => {
      const { store } = await open()
      const filler = 'nothing to see here '.repeat(200)
      await begin(store, 'a', [
        userMessageSent('run_1', 'input_1', `${filler}👩‍👧 der Schlüßel und das SCHLOẞ ${filler}`),
      ])
      const [hit] = await searched(store, 'schloss sch')
      const marked = (hit?.highlights ?? []).map(({ from, to }) => hit?.snippet.slice(from, to))
      expect(marked).toEqual(expect.arrayContaining(['Schlüßel']))
      for (const words of marked) expect(searchTokens(words ?? '')[0]?.token.startsWith('sch')).toBe(true)
      expect(hit?.snippet.length).toBeLessThan(1_000)
    })

    it('[PRJ5] finds the same after the index of a conversation was made anew', async () => {
      const { store } = await open()
      await begin(store, 'a', [
        titleChanged('Tides', 'auto'),
        ...wholeTurn(1, { asked: 'How do tides work?', answered: 'Slowly.' }),
      ])
      const before = await searched(store, 'tides ')
      await store.reindex('a')
      await store.reindex('a')
      expect(await searched(store, 'tides ')).toEqual(before)
      expect(before).toHaveLength(2)
    })

    it('[PRJ5] answers whatever a person types', async () => {
      const { store } = await open()
      const texts = ODD_TEXTS.map((text) => text.slice(0, 5_000))
      await begin(
        store,
        'a',
        texts.map((text, index) => userMessageSent('run_1', `input_${index}`, `${text} hello ${text}`)),
      )
      for (const typed of HOSTILE_QUERIES) {
        const hits = await searched(store, typed)
        expect(Array.isArray(hits)).toBe(true)
      }
      for (const typed of ['', '"', '...!?', '()', '""', '\u0000', '\ud800', '*'])
        expect(await searched(store, typed)).toEqual([])
      expect(await searched(store, 'hello ')).toHaveLength(texts.length)
    })
  })
}

function searched(store: EntryStore, typed: string): Promise<readonly SearchHit[]> {
  return store.search({ ownerId: OWNER, query: parseSearchQuery(typed), limit: 100 })
}

/** The hits as `conversation seq`, in their order. */
async function found(store: EntryStore, typed: string): Promise<string[]> {
  return (await searched(store, typed)).map(({ conversationId, seq }) => `${conversationId} ${seq}`)
}
