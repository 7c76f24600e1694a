import { RE2JS } from 're2js'
import { FileRefusal, systemCode } from '../workspace/file-refusal.ts'
import type { GlobPattern } from '../workspace/glob-pattern.ts'
import { type WalkEnd, walkFiles } from '../workspace/walk-files.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { linesOf, readText } from './text-file.ts'

/** What is looked for. */
export interface TextQuery {
  /** A regular expression as RE2 and ripgrep read it, or the text itself. */
  readonly pattern: string
  readonly isLiteral: boolean
  readonly letters: 'exact' | 'any-case'
  /** A folder or a file of the workspace. */
  readonly path: string
  /** Which files are looked at, by their path below `path`; null for all. */
  readonly files: GlobPattern | null
  readonly ignored: 'skip' | 'include'
  /** Lines wanted at most. */
  readonly limitLines: number
  readonly signal: AbortSignal
}

/** Where it was found: lines by file, counted from 1. */
export interface TextHits {
  readonly lines: ReadonlyMap<string, readonly number[]>
  readonly end: WalkEnd
}

/** Files above this are not looked into. */
export const SEARCHABLE_BYTES = 2 << 20

/**
 * Finds lines by walking the files itself, in time proportional to their size whatever the pattern is.
 *
 * @throws RE2JSSyntaxException when the pattern cannot be read.
 */
export async function findText(workspace: Workspace, query: TextQuery): Promise<TextHits> {
  const flags = RE2JS.MULTILINE | (query.letters === 'exact' ? 0 : RE2JS.CASE_INSENSITIVE)
  const pattern = RE2JS.compile(query.isLiteral ? RE2JS.quote(query.pattern) : query.pattern, flags)
  const hits = new Map<string, readonly number[]>()
  let left = query.limitLines
  const end = await walkFiles(workspace, {
    path: query.path,
    ignored: query.ignored,
    signal: query.signal,
    limitCount: 200_000,
    async onFile(file) {
      if (query.files && !query.files.matches(file.pathBelow)) return true
      const bytes = await readOrNull(() => file.read(SEARCHABLE_BYTES))
      const text = bytes === null ? null : readText(bytes)
      if (!text || !pattern.test(text.text)) return true
      const lines = linesOf(text.text).flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
      if (lines.length > 0) hits.set(file.path, lines.slice(0, left))
      left -= lines.length
      return left > 0
    },
  })
  return { lines: hits, end }
}

/** Null for what cannot be read: too large, special, gone, or not ours to read. */
async function readOrNull(read: () => Promise<Buffer>): Promise<Buffer | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FileRefusal || systemCode(error) !== null) return null
    throw error
  }
}
