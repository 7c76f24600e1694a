/** What the bytes of a file are, as far as they can be shown. */
export type FileContent =
  | { readonly type: 'text'; readonly text: TextContent }
  /** Text of which only the beginning is here, or that is no UTF-8: it is shown and not changed. */
  | { readonly type: 'look'; readonly text: string; readonly why: 'large' | 'not-utf-8' }
  | { readonly type: 'picture' }
  | { readonly type: 'binary' }

/** A text as it stands in a file. */
export interface TextContent {
  /** Without the byte order mark; line ends as they are. */
  readonly text: string
  /** What stands before it: a byte order mark, or nothing. */
  readonly mark: '' | '\ufeff'
  /** What its lines are parted by, where all are parted by the same; else line feeds alone part them, and all else stays. */
  readonly lineEnd: '\n' | '\r\n'
}

/** So much of a file is read, in bytes: what is larger is shown by its beginning and not changed here. */
export const SHOWN_BYTES = 2 << 20

const MARK = '\ufeff'

/** Reads what a file holds. `isWhole`: whether all of it is here. */
export function contentOf(bytes: Uint8Array, isWhole: boolean): FileContent {
  if (isPicture(bytes)) return { type: 'picture' }
  const wide = wideText(bytes)
  if (wide !== null) return { type: 'look', text: wide, why: 'not-utf-8' }
  if (bytes.includes(0)) return { type: 'binary' }
  const text = utf8Text(bytes, isWhole)
  if (text === null) return { type: 'look', text: new TextDecoder('windows-1252').decode(bytes), why: 'not-utf-8' }
  return isWhole ? { type: 'text', text: textContent(text) } : { type: 'look', text, why: 'large' }
}

/** How a text stands in its file. */
export function textContent(whole: string): TextContent {
  const mark = whole.startsWith(MARK) ? MARK : ''
  const text = whole.slice(mark.length)
  const pairs = text.split('\r\n').length - 1
  return { text, mark, lineEnd: pairs > 0 && pairs === text.split('\n').length - 1 ? '\r\n' : '\n' }
}

/** The first line that is another in a text, from 1; null where they are the same. */
export function firstOtherLine(before: string, after: string): number | null {
  if (before === after) return null
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = now.findIndex((line, index) => line !== old[index])
  return at === -1 ? now.length : at + 1
}

function utf8Text(bytes: Uint8Array, isWhole: boolean): string | null {
  try {
    // The beginning of a file may end within a letter.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isWhole })
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Text of two bytes for each letter, which says so by its mark; null for what is none. */
function wideText(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return null
}

const PICTURES: readonly RegExp[] = [
  /^\x89PNG\r\n/,
  /^\xff\xd8\xff/,
  /^GIF8[79]a/,
  /^RIFF[\s\S]{4}WEBP/,
  /^[\s\S]{4}ftypavif/,
  /^BM[\s\S]{4}\0{4}/,
]

/** What the server gives as a picture, by how it begins. */
function isPicture(bytes: Uint8Array): boolean {
  const begins = String.fromCharCode(...bytes.subarray(0, 16))
  return PICTURES.some((form) => form.test(begins))
}
