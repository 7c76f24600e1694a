import type { List, Paragraph, PhrasingContent, Table } from 'mdast'
import { type MarkdownNode, parseMarkdown } from './parse-markdown.ts'

/** A long block cut in two. */
export interface BlockSplit {
  /** What will not change any more. */
  readonly node: MarkdownNode
  /** Where the rest begins in the source, in UTF-16 code units. */
  readonly at: number
  /** What must stand before the rest for it to be the same kind of block. */
  readonly prefix: string
}

/** Nearer to the end than this a paragraph is not cut: what stands there may still belong together. In UTF-16 code units. */
const OPEN_LENGTH = 512

/** Cuts the finished part off a block that goes on, where its grammar allows that; null where it does not. */
export function splitBlock(node: MarkdownNode, source: string): BlockSplit | null {
  if (node.type === 'list') return splitList(node, source)
  if (node.type === 'table') return splitTable(node, source)
  if (node.type === 'paragraph') return splitParagraph(node, source)
  return null
}

/** Before its last item, if the items stand at the left edge. */
function splitList(node: List, source: string): BlockSplit | null {
  const last = node.children.at(-1)
  const at = last?.position?.start.offset
  if (!last || at === undefined || node.children.length < 2) return null
  if (at > 0 && source[at - 1] !== '\n') return null
  return { node: { ...node, children: node.children.slice(0, -1) }, at, prefix: '' }
}

/** Before its last row; the rest is read below the same head. */
function splitTable(node: Table, source: string): BlockSplit | null {
  const [head, first] = node.children
  const last = node.children.at(-1)
  const at = last?.position?.start.offset
  const bodyAt = first?.position?.start.offset
  if (!head || !first || first === last || at === undefined || bodyAt === undefined) return null
  return { node: { ...node, children: node.children.slice(0, -1) }, at, prefix: source.slice(0, bodyAt) }
}

/** After a space between two words that nothing encloses. What begins with a letter begins no other block. */
function splitParagraph(node: Paragraph, source: string): BlockSplit | null {
  for (const child of node.children.toReversed()) {
    if (child.type !== 'text') continue
    const start = child.position?.start.offset ?? 0
    const end = Math.min(child.position?.end.offset ?? 0, source.length - OPEN_LENGTH)
    const at = lastWordStart(source, start, end)
    if (at === null) continue
    const [kept, ...others] = parseMarkdown(source.slice(0, at))
    if (kept?.type !== 'paragraph' || others.length > 0) return null
    const space: PhrasingContent[] = /\s/.test(source[at - 1] ?? '') ? [{ type: 'text', value: ' ' }] : []
    return { node: { ...kept, children: [...kept.children, ...space] }, at, prefix: '' }
  }
  return null
}

function lastWordStart(source: string, start: number, end: number): number | null {
  for (let at = end; at > start + 1; at--) {
    const before = source[at - 1] ?? ''
    if (/\s/.test(before) ? /\p{L}/u.test(source[at] ?? '') : /[。！？，、]/u.test(before)) return at
  }
  return null
}
