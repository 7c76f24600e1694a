import { posix } from 'node:path'
import { maskCode } from './code-mask.ts'
import type { SourceFile } from './source-file.ts'

/** One place where a file names another module: import, re-export, dynamic import or type import. */
export interface Import {
  readonly file: string
  readonly specifier: string
}

const NAMES_A_MODULE = /\b(?:from\s+|import\s*\(?\s*|require\s*\(\s*)(['"`])/g

/** All modules that a file names. Text in strings and comments is not code and counts for nothing. */
export function importsOf(file: SourceFile): Import[] {
  const mask = maskCode(file.text)
  return [...mask.matchAll(NAMES_A_MODULE)].map((match) => {
    const start = match.index + match[0].length
    const end = mask.indexOf(match[1] ?? "'", start)
    return { file: file.path, specifier: file.text.slice(start, end) }
  })
}

/** An import or re-export that is carried out when its file is loaded; one of types alone is none. */
const AT_ONCE = /^(?:import|export)\s+(?!type\b)(?:[^'"()]*?\bfrom\s+)?'([^']+)'/gm

/** The modules that are loaded together with a file of this text. */
export function importedAtOnce(text: string): string[] {
  return [...text.matchAll(AT_ONCE)].map((match) => match[1] ?? '')
}

/** Says whether a specifier is a path and not a package's name. */
export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.') || specifier.startsWith('/')
}

/** The file that a relative import leads to. */
export function targetOf({ file, specifier }: Import): string {
  return posix.join(posix.dirname(file), specifier)
}

/** The package of ours that a specifier names and the subpath in it, `.` for its root. */
export function workspacePart(specifier: string): { readonly name: string; readonly subpath: string } | undefined {
  const match = /^@holdfast\/([^/]+)(\/.+)?$/.exec(specifier)
  if (!match?.[1]) return undefined
  return { name: match[1], subpath: match[2] === undefined ? '.' : `.${match[2]}` }
}
