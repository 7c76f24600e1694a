/** What belongs to the page and not to the words. */
const PAGE_PARTS = '.code-head, .visually-hidden, button, svg'

/** Words that are drawn, as HTML that other programs take: without what the page added. */
export function plainHtml(drawn: Iterable<Element>): string {
  return [...drawn].map(plainOf).join('')
}

function plainOf(element: Element): string {
  const copy = element.cloneNode(true)
  if (!(copy instanceof Element)) return ''
  for (const part of copy.querySelectorAll(PAGE_PARTS)) part.remove()
  for (const part of copy.querySelectorAll('*')) {
    for (const { name } of [...part.attributes]) if (!KEPT.has(name)) part.removeAttribute(name)
  }
  return copy.innerHTML
}

const KEPT: ReadonlySet<string> = new Set(['href', 'start', 'align', 'colspan', 'rowspan', 'dir', 'display'])
