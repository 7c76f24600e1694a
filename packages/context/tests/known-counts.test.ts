import { familyEstimator, requestSize, textWeight, toTokens } from '@holdfast/context'
import type { AnswerBlock } from '@holdfast/conversation'
import type { RequestMessage } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { requestOf } from './built.ts'

type Known = readonly [
  model: string,
  tokens: number,
  words: number,
  letters: number,
  digits: number,
  signs: number,
  drawn: number,
  lineBreaks: number,
  furtherSpaces: number,
  messages: number,
  calls: number,
]

/**
 * What requests of real conversations grew by, as their provider measured it, and how many characters of each kind it
 * was. From each conversation of the corpus that can be compared, evenly spaced ones, whatever they are estimated at.
 */
// biome-ignore format: a row for each growth
const KNOWN: readonly Known[] = [
  ['gpt-5.5', 2496, 1012, 7862, 75, 1093, 1, 327, 476, 4, 2],
  ['gpt-5.5', 10169, 5173, 31190, 715, 3660, 10, 410, 5, 2, 1],
  ['gpt-5.5', 2499, 1174, 6226, 358, 1248, 12, 77, 131, 10, 7],
  ['gpt-5.5', 3011, 1560, 8754, 207, 1583, 4, 175, 761, 3, 2],
  ['gpt-5.5', 6153, 3218, 18194, 245, 2788, 7, 557, 968, 5, 4],
  ['gpt-5.5', 10666, 5720, 29343, 610, 3331, 5341, 529, 2107, 13, 9],
  ['gpt-5.5', 3302, 1129, 6356, 581, 1455, 1309, 228, 2207, 7, 4],
  ['gpt-5.5', 3309, 1573, 7889, 349, 1031, 3880, 177, 1141, 7, 4],
  ['gpt-5.5', 22530, 12778, 67280, 1915, 12366, 12, 1434, 1803, 4, 3],
  ['gpt-5.5', 7097, 3553, 19960, 791, 4017, 14, 328, 1220, 7, 4],
  ['claude-opus-4-6', 3869, 782, 3800, 299, 1197, 6, 111, 374, 4, 2],
  ['claude-opus-4-6', 3564, 1177, 5385, 350, 1700, 19, 27, 70, 12, 6],
  ['claude-opus-4-6', 2786, 858, 4763, 368, 815, 106, 113, 339, 6, 3],
  ['claude-opus-4-6', 2459, 879, 4106, 100, 1141, 9, 12, 178, 6, 3],
  ['claude-opus-4-6', 2415, 775, 4322, 360, 470, 110, 119, 347, 7, 4],
  ['claude-opus-4-6', 2074, 632, 3515, 152, 626, 10, 29, 48, 8, 4],
  ['claude-opus-4-6', 2623, 1080, 4617, 75, 1444, 0, 7, 1090, 6, 3],
  ['claude-opus-4-6', 2465, 1064, 4372, 81, 1416, 0, 0, 1363, 4, 2],
  ['claude-opus-4-5', 2543, 1040, 4907, 149, 1405, 1, 57, 42, 8, 4],
  ['claude-opus-4-5', 3011, 1910, 7847, 16, 2384, 0, 0, 1, 2, 1],
  ['claude-opus-4-5', 2330, 884, 4722, 191, 1172, 1, 128, 65, 4, 2],
  ['claude-opus-4-5', 2257, 716, 3238, 221, 708, 1, 66, 64, 18, 9],
]

/** A text with so many characters of each kind: only their number counts. */
function textWith([, , words, letters, digits, signs, drawn, lineBreaks, furtherSpaces]: Known): string {
  const inEach = Math.floor(letters / words)
  const longer = letters - inEach * words
  const row = Array.from({ length: words }, (_, index) => 'x'.repeat(index < longer ? inEach + 1 : inEach)).join(' ')
  const punctuation = Array.from({ length: signs }, (_, index) => {
    const sign = index % 2 === 0 ? '.' : ','
    return index < lineBreaks ? `${sign}\n` : sign
  }).join('')
  return `${row}${'7'.repeat(digits)}${'─'.repeat(drawn)}${punctuation} ${' '.repeat(furtherSpaces)}`
}

/** By how much the estimate is off, as a share of what was measured. */
function errorOf(known: Known): number {
  const [modelId, tokens] = known
  const [messages, calls] = known.slice(-2).map(Number)
  const call: AnswerBlock = { type: 'tool-call', callId: 'c', name: '', inputText: '', complete: true }
  const sent = Array.from({ length: (messages ?? 0) - 1 }, (): RequestMessage => ({ role: 'user', parts: [] }))
  const called: RequestMessage = { role: 'assistant', blocks: Array.from({ length: calls ?? 0 }, () => call) }
  const said: RequestMessage = { role: 'user', parts: [{ type: 'text', text: textWith(known) }] }
  const size = requestSize({ ...requestOf([]), system: '', tools: [], messages: [said, called, ...sent.slice(1)] }, '')
  return Math.abs(toTokens(size, familyEstimator.tokenWeight({ providerId: 'x', modelId })) - tokens) / tokens
}

describe('the estimate before anything is measured', () => {
  it('[WIN12] is within 10 % of known counts at the median and 25 % at the 95th percentile', () => {
    const errors = KNOWN.map(errorOf).sort((one, other) => one - other)
    expect(errors[Math.floor(errors.length * 0.5)]).toBeLessThan(0.1)
    expect(errors[Math.floor((errors.length - 1) * 0.95)]).toBeLessThan(0.25)
  })

  it('[WIN12] weighs a text by the kinds of its characters', () => {
    const perCharacter = (text: string): number => textWeight(text) / text.length
    const prose = perCharacter('The estimate is made of what each kind of character takes. '.repeat(20))
    expect(perCharacter('{"a":1,"b":[2,3]}'.repeat(20))).toBeGreaterThan(prose)
    expect(perCharacter('0123456789'.repeat(20))).toBe(2.75)
    expect(perCharacter('x'.repeat(4_000))).toBeCloseTo(1, 2)
    expect(perCharacter('─'.repeat(4_000))).toBeLessThan(0.2)
    expect(perCharacter(' '.repeat(4_000))).toBeLessThan(1)
    expect(perCharacter('日本語'.repeat(20))).toBe(2.75)
  })
})
