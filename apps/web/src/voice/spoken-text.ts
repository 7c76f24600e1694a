import { say } from '../shared/language/say.ts'

/** A part of a text that is said in one go, and where the text goes on behind it. */
export interface Saying {
  readonly words: string
  readonly end: number
}

/**
 * What can be said of a text from here on, sentence by sentence. Of one that is still being written only what is whole comes:
 * a sentence with its end, a block of code with its fence. Code, tables and formulas are named, not spelled out. [VOICE6]
 */
export function sayingsOf(text: string, from: number, isComplete: boolean): readonly Saying[] {
  const sayings: Saying[] = []
  for (let at = from; at < text.length; ) {
    const block = blockAt(text, at)
    if (block === null) break
    if (!block.isWhole && !isComplete) {
      if (block.type === 'words') sayings.push(...sentences(text, at, block.end).slice(0, -1))
      break
    }
    sayings.push(...sayingsOfBlock(text, at, block))
    at = block.end
  }
  return sayings.filter(({ words }) => words !== '')
}

interface Block {
  readonly type: 'words' | 'code' | 'table' | 'formula' | 'rule'
  readonly end: number
  /** Whether what follows cannot belong to it. */
  readonly isWhole: boolean
}

const FENCE = /^ {0,3}(?:>\s?)*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})/

function blockAt(text: string, at: number): Block | null {
  const line = lineAt(text, at)
  const fence = FENCE.exec(line.words)?.[1]
  if (fence !== undefined) return fenced(text, line.end, fence)
  if (line.words.trimStart().startsWith('$$'))
    return untilLine(text, line, { type: 'formula', ends: (next) => next.trimEnd().endsWith('$$') })
  if (/^\s*\|/.test(line.words)) return tableAt(text, at)
  if (/^ {0,3}([-*_])(?: *\1){2,} *$/.test(line.words)) return { type: 'rule', end: line.end, isWhole: line.isWhole }
  return { type: 'words', end: line.end, isWhole: line.isWhole }
}

interface Line {
  readonly words: string
  readonly end: number
  readonly isWhole: boolean
}

function lineAt(text: string, at: number): Line {
  const newline = text.indexOf('\n', at)
  const end = newline === -1 ? text.length : newline + 1
  return { words: text.slice(at, newline === -1 ? text.length : newline), end, isWhole: newline !== -1 }
}

function fenced(text: string, from: number, fence: string): Block {
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at)
    const closing = line.words.trim().replace(/^(?:>\s?)+/, '')
    if (closing.startsWith(fence) && closing.replaceAll(fence.charAt(0), '') === '')
      return { type: 'code', end: line.end, isWhole: true }
    at = line.end
  }
  return { type: 'code', end: text.length, isWhole: false }
}

function untilLine(
  text: string,
  first: Line,
  { type, ends }: { readonly type: 'formula'; readonly ends: (line: string) => boolean },
): Block {
  if (first.words.trim().length > 2 && ends(first.words)) return { type, end: first.end, isWhole: true }
  for (let at = first.end; at < text.length; ) {
    const line = lineAt(text, at)
    if (ends(line.words)) return { type, end: line.end, isWhole: true }
    at = line.end
  }
  return { type, end: text.length, isWhole: false }
}

function tableAt(text: string, from: number): Block {
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at)
    if (!/^\s*\|/.test(line.words)) return { type: 'table', end: at, isWhole: true }
    at = line.end
  }
  return { type: 'table', end: text.length, isWhole: false }
}

function sayingsOfBlock(text: string, at: number, { type, end }: Block): readonly Saying[] {
  const source = text.slice(at, end)
  switch (type) {
    case 'words':
      return sentences(text, at, end)
    case 'code':
      return [{ words: codeWords(source), end }]
    case 'table':
      return [{ words: tableWords(source), end }]
    case 'formula':
      return [{ words: say('voice.formula'), end }]
    case 'rule':
      return []
  }
}

function codeWords(source: string): string {
  const lines = source.trimEnd().split('\n')
  const language = /^[^`~]*[`~]+ *([\w+#.-]*)/.exec(lines[0] ?? '')?.[1] ?? ''
  const count = Math.max(0, lines.length - 2)
  return language === '' ? say('voice.code', { count }) : say('voice.code-in', { count, language })
}

function tableWords(source: string): string {
  const rows = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const heads = (rows[0] ?? '')
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => plainWords(cell))
    .filter((cell) => cell !== '')
  const hasRule = /^\|?[\s:|-]+$/.test(rows[1] ?? '')
  return say('voice.table', { count: Math.max(0, rows.length - (hasRule ? 2 : 1)), columns: heads.join(', ') })
}

const SEGMENTERS = new Map<string, Intl.Segmenter>()

function segmenter(): Intl.Segmenter {
  const language = document.documentElement.lang || 'en'
  const known = SEGMENTERS.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
  SEGMENTERS.set(language, known)
  return known
}

/** The longest that is said in one go: engines stop in the middle of what is longer. */
const LONGEST = 600

/** The sentences of one line; a line end ends one, as it does in a list. A sign within an address ends none. */
function sentences(text: string, at: number, end: number): readonly Saying[] {
  const found: Saying[] = []
  let from = at
  for (const { segment, index } of segmenter().segment(text.slice(at, end))) {
    const to = at + index + segment.length
    if (to < end && !/\s$/.test(segment)) continue
    for (; from < to; from = Math.min(to, from + LONGEST)) {
      const part = text.slice(from, Math.min(to, from + LONGEST))
      found.push({ words: plainWords(part), end: from + part.length })
    }
  }
  return found
}

/** Words without what only the eye needs: marks of emphasis, addresses, signs of lists. */
function plainWords(source: string): string {
  return source
    .replace(/^\s*(?:>\s?)+/, '')
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '')
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^[\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/<(https?:[^>\s]+)>/g, '$1')
    .replaceAll(/https?:\/\/([^\s/<>)\]"']+)[^\s<>)\]"']*/g, (_, host: string) =>
      say('voice.link-to', { place: host.replace(/^www\./, '') }),
    )
    .replaceAll(/`+([^`]*)`+/g, '$1')
    .replaceAll(/\$([^$\s][^$]*)\$/g, '$1')
    .replaceAll(/(\*\*|__|~~|\*|_)(?=\S)([^*_~]*\S)\1/g, '$2')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/[*_~#|`]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
