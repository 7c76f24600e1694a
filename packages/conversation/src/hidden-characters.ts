/** First and last of each range that a person does not see and a model reads, beside controls and halves of pairs. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]
const UNSEEN = /[\p{Cs}\p{Co}]/u
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u
const VARIES = /[\p{Extended_Pictographic}\p{Emoji}\p{Sm}\p{So}]/u
/** Scripts that write with joiners between their letters. */
const JOINS =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}]/u

/** The first hidden character of a text as `U+200B`, or null. Line breaks are none. */
export function hiddenCharacter(text: string): string | null {
  // Most texts have nothing above ASCII.
  if (/^[\t\n\r\x20-\x7e]*$/.test(text)) return null
  const characters = Array.from(text)
  const found = characters.find((_, at) => isHidden(characters, at))
  return found === undefined ? null : codeOf(found)
}

/**
 * The text with a visible mark such as `‹U+202E›` for each character that is not seen or that turns others around, so that
 * what a person decides on is read as it is. Line breaks and tabs stay; a return to the line's beginning is marked. [UI31]
 */
export function markHidden(text: string): string {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text
  const characters = Array.from(text)
  return characters
    .map((character, at) => (character === '\r' || isHidden(characters, at) ? `‹${codeOf(character)}›` : character))
    .join('')
}

/** Joiners and variation marks are seen where writing needs them, and hidden everywhere else. */
function isHidden(characters: readonly string[], at: number): boolean {
  const character = characters[at] ?? ''
  const before = characters[at - 1]
  const after = characters[at + 1]
  const code = character.codePointAt(0) ?? 0
  if (code === 0x09 || code === 0x0a || code === 0x0d) return false
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  if (code < 0xa0) return false
  if (code === 0x200d && before !== undefined && after !== undefined && isPicture(before) && PICTURE.test(after))
    return false
  if (code === 0x200c || code === 0x200d)
    return before === undefined || after === undefined || !JOINS.test(before) || !JOINS.test(after)
  if (code >= 0xfe00 && code <= 0xfe0f) return code < 0xfe0e || before === undefined || !VARIES.test(before)
  return HIDDEN.some(([first, last]) => code >= first && code <= last) || UNSEEN.test(character)
}

function isPicture(character: string): boolean {
  return PICTURE.test(character) || character === '\u{fe0f}'
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
