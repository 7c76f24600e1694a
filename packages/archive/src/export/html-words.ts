/** Marks that close a sentence or a bracket rather than belong to an address before them. */
const CLOSING_MARKS = '.,;:!?)]}'

/** An address up to what cannot be part of one in running text. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\p{Cc}]+/giu

/** Characters of one piece of a text. */
const PIECE_CHARS = 65_536
/** A row of characters without white space that is longer is cut, and is no address. */
const LONGEST_ROW = 1_048_576

/** Words with their http addresses as links. Whatever does not parse as such an address stays words. */
export function linked(text: string): string {
  return Array.from(linkedPieces(text)).join('')
}

/** Words with their http addresses as links, in pieces that are made as they are taken: a long text holds nobody up. [SEC31] */
export function* linkedPieces(text: string): Generator<string> {
  for (const piece of piecesOf(text)) yield linkedPiece(piece)
}

/** Words as HTML reads them, in pieces. [SEC31] */
export function* escapedPieces(text: string): Generator<string> {
  for (const piece of piecesOf(text)) yield escaped(piece)
}

function linkedPiece(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutClosingMarks(match[0])
    const url = URL.canParse(address) ? new URL(address) : null
    if (url === null || !['http:', 'https:'].includes(url.protocol)) continue
    html += escaped(text.slice(end, match.index))
    html += `<a href="${escaped(url.href)}" rel="noopener noreferrer nofollow">${escaped(address)}</a>`
    end = match.index + address.length
  }
  return html + escaped(text.slice(end))
}

/** Words as HTML reads them, in text and in attributes; characters that turn the direction of text are shown as what they are. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** A text in pieces that end behind white space, as every address does. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const until = endOfPiece(text, from)
    yield text.slice(from, until)
    from = until
  }
}

function endOfPiece(text: string, from: number): number {
  const soonest = from + PIECE_CHARS
  if (soonest >= text.length) return text.length
  const latest = Math.min(text.length, from + LONGEST_ROW)
  const space = text.slice(soonest, latest).search(/\s/)
  if (space >= 0) return soonest + space + 1
  // Halves of a pair stay together.
  return latest < text.length && /[\ud800-\udbff]/.test(text.charAt(latest - 1)) ? latest - 1 : latest
}

/** From the end: a regular expression looks at a run of marks again for each mark of it. [SEC27] */
function withoutClosingMarks(address: string): string {
  let end = address.length
  while (end > 0 && CLOSING_MARKS.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}
