import { parseSync } from 'oxc-parser'
import { analyse } from 'scslre'
import { isShipped, type SourceFile } from './source-file.ts'

/**
 * [SEC28] Regular expressions that take more than linear time for some text: a repetition that is tried again at each of its
 * own characters (`/ +$/` has no anchor in front), or two that can divide the same characters between them. Not seen here are
 * a repetition behind a word that may come again and again (`/<!--.*-->/s`), and what is made of strings at run time.
 */
export function slowPatternOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isShipped(path))
    .flatMap((file) =>
      literalsOf(file).flatMap(({ source, flags, at }) =>
        analyse({ source, flags }, { maxReports: 1 }).reports.map(
          ({ type }) =>
            `${file.path}:${file.text.slice(0, at).split('\n').length}: /${source}/${flags} takes more than linear time (${WORDS[type]})`,
        ),
      ),
    )
}

const WORDS = {
  Move: 'its repetition begins anew at each character',
  Self: 'its repetition can be read in several ways',
  Trade: 'two repetitions divide the same characters',
} as const

interface PatternLiteral {
  readonly source: string
  readonly flags: string
  readonly at: number
}

function literalsOf({ path, text }: SourceFile): readonly PatternLiteral[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const found: PatternLiteral[] = []
  collect(program, found)
  return found
}

function collect(node: unknown, found: PatternLiteral[]): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const one of node) collect(one, found)
    return
  }
  if ('regex' in node && 'start' in node && isPattern(node.regex))
    found.push({ source: node.regex.pattern, flags: node.regex.flags, at: Number(node.start) })
  for (const part of Object.values(node)) collect(part, found)
}

function isPattern(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pattern' in value &&
    typeof value.pattern === 'string' &&
    'flags' in value &&
    typeof value.flags === 'string'
  )
}
