import type { List, Paragraph, PhrasingContent, Table } from 'mdast'
import { type MarkdownNode, parseMarkdown } from './parse-markdown.ts'

/** A part of the text that is shown by itself. One that is finished keeps its identity for good. */
export interface MarkdownPiece {
  /** Where it begins in the text, in UTF-16 code units: its name. */
  readonly at: number
  readonly node: MarkdownNode
  /** It goes on with the block of the piece before: the same paragraph, list or table. */
  readonly joins: boolean
}

/** The text as far as it has been read. */
export interface MarkdownView {
  readonly pieces: readonly MarkdownPiece[]
  /** What came after the last parse of a block that cannot be cut: shown as it is until the next one. */
  readonly rest: string
}

/** Reads a text that grows at its end. */
export interface MarkdownReader {
  /** The same text again gives the same answer; another text than a longer one is read anew. */
  read(text: string, isComplete: boolean): MarkdownView
}

/** What is parsed at once, in UTF-16 code units: it bounds the work of a frame, whatever the length of the text. */
const WINDOW_LENGTH = 2_048

/** A block that cannot be cut is parsed again when it has grown by this share, so that all its parses cost a multiple of one. */
const GROWTH = 1.25

interface ReaderState {
  text: string
  finished: MarkdownPiece[]
  /** Where the first piece begins that more text may still change. */
  openAt: number
  /** Stands before the open part when it is parsed: the head of its table. */
  prefix: string
  joins: boolean
  windowLength: number
  /** The last parse of an open block that is longer than the window and cannot be cut. */
  stuck: { readonly node: MarkdownNode; readonly length: number } | null
  isComplete: boolean
  view: MarkdownView
}

/**
 * Reads Markdown block by block. Blocks before the last one are finished, and of a long last one everything
 * but its end: a frame parses a few thousand characters, not the text. A reference whose definition stands in
 * another block stays text.
 */
export function createMarkdownReader(): MarkdownReader {
  let state = emptyState()
  return {
    read(text, isComplete) {
      if (text === state.text && isComplete === state.isComplete) return state.view
      if (!text.startsWith(state.text)) state = emptyState()
      state.text = text
      state.isComplete = isComplete
      state.view = advance(state, isComplete)
      return state.view
    },
  }
}

function emptyState(): ReaderState {
  return {
    text: '',
    finished: [],
    openAt: 0,
    prefix: '',
    joins: false,
    windowLength: WINDOW_LENGTH,
    stuck: null,
    isComplete: false,
    view: { pieces: [], rest: '' },
  }
}

function advance(state: ReaderState, isComplete: boolean): MarkdownView {
  for (;;) {
    const fence = state.joins ? null : openFence(state.text, state.openAt)
    if (fence) {
      const close = closingFence(state.text, fence)
      const node = codeOf(fence, state.text.slice(fence.contentAt, close?.contentEnd))
      if (!close) return viewOf(state, node, '')
      state.finished.push({ at: state.openAt, node, joins: false })
      moveTo(state, close.end)
      continue
    }
    const tailLength = state.text.length - state.openAt
    const { stuck } = state
    if (stuck && !isComplete && tailLength < stuck.length * GROWTH) {
      return viewOf(state, stuck.node, state.text.slice(state.openAt + stuck.length))
    }
    const length = Math.min(tailLength, state.windowLength)
    const source = state.prefix + state.text.slice(state.openAt, state.openAt + length)
    const nodes = parseMarkdown(source)
    const [open] = nodes
    if (!open) return viewOf(state, undefined, '')
    if (finishBefore(state, nodes)) continue
    const split = length >= WINDOW_LENGTH ? splitBlock(open, source) : null
    if (split) applySplit(state, split)
    else if (length < tailLength) state.windowLength *= 2
    else {
      if (length > WINDOW_LENGTH) state.stuck = { node: open, length }
      return viewOf(state, open, '')
    }
  }
}

function codeOf({ language }: { readonly language: string | null }, value: string): MarkdownNode {
  return { type: 'code', lang: language, meta: null, value }
}

/** Everything but the last block is finished. @returns whether there was any. */
function finishBefore(state: ReaderState, nodes: readonly MarkdownNode[]): boolean {
  const last = nodes.at(-1)
  if (nodes.length < 2 || !last) return false
  for (const node of nodes.slice(0, -1)) {
    state.finished.push({ at: offsetOf(state, node), node, joins: state.joins })
    state.joins = false
  }
  moveTo(state, offsetOf(state, last))
  return true
}

function applySplit(state: ReaderState, { node, at, prefix }: BlockSplit): void {
  state.finished.push({ at: state.openAt, node, joins: state.joins })
  const openAt = state.openAt + at - state.prefix.length
  moveTo(state, openAt)
  state.prefix = prefix
  state.joins = true
}

function moveTo(state: ReaderState, openAt: number): void {
  state.openAt = openAt
  state.prefix = ''
  state.joins = false
  state.windowLength = WINDOW_LENGTH
  state.stuck = null
}

function viewOf(state: ReaderState, open: MarkdownNode | undefined, rest: string): MarkdownView {
  if (!open) return { pieces: state.finished.slice(), rest }
  return { pieces: [...state.finished, { at: state.openAt, node: open, joins: state.joins }], rest }
}

function offsetOf(state: ReaderState, node: MarkdownNode): number {
  const offset = node.position?.start.offset ?? 0
  return state.openAt + Math.max(0, offset - state.prefix.length)
}

/** The beginning of a code block at the left edge. */
interface CodeFence {
  readonly language: string | null
  /** Where the code begins, in UTF-16 code units. */
  readonly contentAt: number
  readonly closing: RegExp
}

/** The code block that opens exactly here, once its first line is whole. */
function openFence(text: string, at: number): CodeFence | null {
  const opening = /(`{3,}(?!`)|~{3,}(?!~))([^\n]*)\n/y
  opening.lastIndex = at
  const [line, mark = '', info = ''] = opening.exec(text) ?? []
  if (line === undefined || (mark.startsWith('`') && info.includes('`'))) return null
  const [language = ''] = info.trim().split(/\s/)
  return {
    language: language === '' ? null : language,
    contentAt: at + line.length,
    closing: new RegExp(`^ {0,3}${mark.slice(0, 1)}{${mark.length},}[ \\t]*$`, 'gm'),
  }
}

/** Where a code block ends: its last line break does not belong to the code. A mark at the text's end may yet grow. */
function closingFence(
  text: string,
  { contentAt, closing }: CodeFence,
): { readonly contentEnd: number; readonly end: number } | null {
  closing.lastIndex = contentAt
  const match = closing.exec(text)
  if (!match) return null
  return { contentEnd: Math.max(contentAt, match.index - 1), end: match.index + match[0].length }
}

/** A long block cut in two. */
interface BlockSplit {
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
function splitBlock(node: MarkdownNode, source: string): BlockSplit | null {
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
