import { C, C_SHARP, CPP, DART, GO, JAVA, RUST, SOLIDITY, SWIFT } from './queries/compiled-queries.ts'
import { PHP, PYTHON, RUBY } from './queries/interpreted-queries.ts'
import { JAVASCRIPT, TSX, TYPESCRIPT } from './queries/script-queries.ts'

/** A language whose definitions and references are found. Every other file is its name alone. [MAP3] */
export interface Language {
  /** Name of its grammar in the set of grammars. */
  readonly grammar: string
  /** What the names of its files end with, without the dot. */
  readonly extensions: readonly string[]
  /**
   * A query of tree-sitter. Its captures: `definition`; `reference`, a name that stands alone; `member`, one that is
   * asked of a value; `imported`, one that an import brings; `import`, what is imported from.
   */
  readonly query: string
  /** Whether a name of another file has to be imported by its name; any other is of the language or of the file itself. */
  readonly importsNames?: boolean
}

/** Every language that the map knows. */
export const LANGUAGES: readonly Language[] = [
  { grammar: 'typescript', extensions: ['ts', 'mts', 'cts'], query: TYPESCRIPT, importsNames: true },
  { grammar: 'tsx', extensions: ['tsx'], query: TSX, importsNames: true },
  { grammar: 'javascript', extensions: ['js', 'mjs', 'cjs', 'jsx'], query: JAVASCRIPT, importsNames: true },
  { grammar: 'python', extensions: ['py', 'pyi'], query: PYTHON, importsNames: true },
  { grammar: 'go', extensions: ['go'], query: GO },
  { grammar: 'rust', extensions: ['rs'], query: RUST },
  { grammar: 'java', extensions: ['java'], query: JAVA },
  { grammar: 'c', extensions: ['c'], query: C },
  { grammar: 'cpp', extensions: ['cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx'], query: CPP },
  { grammar: 'c_sharp', extensions: ['cs'], query: C_SHARP },
  { grammar: 'ruby', extensions: ['rb', 'rake'], query: RUBY },
  { grammar: 'php', extensions: ['php'], query: PHP },
  { grammar: 'swift', extensions: ['swift'], query: SWIFT },
  { grammar: 'dart', extensions: ['dart'], query: DART },
  { grammar: 'solidity', extensions: ['sol'], query: SOLIDITY },
]

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
)

/** The language of a file by its name; null for one that the map does not know. */
export function languageOf(path: string): Language | null {
  return BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? null
}
