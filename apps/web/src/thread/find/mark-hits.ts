/** The names under which the styles know what is marked. */
const ALL = 'found'
const CURRENT = 'found-now'

/** Marks every place of the words that is drawn. Nothing of the page is changed by it. */
export function markHits(view: HTMLElement, words: string): void {
  CSS.highlights.set(ALL, new Highlight(...rangesOf(view, words)))
}

/** Marks one place of the words in a message more strongly. @returns its range; null where it is not drawn. */
export function markCurrent(message: HTMLElement, words: string, place: number): Range | null {
  const ranges = rangesOf(message, words)
  // What is written between marks of Markdown may be drawn in another number of places.
  const range = ranges[Math.min(place, ranges.length - 1)] ?? null
  CSS.highlights.set(CURRENT, range ? new Highlight(range) : new Highlight())
  return range
}

/** Takes all marks away. */
export function unmark(): void {
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}

function rangesOf(root: HTMLElement, words: string): Range[] {
  const wanted = words.toLowerCase()
  const ranges: Range[] = []
  if (wanted.trim() === '') return ranges
  for (const own of root.querySelectorAll('.words')) {
    const nodes = textNodesOf(own)
    const text = nodes
      .map((node) => node.data)
      .join('')
      .toLowerCase()
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = rangeOver(nodes, at, at + wanted.length)
      if (range) ranges.push(range)
    }
  }
  return ranges
}

function textNodesOf(root: Element): readonly Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) nodes.push(node)
  return nodes
}

function rangeOver(nodes: readonly Text[], from: number, to: number): Range | null {
  const range = new Range()
  let begun = false
  let end = 0
  for (const node of nodes) {
    const start = end
    end += node.data.length
    if (!begun && from < end) {
      range.setStart(node, from - start)
      begun = true
    }
    if (begun && to <= end) {
      range.setEnd(node, to - start)
      return range
    }
  }
  return null
}
