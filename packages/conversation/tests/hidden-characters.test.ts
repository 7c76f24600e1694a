import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hiddenCharacter, markHidden } from '../src/hidden-characters.ts'

/** What Unicode says is not drawn or turns others around. A second source beside the table of the code. */
const UNDRAWN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u
/** Joiners and variation marks are drawn, as the form of the letters beside them. */
const SHAPES = /^(?:\u200c|\u200d|\ufe0e|\ufe0f)$/u
const ALL = Array.from({ length: 0xe1000 }, (_, code) => code)
  .filter((code) => UNDRAWN.test(String.fromCodePoint(code)))
  .map((code) => String.fromCodePoint(code))
const SEEN = ['a', ' ', ';', 'é', 'ب', 'ए', '日', '👍', '👩', '\t', '\n', '-', '‹', 'rm -rf b']

describe('characters that are not seen', () => {
  it('[UI31] marks what turns a command around, and leaves what is seen', () => {
    expect(markHidden('echo a\u202e fr- mr \u2066\u200b; ls')).toBe('echo a‹U+202E› fr- mr ‹U+2066›‹U+200B›; ls')
    expect(markHidden('\u001b[31mred\u0007\r\n\tx')).toBe('‹U+001B›[31mred‹U+0007›‹U+000D›\n\tx')
    expect(markHidden('می\u200cخواهم, 👩\u200d💻, ❤\ufe0f, naïve')).toBe('می\u200cخواهم, 👩\u200d💻, ❤\ufe0f, naïve')
    expect(markHidden('a\ud800b')).toBe('a‹U+D800›b')
  })

  it('[UI31] marks every character that Unicode does not draw', () => {
    const missed = ALL.filter(
      (character) => !'\t\n'.includes(character) && markHidden(`a${character}b`).includes(character),
    )
    expect(missed.map((character) => character.codePointAt(0)?.toString(16))).toEqual([])
    expect(hiddenCharacter('a\u202eb')).toBe('U+202E')
  })

  it('[UI31] gives a text from which the original can be read again, whatever stands in it', () => {
    const character = fc.oneof(fc.constantFrom(...ALL), fc.constantFrom(...SEEN))
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 12 }), (text) => {
        const marked = markHidden(text)
        const left = Array.from(marked).filter((one) => UNDRAWN.test(one) && !SHAPES.test(one) && !'\t\n'.includes(one))
        expect(left).toEqual([])
        const read = marked.replace(/‹U\+([0-9A-F]{4,6})›/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        )
        expect(read).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
