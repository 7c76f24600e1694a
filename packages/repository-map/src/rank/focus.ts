import type { Repository } from '../repository/read-repository.ts'
import { wordsOf } from './words.ts'

/** What a text says of each file of a repository. */
export interface Focus {
  /** How much the words of the text are those of a file; at least 0, in the order of the files. */
  readonly matches: Float64Array
  /** Files that the text names by their path, or by a name that few files have, from the surest. */
  readonly namedFiles: readonly number[]
  /** Names that the text says and that are defined somewhere. */
  readonly names: ReadonlySet<string>
}

/** UTF-16 code units of a text that are looked at, from its beginning. */
const MOST_CHARS = 20_000
/** A name of a file that more files have names none of them. */
const MOST_NAMESAKES = 3
/** What a word of a path counts beside one of a definition. */
const PATH_WEIGHT = 2
/** What a definition counts whose whole name is said, in words of the rarest kind. */
const NAME_WEIGHT = 3

/** Which files and names a text is about. Without one, it is about none. [MAP6] */
export function focusOf({ files, tags }: Pick<Repository, 'files' | 'tags'>, text: string): Focus {
  const said = text.slice(0, MOST_CHARS)
  const matches = new Float64Array(files.length)
  if (said.trim() === '') return { matches, namedFiles: [], names: new Set() }
  const paths = files.map(({ path }) => path)
  const words = new Set(wordsOf(said))
  const pieces = new Set(said.match(/[\p{L}_$][\p{L}\d_$]*/gu) ?? [])

  const filesOfWord = new Map<string, Map<number, number>>()
  const add = (word: string, at: { readonly file: number; readonly weight: number }) => {
    if (!words.has(word)) return
    const found = filesOfWord.get(word) ?? new Map<number, number>()
    found.set(at.file, Math.max(found.get(at.file) ?? 0, at.weight))
    filesOfWord.set(word, found)
  }
  const definers = new Map<string, Set<number>>()
  for (const [file, path] of paths.entries()) {
    for (const word of wordsOf(path)) add(word, { file, weight: PATH_WEIGHT })
    for (const { name } of tags[file]?.definitions ?? []) {
      if (pieces.has(name)) definers.set(name, (definers.get(name) ?? new Set()).add(file))
      for (const word of cachedWords(name)) add(word, { file, weight: 1 })
    }
  }
  const rarity = (count: number) => Math.log(1 + files.length / count)
  for (const found of filesOfWord.values())
    for (const [file, weight] of found) matches[file] = (matches[file] ?? 0) + weight * rarity(found.size) ** 2
  const names = new Set([...definers.keys()].filter(isTelling))
  for (const name of names) {
    const found = definers.get(name) ?? new Set()
    for (const file of found) matches[file] = (matches[file] ?? 0) + NAME_WEIGHT * rarity(found.size) ** 2
  }
  return { matches, namedFiles: namedIn(said, paths), names }
}

/** A word of everyday speech is no name, unless it is written as one. */
function isTelling(name: string): boolean {
  return /[\p{Ll}\d][\p{Lu}_]|_|\p{Lu}\p{Lu}|\$/u.test(name) || /^\p{Lu}/u.test(name) || name.length >= 8
}

function namedIn(text: string, paths: readonly string[]): readonly number[] {
  const tails = new Map<string, number[]>()
  const said = new Set((text.match(/[^\s"'`()[\]{}<>,;|]+/g) ?? []).map(bare).filter((piece) => /[./]/.test(piece)))
  if (said.size === 0) return []
  for (const [file, path] of paths.entries())
    for (const tail of tailsOf(path)) if (said.has(tail)) tails.set(tail, [...(tails.get(tail) ?? []), file])
  const named = [...tails].filter(([, files]) => files.length <= MOST_NAMESAKES)
  // The longest tail names best.
  named.sort(([one], [other]) => other.length - one.length || (one < other ? -1 : 1))
  return [...new Set(named.flatMap(([, files]) => files))]
}

/** Without what stands around a path in a sentence, and the line behind it. */
function bare(piece: string): string {
  const path = piece.replace(/^\.?\/+/, '')
  const line = path.search(/:\d/)
  let end = line < 0 ? path.length : line
  while (end > 0 && '.:!?*'.includes(path.charAt(end - 1))) end -= 1
  return path.slice(0, end)
}

function tailsOf(path: string): string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(index).join('/'))
}

const wordsOfName = new Map<string, readonly string[]>()
const MOST_NAMES = 500_000

/** Names are asked for again with every map. */
function cachedWords(name: string): readonly string[] {
  const known = wordsOfName.get(name)
  if (known) return known
  if (wordsOfName.size >= MOST_NAMES) wordsOfName.clear()
  const words = wordsOf(name)
  wordsOfName.set(name, words)
  return words
}
