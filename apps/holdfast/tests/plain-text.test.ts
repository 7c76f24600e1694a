import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlainStream, plainText, shownPlainly } from '../src/cli/terminal/plain-text.ts'

const CODE = fc.constantFrom(
  '\u001b[31m',
  '\u001b[0m',
  '\u001b]8;;http://evil\u0007',
  '\u001b]0;T\u001b\\',
  '\u009b2J',
  '\u001b[?25l',
  '\u001bc',
)
const WORDS = fc.constantFrom('a', 'red ', '日', '\n', '[31m', ']8;;')

describe('words in a terminal', () => {
  it('[UI31] leaves no rest of a code, and marks what turns words around', () => {
    expect(plainText('\u001b[31mRED\u001b[0m \u001b]8;;http://evil\u0007link\u001b]8;;\u0007!')).toBe('RED link!')
    expect(plainText('a\u202eb\u0007')).toBe('a‹U+202E›b')
  })

  it('[UI31] what a person decides on has a mark for each character that is not seen', () => {
    expect(shownPlainly('Allow shell {"command":"echo a\u202e\u200b rm"}?')).toBe(
      'Allow shell {"command":"echo a‹U+202E›‹U+200B› rm"}?',
    )
  })

  it('[UI31] a text in pieces is as plain as the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(CODE, WORDS), { maxLength: 12 }), fc.array(fc.nat(40)), (parts, cuts) => {
        const text = `${parts.join('')}.`
        const words = parts.filter((part) => !part.startsWith('\u001b') && !part.startsWith('\u009b')).join('')
        expect(plainText(text)).toBe(`${words}.`)
        const stream = createPlainStream()
        const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const taken = at.slice(1).map((end, index) => stream.take(text.slice(at[index], end)))
        expect(taken.join('')).toBe(`${words}.`)
      }),
    )
  })
})
