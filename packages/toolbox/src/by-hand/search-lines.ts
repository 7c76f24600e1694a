import { findByRipgrep, type Ripgrep, RipgrepError } from '../files/find-by-ripgrep.ts'
import { findText, SEARCHABLE_BYTES, type TextHits, type TextQuery } from '../files/find-text.ts'
import { linesOf, readText } from '../files/text-file.ts'
import { readBytes } from '../workspace/file-bytes.ts'
import { FileRefusal } from '../workspace/file-refusal.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A file that holds the words. */
export interface FoundFile {
  readonly path: string
  readonly lines: readonly FoundLine[]
}

/** A line that holds them. */
export interface FoundLine {
  /** From 1. */
  readonly line: number
  /** The line, or the part of a long one around the words. */
  readonly text: string
}

/** What came of a search. */
export interface FoundLines {
  readonly files: readonly FoundFile[]
  /** Whether there may be more than are listed. */
  readonly isCut: boolean
}

/** What is looked for: the letters themselves, in whatever case. */
export interface LineWish {
  readonly words: string
  readonly signal: AbortSignal
  readonly ripgrep: Ripgrep | null
}

const MOST_LINES = 500
const SHOWN_CHARS = 200
const SHOWN_BEFORE = 60

/** Finds lines for a person. What `.gitignore` files name is left out. [WS18] */
export async function searchLines(workspace: Workspace, { words, signal, ripgrep }: LineWish): Promise<FoundLines> {
  const query: TextQuery = {
    pattern: words,
    isLiteral: true,
    letters: 'any-case',
    path: '.',
    files: null,
    ignored: 'skip',
    limitLines: MOST_LINES,
    signal,
  }
  const hits = await find(workspace, query, ripgrep)
  const files: FoundFile[] = []
  for (const [path, lines] of hits.lines) {
    const found = await linesIn(workspace, { path, lines, words })
    if (found.length > 0) files.push({ path, lines: found })
  }
  files.sort((one, other) => (one.path < other.path ? -1 : 1))
  return { files, isCut: hits.end !== 'complete' }
}

async function find(workspace: Workspace, query: TextQuery, ripgrep: Ripgrep | null): Promise<TextHits> {
  if (ripgrep === null) return findText(workspace, query)
  try {
    return await findByRipgrep(workspace, query, ripgrep)
  } catch (error) {
    if (error instanceof RipgrepError) return findText(workspace, query)
    throw error
  }
}

/** The text of lines of one file, read by the workspace; none when it is not there any more. */
async function linesIn(
  workspace: Workspace,
  { path, lines, words }: { readonly path: string; readonly lines: readonly number[]; readonly words: string },
): Promise<readonly FoundLine[]> {
  try {
    const { bytes } = await readBytes(workspace, { path, limitBytes: SEARCHABLE_BYTES })
    const all = linesOf(readText(bytes)?.text ?? '')
    return lines.flatMap((line) => {
      const text = all[line - 1]
      return text === undefined ? [] : [{ line, text: around(text, words) }]
    })
  } catch (error) {
    if (error instanceof FileRefusal) return []
    throw error
  }
}

function around(text: string, words: string): string {
  if (text.length <= SHOWN_CHARS) return text
  const at = Math.max(0, text.toLowerCase().indexOf(words.toLowerCase()) - SHOWN_BEFORE)
  const part = text.slice(at, at + SHOWN_CHARS)
  return `${at > 0 ? '…' : ''}${part}${at + SHOWN_CHARS < text.length ? '…' : ''}`
}
