import { markHidden } from '@holdfast/conversation'

/**
 * Text of a tool or a model for a terminal: without codes that colour, move or name things, without other control
 * characters but line breaks and tabs, and with a visible mark for what would turn the words around. [SEC3, UI31]
 */
export function plainText(text: string): string {
  return markTurns(text.replace(CODES, '').replace(CONTROLS, ''))
}

/** Text that a person decides on: nothing is taken out, and what is not seen is marked. [UI31] */
export function shownPlainly(text: string): string {
  return markHidden(text)
}

/** Plain text that comes in pieces. */
export interface PlainStream {
  /** The next piece, plainly. A code that is cut at its end waits for the rest. */
  take(piece: string): string
}

/** Takes codes out of a text that comes in pieces, also where a piece ends within one. */
export function createPlainStream(): PlainStream {
  let held = ''
  return {
    take(piece) {
      const text = (held + piece).replace(CODES, '')
      const from = Math.max(0, text.length - HELD_CHARS)
      const begun = Array.from(text.slice(from).matchAll(INTRODUCERS), ({ index }) => from + index)
      const at = begun.find((index) => BEGUN.test(text.slice(index))) ?? text.length
      held = text.slice(at)
      return plainText(text.slice(0, at))
    },
  }
}

/** A code that is longer than this, in UTF-16 code units, is no code. */
const HELD_CHARS = 2_048

/** Whole codes of a terminal: strings that it does not draw (OSC, DCS and the like), and sequences (ECMA-48, 5.4 and 5.6). */
const CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]{0,2048}(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[ -/]{0,8}[0-OQ-WYZ\\`-~]/g

/** What every code begins with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const INTRODUCERS = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/g

/** A code that has not come to its end. */
const BEGUN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /^(?:(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*\u001b?|(?:\u001b\[|\u009b)[0-?]*[ -/]*|\u001b[ -/]*)$/

const CONTROLS = /[^\P{Cc}\n\t]/gu

/** Marks of direction that reach over other words (Unicode TR 9, 2.1 to 2.4). */
function markTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, markHidden)
}
