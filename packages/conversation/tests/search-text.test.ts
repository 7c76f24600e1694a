import { parseSearchQuery, searchableText, searchTokens } from '@holdfast/conversation'
import { snippet } from '@holdfast/conversation/stored'
import {
  checkpointMade,
  conversationCreated,
  inputAdmitted,
  logOf,
  stepFinished,
  textBlock,
  titleChanged,
  toolCallBlock,
  userMessageSent,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string())

function tokensOf(text: string): string[] {
  return searchTokens(text).map(({ token }) => token)
}

describe('what can be found', () => {
  it('[PRJ5] finds the same words in plain texts as in others', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), (text) => {
        const other = searchTokens(`${text} 字`)
        expect(searchTokens(text)).toEqual(other.slice(0, -1))
      }),
    )
  })

  it('[PRJ5] is what people and models said, titles and summaries, each once', () => {
    const titled = { ...stepFinished('run_2', 'step_2', [textBlock('A title')]), purpose: 'title' as const }
    const said = logOf('a', [
      conversationCreated('user_1'),
      userMessageSent('run_1', 'input_1', 'asked'),
      stepFinished('run_1', 'step_1', [
        { type: 'thinking', text: 'hidden' },
        textBlock('answered'),
        toolCallBlock('call_1', 'shell'),
        textBlock('and more'),
      ]),
      titled,
      titleChanged('A title', 'auto'),
      checkpointMade({ fromSeq: 1, toSeq: 2 }, 'In short'),
      inputAdmitted('input_2', 'not sent yet'),
    ])
    const found = said.map(searchableText)
    expect(found).toEqual([null, 'asked', 'answered\nand more', null, 'A title', 'In short', null])
  })
})

describe('the words of a text', () => {
  it('[PRJ5] are folded so that case, accents, width and ß do not matter', () => {
    expect(tokensOf('Straße STRASSE STRAẞE')).toEqual(['strasse', 'strasse', 'strasse'])
    expect(tokensOf('Café CAFE\u0301 ＡＢＣ ﬁn İstanbul Ελλάς ΕΛΛΑΣ')).toEqual([
      'cafe',
      'cafe',
      'abc',
      'fin',
      'istanbul',
      'ελλασ',
      'ελλασ',
    ])
  })

  it('[PRJ5] are single characters in scripts without spaces', () => {
    expect(tokensOf('北京 is 東京タワー')).toEqual(['北', '京', 'is', '東', '京', 'タ', 'ワ', 'ー'])
    expect(tokensOf('서울에서 만나요')).toEqual(['서울에서', '만나요'])
  })

  it('[PRJ5] stand where they say, hold no marks or spaces, and are the same when folded again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0
        for (const { token, from, to } of searchTokens(text)) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(to).toBeGreaterThan(from)
          expect(tokensOf(text.slice(from, to))).toEqual([token])
          expect(token).toMatch(/^[\p{L}\p{N}]{1,64}$/u)
          end = to
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  it('[PRJ5] are cut when they are very long, between characters', () => {
    const [long] = searchTokens('𐐷'.repeat(100))
    expect(long?.token).toBe('𐐷'.repeat(32))
    const [odd] = searchTokens(`a${'𐐷'.repeat(100)}`)
    expect(odd?.token).toBe(`a${'𐐷'.repeat(31)}`)
  })
})

describe('a search query', () => {
  const phrases = (typed: string) =>
    parseSearchQuery(typed).phrases.map(({ tokens, prefix }) => `${tokens.join(' ')}${prefix ? '…' : ''}`)

  it('[PRJ5] is all words, the last one as a beginning until a space or a quote ends it', () => {
    expect(phrases('hello wor')).toEqual(['hello', 'wor…'])
    expect(phrases('hello world ')).toEqual(['hello', 'world'])
    expect(phrases('say "hello world"')).toEqual(['say', 'hello world'])
    expect(phrases('say "hello wor')).toEqual(['say', 'hello wor…'])
    expect(phrases('say "hello ')).toEqual(['say', 'hello'])
    expect(phrases('"a b"c')).toEqual(['a b', 'c…'])
    expect(phrases("don't e-mail")).toEqual(['don t', 'e mail…'])
    expect(phrases('東京タワー')).toEqual(['東 京 タ ワ ー…'])
  })

  it('[PRJ5] asks for nothing when there is no word in it', () => {
    for (const typed of ['', ' ', '"', '""', '-', '* ()', '\u0000', '\ud800']) expect(phrases(typed)).toEqual([])
  })

  it('[PRJ5] is read whatever was typed', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const { phrases: all } = parseSearchQuery(typed)
        const asked = new Set(tokensOf(typed.replaceAll('"', ' ')))
        expect(all.length).toBeLessThanOrEqual(16)
        expect(all.flatMap(({ tokens }) => tokens).every((token) => asked.has(token))).toBe(true)
        expect(all.slice(0, -1).every(({ prefix }) => !prefix)).toBe(true)
      }),
    )
  })
})

describe('a search that is meant to take long', () => {
  it('[SEC5] is of at most 16 phrases, each once, and of their first 32 words', () => {
    expect(parseSearchQuery('a '.repeat(500)).phrases).toEqual([{ tokens: ['a'], prefix: false }])
    const many = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ')
    expect(parseSearchQuery(many).phrases).toHaveLength(16)
    expect(parseSearchQuery(`"${many}"`).phrases).toMatchObject([{ tokens: { length: 32 }, prefix: false }])
  })

  it('[SEC5] takes for ten times the text at most twelve times as long, and no longer beyond what is looked at', () => {
    const query = { phrases: Array.from({ length: 16 }, () => ({ tokens: ['a'], prefix: false })) }
    /** Of several readings the one that nothing disturbed; a short text is read often, for the clock of a thread is coarse. */
    const measured = (count: number, lookedAt: number, often: number): number => {
      const text = 'a '.repeat(count)
      const times = Array.from({ length: 7 }, () => {
        const begun = process.threadCpuUsage()
        for (let reading = 0; reading < often; reading++) snippet(text, query, { length: 160, lookedAt })
        const { user, system } = process.threadCpuUsage(begun)
        return (user + system) / 1_000
      })
      return Math.min(...times)
    }
    measured(50_000, 100_000, 1)
    // A machine that is busy may take from one of both; what is too slow is so each time.
    const isInProportion = () => measured(200_000, 400_000, 10) < 1.2 * measured(20_000, 40_000, 100) + 60
    expect([1, 2, 3].some(isInProportion)).toBe(true)
    expect(measured(5_000_000, 50_000, 10)).toBeLessThan(3 * measured(25_000, 50_000, 10) + 20)
  })
})

describe('a snippet', () => {
  it('[PRJ5] shows the first hit with a little before it', () => {
    const text = `${'before '.repeat(50)}the needle ${'after '.repeat(50)}`
    const { text: passage, highlights } = snippet(text, parseSearchQuery('needle '), {
      length: 60,
      lookedAt: text.length,
    })
    expect(passage).toHaveLength(60)
    expect(highlights.map(({ from, to }) => passage.slice(from, to))).toEqual(['needle'])
  })

  it('[PRJ5] marks what it shows of a word that is longer than the passage', () => {
    const { text, highlights } = snippet('x'.repeat(500), parseSearchQuery('xxx'), { length: 60, lookedAt: 500 })
    expect(highlights).toEqual([{ from: 0, to: text.length }])
  })

  it('[PRJ5] is a passage of the text with marks inside it, whatever the text', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.integer({ min: 8, max: 40 }), (text, pick, length) => {
        const word = tokensOf(text).at(pick % Math.max(1, tokensOf(text).length))
        const passage = snippet(
          text,
          { phrases: word === undefined ? [] : [{ tokens: [word], prefix: false }] },
          { length, lookedAt: text.length },
        )
        expect(text.includes(passage.text)).toBe(true)
        expect(passage.text.length).toBeLessThanOrEqual(length + 1)
        let end = 0
        for (const { from, to } of passage.highlights) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(to).toBeGreaterThan(from)
          end = to
        }
        expect(end).toBeLessThanOrEqual(passage.text.length)
        if (word !== undefined) expect(passage.highlights.length).toBeGreaterThan(0)
      }),
    )
  })

  it('[PRJ5] does not cut a character in two', () => {
    const text = '😀'.repeat(50)
    for (let length = 1; length < 20; length++) {
      expect(
        snippet(`${text} needle ${text}`, parseSearchQuery('needle '), { length, lookedAt: 1_000 }).text.isWellFormed(),
      ).toBe(true)
    }
  })
})
