import { type JudgedCommand, judgeShellLine } from '../shell/judge-line.ts'
import type { ShellWord } from '../shell/shell-command.ts'
import { SHELL_LIMITS } from '../shell/shell-cursor.ts'

/** A place that a command of a line may read from, as the line words it. */
export interface ReadWord {
  /** Relative to one of `folders`, or absolute. Of a word that is known in part only, the folder in which it begins. */
  readonly path: string
  /** What is read if it is a folder: the names in it, the files in it, or all that is below. */
  readonly depth: 'names' | 'inside' | 'below'
}

/** Programs that neither show what stands in files nor put it elsewhere. */
const SILENT: ReadonlySet<string> = new Set([
  ...['rm', 'mkdir', 'touch', 'echo', 'printf', 'true', 'false', 'test', '[', 'pwd', 'cd', 'sleep', 'seq', 'date'],
  ...['which', 'basename', 'dirname', 'realpath', 'du', 'df', 'stat', 'md5sum', 'sha256sum', 'wc', 'cmp'],
])
/** Programs that go down folders when they are told to. */
const DESCENDING: ReadonlySet<string> = new Set(['ls', 'grep', 'egrep', 'fgrep', 'diff', 'cp', 'mv'])

/**
 * Where a command line may read from, and the folders that it may do so in, relative to the one it starts in. For lines
 * of which `mayBringStrangers` says no: they read files here or nothing. [PERM7]
 */
export function readWordsOf(text: string): {
  readonly folders: readonly string[]
  readonly words: readonly ReadWord[]
} {
  const line = judgeShellLine(text, SHELL_LIMITS)
  if (line.type === 'unreadable') return { folders: ['.'], words: [{ path: '.', depth: 'below' }] }
  const moves = line.commands.filter(({ name }) => name === 'cd' || name === 'pushd')
  return {
    folders: ['.', ...moves.map(({ words }) => words[1]?.text ?? '.')],
    words: line.commands.flatMap(wordsOf),
  }
}

function wordsOf({ name, role, words, redirections }: JudgedCommand): readonly ReadWord[] {
  const read = redirections
    .filter(({ operator }) => operator === '<' || operator === '<>')
    .flatMap(({ target }) => (target === null ? [] : [wordOf(target, 'names')]))
  if (role !== 'program' || name === null || SILENT.has(name)) return read
  const given = words.slice(1)
  const depth: ReadWord['depth'] = DESCENDING.has(name) && given.some(({ text }) => DOWN.test(text)) ? 'below' : 'names'
  const named = given.filter(({ text }) => !text.startsWith('-')).map((word) => wordOf(word, depth))
  // Not told where, these begin where they are; the first word of a search is what is looked for.
  const isHere = depth === 'below' ? named.length < 2 : name === 'ls' && named.length === 0
  return [...read, ...named, ...(isHere ? [{ path: '.', depth }] : [])]
}

const DOWN = /^-(?:[A-Za-z]*[rR]|-recursive|-archive|a$)/

function wordOf({ kind, text, prefix }: ShellWord, depth: ReadWord['depth']): ReadWord {
  if (kind === 'literal') return { path: text, depth }
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const isFlat = kind === 'glob' && depth === 'names' && !/\/|\*\*/.test(text.slice(folder.length))
  return { path: folder === '' ? '.' : folder, depth: isFlat ? 'inside' : 'below' }
}
