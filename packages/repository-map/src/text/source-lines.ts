import { readPlainFile } from '../files/read-plain-file.ts'
import type { Ranking } from '../rank/rank-repository.ts'
import { MOST_FILE_BYTES, type Repository } from '../repository/read-repository.ts'
import type { MapLine } from './ranked-map.ts'

/** Which lines are read, and where. */
export interface SourceOrder {
  readonly rootPath: string
  readonly hardLinks: 'refuse' | 'use'
  /** UTF-16 code units of lines that are wanted. */
  readonly wantedChars: number
}

/** A longer line is cut: what is defined stands at its beginning. */
const LONGEST_CHARS = 100

/** Reads the lines that a map may show, from what matters most until there are enough. */
export function sourceLines(
  { files, tags }: Pick<Repository, 'files' | 'tags'>,
  { lines }: Ranking,
  { rootPath, hardLinks, wantedChars }: SourceOrder,
): readonly MapLine[] {
  const sources = new Map<number, readonly string[]>()
  const sourceOf = (file: number): readonly string[] => {
    const known = sources.get(file)
    if (known) return known
    const path = `${rootPath}/${files[file]?.path}`
    const bytes = readPlainFile(path, { limitBytes: MOST_FILE_BYTES, hardLinks })
    const source = bytes === null ? [] : bytes.toString('utf8').split('\n')
    sources.set(file, source)
    return source
  }
  const found: MapLine[] = []
  const seen = new Set<string>()
  let chars = 0
  for (const { file, definition } of lines) {
    if (chars >= wantedChars) break
    const path = oneLine(files[file]?.path ?? '')
    const line = definition === null ? null : (tags[file]?.definitions[definition]?.line ?? null)
    const text = line === null ? '' : shown(sourceOf(file)[line] ?? '')
    const key = `${file}:${line}`
    if (seen.has(key) || (line !== null && text === '')) continue
    seen.add(key)
    found.push({ path, line, text })
    chars += text.length + 3
  }
  return found
}

/** One line for each, without what a terminal or a model could take for something else. [REQ7] */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
}

function shown(text: string): string {
  const line = oneLine(text)
  return line.length > LONGEST_CHARS ? `${line.slice(0, LONGEST_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
