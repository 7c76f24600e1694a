/** First and last of each range: control characters, and characters that look like a blank or like nothing. */
const UNCLEAR: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
]

/**
 * Where the first character stands that a person cannot see for what it is, or -1: control characters
 * other than tab and line feed, blanks of Unicode, marks of direction, halves of surrogate pairs.
 */
export function indexOfUnclear(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code >= 0x20 && code < 0x7f) continue
    if (UNCLEAR.some(([first, last]) => code >= first && code <= last)) return at
    if (code > 0xffff) at++
  }
  return -1
}
