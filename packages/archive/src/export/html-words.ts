/** Marks that close a sentence or a bracket rather than belong to an address before them. */
const CLOSING_MARKS = '.,;:!?)]}'

/** An address up to what cannot be part of one in running text. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\p{Cc}]+/giu

/** Words with their http addresses as links. Whatever does not parse as such an address stays words. */
export function linked(text: string): string {
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

/** From the end: a regular expression looks at a run of marks again for each mark of it. [SEC27] */
function withoutClosingMarks(address: string): string {
  let end = address.length
  while (end > 0 && CLOSING_MARKS.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}
