import { createRequire } from 'node:module'
import { Language as Grammar, Parser, Query, type QueryCapture } from 'web-tree-sitter'
import { type Definition, type FileTags, NO_TAGS, type Reference } from './file-tags.ts'
import { type Language, languageOf } from './languages.ts'

/** Finds what files define and refer to. It computes without a pause and is therefore for a thread of its own. */
export interface TagParser {
  /**
   * What a text defines and refers to; nothing for a language that is not known, a text that is too long or was
   * written by a program, and one that takes too long. [MAP3, MAP4]
   */
  tagsOf(path: string, text: string): Promise<FileTags>
}

/** What one file may take. [MAP4] */
export interface ParseLimits {
  /** UTF-16 code units of a text. */
  readonly textChars: number
  /** Milliseconds for a file, parsed and asked. */
  readonly fileMs: number
}

/** The limits of a file where nothing else is said. */
export const PARSE_LIMITS: ParseLimits = { textChars: 1 << 20, fileMs: 500 }

/** The longest lines that people write, on the average of a file, in UTF-16 code units. */
const MEAN_LINE_CHARS = 300
/** A name longer than this is none. */
const LONGEST_NAME_CHARS = 100
/** Definitions and references of one file; a table that a program wrote has more. */
const MOST_TAGS = 20_000

interface Loaded {
  readonly parser: Parser
  readonly query: Query
}

/** Starts tree-sitter; grammars are loaded as files of their languages come. */
export async function createTagParser({ textChars, fileMs }: ParseLimits): Promise<TagParser> {
  await Parser.init()
  const require = createRequire(import.meta.url)
  const loaded = new Map<string, Loaded>()

  async function load({ grammar, query }: Language): Promise<Loaded> {
    const known = loaded.get(grammar)
    if (known) return known
    const path = require.resolve(`@repomix/tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`)
    const language = await Grammar.load(path)
    const next = { parser: new Parser().setLanguage(language), query: new Query(language, query) }
    loaded.set(grammar, next)
    return next
  }

  return {
    async tagsOf(path, text) {
      const language = languageOf(path)
      if (language === null || text.length > textChars || isWrittenByProgram(text)) return NO_TAGS
      const { parser, query } = await load(language)
      const endAt = performance.now() + fileMs
      const isLate = () => performance.now() > endAt
      const tree = parser.parse(text, null, { progressCallback: isLate })
      if (tree === null) {
        // What is left of a parse that was given up would be taken up by the next one.
        parser.reset()
        return NO_TAGS
      }
      try {
        const captures = query.captures(tree.rootNode, { progressCallback: isLate })
        return isLate() ? NO_TAGS : tagsIn(captures, language)
      } finally {
        tree.delete()
      }
    },
  }
}

/** Minified or generated: nobody reads it, and what it defines is defined elsewhere. */
function isWrittenByProgram(text: string): boolean {
  let lineCount = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineCount += 1
  return text.length / lineCount > MEAN_LINE_CHARS
}

function tagsIn(captures: readonly QueryCapture[], { importsNames }: Language): FileTags {
  const definitions = new Map<number, Definition>()
  const imports = new Set<string>()
  const imported = new Set<string>()
  const references = new Map<number, string>()
  const members = new Map<number, string>()
  for (const { name: kind, node } of captures.slice(0, MOST_TAGS)) {
    const name = node.text
    if (name.length > LONGEST_NAME_CHARS) continue
    if (kind === 'definition') definitions.set(node.startIndex, { name, line: node.startPosition.row })
    else if (kind === 'reference') references.set(node.startIndex, name)
    else if (kind === 'member') members.set(node.startIndex, name)
    else if (kind === 'import') imports.add(name)
    else if (kind === 'imported') {
      imported.add(name)
      references.set(node.startIndex, name)
    }
  }
  const isOfOthers = ([at, name]: readonly [number, string]) =>
    !definitions.has(at) && (importsNames !== true || imported.has(name))
  return {
    definitions: [...definitions.values()].sort((one, other) => one.line - other.line),
    references: counted([...references].filter(isOfOthers)),
    members: counted([...members]),
    imports: [...imports].sort(),
  }
}

function counted(found: readonly (readonly [number, string])[]): readonly Reference[] {
  const counts = new Map<string, number>()
  for (const [, name] of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => ({ name, count })).sort((one, other) => (one.name < other.name ? -1 : 1))
}
