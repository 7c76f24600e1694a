import { gitOptionCount, runningArguments, runsItsInput } from './running-options.ts'
import type { ShellAssignment, ShellCommand, ShellRedirection, ShellWord } from './shell-command.ts'
import type { ShellLimits } from './shell-cursor.ts'
import { parseShellLine } from './shell-line.ts'
import { afterWrapper } from './shell-look-through.ts'
import { HARMLESS_BUILTINS, RAISING, SHELLS, WRAPPERS } from './shell-wrappers.ts'

/** One command as the rules see it: with what it wraps looked through. */
export interface JudgedCommand {
  /** `frame`: only variables and redirections. `wrapper`: the program behind it is judged in its place. */
  readonly role: 'program' | 'wrapper' | 'harmless' | 'frame'
  readonly words: readonly ShellWord[]
  /** The program without its folder; null when it is not known before the line runs. */
  readonly name: string | null
  readonly assignments: readonly ShellAssignment[]
  readonly redirections: readonly ShellRedirection[]
  /** Places in `words` that only a rule which spells them may allow. */
  readonly running: readonly number[]
  /** Why nobody can say what it runs; null when it is clear. */
  readonly unclear: string | null
  /** Whether it raises rights (`sudo`). */
  readonly raises: boolean
  readonly inFunction: string | null
}

/** All that a line runs, or why that cannot be known. */
export type JudgedLine =
  | { readonly type: 'readable'; readonly commands: readonly JudgedCommand[] }
  | { readonly type: 'unreadable'; readonly reason: string }

/** Builtins that change what later words of the line mean, so that reading on says nothing. */
const REDEFINING_BUILTINS: ReadonlySet<string> = new Set([
  ...['alias', 'unalias', 'hash', 'enable', 'let', 'mapfile', 'readarray', 'complete', 'compgen', 'bind', 'fc'],
  ...['autoload', 'zmodload', 'emulate'],
])
/** Builtins that set variables or options of the shell, or read a file into it: a rule must spell what they are given. */
const SETTING_BUILTINS: ReadonlySet<string> = new Set([
  ...['source', '.', 'unset', 'read', 'export', 'declare', 'typeset', 'local', 'readonly', 'set', 'shopt', 'getopts'],
  ...['history', 'ulimit', 'umask', 'pushd', 'popd', 'printf', 'trap'],
])
/** Wrappers inside wrappers, and shells inside shells. */
const MAX_NESTING = 20

interface Judging {
  readonly limits: ShellLimits
  readonly commands: JudgedCommand[]
}

/** Thrown inside the judging only, where an inner text cannot be read. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Reads a line and looks through everything in it that runs something else. [PERM2] */
export function judgeShellLine(line: string, limits: ShellLimits): JudgedLine {
  const judging: Judging = { limits, commands: [] }
  try {
    judgeText(line, { judging, nesting: 0 })
  } catch (error) {
    if (error instanceof Unreadable) return { type: 'unreadable', reason: error.message }
    throw error
  }
  return { type: 'readable', commands: judging.commands }
}

function judgeText(text: string, { judging, nesting }: { judging: Judging; nesting: number }): void {
  const line = parseShellLine(text, judging.limits)
  if (line.type === 'refused') throw new Unreadable(line.reason)
  for (const command of line.commands) judge(command, { judging, nesting })
}

function judge(command: ShellCommand, at: { judging: Judging; nesting: number }): void {
  const { judging, nesting } = at
  if (nesting > MAX_NESTING) throw new Unreadable(`more than ${MAX_NESTING} commands inside one another`)
  if (judging.commands.length >= judging.limits.maxCommands) {
    throw new Unreadable(`more than ${judging.limits.maxCommands} commands`)
  }
  const [program, ...rest] = command.words
  if (!program) {
    add(judging, command, { role: 'frame' })
    return
  }
  if (program.kind !== 'literal' || program.text === '') {
    add(judging, command, { unclear: 'its program is not known before it runs' })
    return
  }
  const name = baseName(program.text)
  const inner = (words: readonly ShellWord[], assignments: readonly ShellAssignment[]): void => {
    judge({ words, assignments, redirections: [], inFunction: command.inFunction }, { judging, nesting: nesting + 1 })
  }
  const wrapper = WRAPPERS.get(name) ?? RAISING.get(name)
  if (wrapper) {
    const raises = RAISING.has(name)
    const behind = afterWrapper(wrapper, rest)
    if (behind === null) {
      add(judging, command, { unclear: `${name} with options that are not known`, raises })
      return
    }
    const wraps = behind.words.length > 0 || behind.assignments.length > 0
    add(judging, command, { role: wraps ? 'wrapper' : 'program', raises })
    if (wraps) inner(behind.words, behind.assignments)
    return
  }
  if (SHELLS.has(name)) {
    judgeShell(command, { name, rest, at })
    return
  }
  const code = name === 'eval' ? rest : name === 'trap' ? rest.slice(0, 1) : []
  if (code.some(({ kind }) => kind !== 'literal')) {
    add(judging, command, { unclear: `${name} of an unknown text` })
    return
  }
  if (code.length > 0 && code[0]?.text !== '-') {
    add(judging, command, { role: 'wrapper' })
    judgeText(code.map(({ text }) => text).join(' '), { judging, nesting: nesting + 1 })
    return
  }
  if (name === 'find') for (const words of executedByFind(rest)) inner(words, [])
  add(judging, command, plainTraits(name, rest))
}

function plainTraits(name: string, rest: readonly ShellWord[]): Traits {
  if (REDEFINING_BUILTINS.has(name)) return { unclear: `${name} changes what the rest of the line means` }
  const isKnown = rest.every(({ kind }) => kind === 'literal')
  if ((name === 'source' || name === '.') && !isKnown) return { unclear: `${name} of an unknown file` }
  const evaluates = rest.some(({ text }) => text === '-v' || text === '-R')
  if (HARMLESS_BUILTINS.has(name) && isKnown && !evaluates) return { role: 'harmless' }
  if (runsItsInput(name, rest)) return { unclear: `${name} runs what it reads` }
  return {}
}

/** `sh -c text` is read as a line; a shell that runs a file is a program; one that runs its input is unclear. */
function judgeShell(
  command: ShellCommand,
  { name, rest, at }: { name: string; rest: readonly ShellWord[]; at: { judging: Judging; nesting: number } },
): void {
  const { judging, nesting } = at
  let index = 0
  let takesText = false
  for (; index < rest.length; index++) {
    const word = rest[index]
    if (word?.kind !== 'literal') {
      add(judging, command, { unclear: `${name} with an unknown argument` })
      return
    }
    if (!/^-[a-z]+$/.test(word.text) || word.text === '-') break
    if (!/^-[celux]+$/.test(word.text)) {
      add(judging, command, { unclear: `${name} ${word.text}` })
      return
    }
    takesText ||= word.text.includes('c')
  }
  const first = rest[index]
  if (!first || first.text.startsWith('-')) {
    add(judging, command, { unclear: `${name} runs what it reads` })
    return
  }
  if (!takesText) {
    add(judging, command, {})
    return
  }
  add(judging, command, { role: 'wrapper' })
  judgeText(first.text, { judging, nesting: nesting + 1 })
}

/** What `-exec` and its kin run; the name of each file found is not known. */
function executedByFind(rest: readonly ShellWord[]): ShellWord[][] {
  const found: ShellWord[][] = []
  for (let index = 0; index < rest.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(rest[index]?.text ?? '')) continue
    const words: ShellWord[] = []
    for (index++; index < rest.length; index++) {
      const word = rest[index]
      if (!word || word.text === ';' || (word.text === '+' && words.at(-1)?.kind === 'dynamic')) break
      words.push(word.text.includes('{}') ? { kind: 'dynamic', text: word.text, prefix: '' } : word)
    }
    found.push(words.length > 0 ? words : [{ kind: 'dynamic', text: '', prefix: '' }])
  }
  return found
}

interface Traits {
  readonly role?: JudgedCommand['role']
  readonly unclear?: string
  readonly raises?: boolean
}

function add({ commands }: Judging, command: ShellCommand, { role, unclear, raises }: Traits): void {
  const [program, ...rest] = command.words
  const name = program?.kind === 'literal' ? baseName(program.text) : null
  const isProgram = (role ?? 'program') === 'program'
  commands.push({
    ...command,
    role: role ?? 'program',
    name,
    running: isProgram && name !== null ? runningIn(name, rest) : [],
    unclear: unclear ?? null,
    raises: raises ?? false,
  })
}

function runningIn(name: string, rest: readonly ShellWord[]): number[] {
  if (SETTING_BUILTINS.has(name) || HARMLESS_BUILTINS.has(name)) return [...rest.keys()].map((index) => index + 1)
  const own = name === 'find' ? findActions(rest) : runningArguments(name, rest)
  return own.map((index) => index + 1)
}

/** Actions of `find` that delete or write; what `-exec` runs is judged by itself. */
function findActions(rest: readonly ShellWord[]): number[] {
  return [...rest.entries()]
    .filter(([, { text }]) => /^-(?:delete|fprint|fprint0|fprintf|fls|files0-from)$/.test(text))
    .map(([index]) => index)
}

/** The words of a command as rules that deny or ask read them: also without git's own options. */
export function readingsOf({ words, name }: JudgedCommand): readonly (readonly ShellWord[])[] {
  const [program, ...rest] = words
  const own = name === 'git' ? gitOptionCount(rest) : 0
  return program && own > 0 ? [words, [program, ...rest.slice(own)]] : [words]
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
