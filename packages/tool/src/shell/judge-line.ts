import { harmlessOptionsOf } from './harmless-options.ts'
import { isInput } from './interpreters.ts'
import { keyOf } from './program-names.ts'
import { carriesCode, gitOptionCount, runningArguments, runsItsInput } from './running-options.ts'
import type { ShellAssignment, ShellCommand, ShellRedirection, ShellWord } from './shell-command.ts'
import type { ShellLimits } from './shell-cursor.ts'
import { parseShellLine } from './shell-line.ts'
import { afterWrapper } from './shell-look-through.ts'
import { HARMLESS_BUILTINS, RAISING, RUNNERS, SHELLS, WRAPPERS } from './shell-wrappers.ts'

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
  /** The words of a runner (`uv run`) before it, which a rule that allows it spells. */
  readonly runner: readonly ShellWord[]
  /** Whether an argument carries code, or names another program that is run. */
  readonly carriesCode: boolean
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
  if (program.kind !== 'literal' || program.text === '' || program.text.startsWith('-')) {
    add(judging, command, { unclear: 'its program is not known before it runs' })
    return
  }
  const name = baseName(program.text)
  const inner = (words: readonly ShellWord[], assignments: readonly ShellAssignment[]): void => {
    judge({ words, assignments, redirections: [], inFunction: command.inFunction }, { judging, nesting: nesting + 1 })
  }
  if (RUNNERS.has(name) && codeIn(name, rest) === null && judgeRunner(command, { name, rest, at })) return
  const wrapper = WRAPPERS.get(name) ?? RAISING.get(name)
  if (wrapper) {
    const raises = RAISING.has(name)
    const behind = afterWrapper(wrapper, rest)
    if (behind === null) {
      add(judging, command, { unclear: `${name} with options that are not known`, raises })
      return
    }
    const wraps = behind.words.length > 0 || behind.assignments.length > 0
    const unclear = name === 'chroot' ? { unclear: 'chroot changes what the names of programs mean' } : {}
    add(judging, command, { role: wraps ? 'wrapper' : 'program', raises, ...unclear })
    if (wraps) inner(behind.words, behind.assignments)
    return
  }
  if (keyOf(name, SHELLS) !== null) {
    judgeShell(command, { name, rest, at })
    return
  }
  const code = codeIn(name, rest)
  if (code !== null) {
    if (code.some(({ kind }) => kind !== 'literal') || code[0]?.text.startsWith('-')) {
      add(judging, command, { unclear: `${name} of an unknown text` })
      return
    }
    // `npx` names packages that it fetches, and `script` the file that it writes: a rule spells them.
    add(judging, command, { role: name === 'npx' || name === 'script' ? 'program' : 'wrapper' })
    judgeText(code.map(({ text }) => text).join(' '), { judging, nesting: nesting + 1 })
    return
  }
  if (name === 'find') for (const words of executedByFind(rest)) inner(words, [])
  add(judging, command, plainTraits(name, rest))
}

/** `uv run x`: judged as `x` behind its runner. Answers whether the runner runs something. */
function judgeRunner(
  command: ShellCommand,
  { name, rest, at }: { name: string; rest: readonly ShellWord[]; at: { judging: Judging; nesting: number } },
): boolean {
  const { judging, nesting } = at
  const runner = RUNNERS.get(name)
  if (!runner) return false
  const index = rest.findIndex(({ kind, text }) => kind !== 'literal' || runner.commands.includes(text))
  const isDirect = runner.commands.length === 0
  if (!isDirect && (index === -1 || rest[index]?.kind !== 'literal')) return false
  if (!isDirect && index > 0) {
    add(judging, command, { unclear: `${name} with words of its own before what it runs` })
    return true
  }
  const behind = afterWrapper(runner.wrapper, isDirect ? rest : rest.slice(1))
  if (behind === null) {
    add(judging, command, { unclear: `${name} with options that are not known` })
    return true
  }
  if (behind.words.length === 0) return false
  const before = command.words.slice(0, command.words.length - behind.words.length)
  const found: JudgedCommand[] = []
  judge(
    {
      words: behind.words,
      assignments: command.assignments,
      redirections: command.redirections,
      inFunction: command.inFunction,
    },
    { judging: { limits: judging.limits, commands: found }, nesting: nesting + 1 },
  )
  // What is inside a wrapper or a shell there is found by the runner's names, not by those of this machine.
  const [only, ...more] = found
  if (only?.role === 'program' && more.length === 0) judging.commands.push({ ...only, runner: before })
  else {
    add(judging, command, { unclear: `${name} of what runs something else` })
    judging.commands.push(...found)
  }
  return true
}

/** The words that a builtin or a program reads as a line of its own; null for every other command. */
function codeIn(name: string, rest: readonly ShellWord[]): readonly ShellWord[] | null {
  const own = rest[0]?.kind === 'literal' && rest[0].text === '--' ? rest.slice(1) : rest
  switch (name) {
    case 'eval':
      return own.length === 0 ? null : own
    case 'trap': {
      const code = own.slice(0, 1)
      return code.length === 0 || /^-[lp]?$/.test(code[0]?.text ?? '') ? null : code
    }
    case 'watch': {
      const start = rest.findIndex(({ text }, index) => !text.startsWith('-') && rest[index - 1]?.text !== '-n')
      const options = rest.slice(0, Math.max(start, 0)).filter(({ text }) => text.startsWith('-'))
      const areKnown = options.every(({ text }) => /^-(?:[detcgbx]+|n[0-9.]*)$/.test(text))
      return start === -1 ? null : areKnown ? rest.slice(start) : [unknownText]
    }
    case 'script': {
      const at = rest.findIndex(({ text }) => /^-[a-z]*c$|^--(?:c|co|com|comm|comma|comman|command)$/.test(text))
      return at === -1 ? [unknownText] : onlyText(rest.slice(at + 1))
    }
    case 'npx':
      return calledByNpx(rest)
    default:
      return null
  }
}

/** The text behind `-c`, unknown where more options follow: another `-c` would take its place. */
function onlyText([text, ...more]: readonly ShellWord[]): readonly ShellWord[] {
  const isOnly = more.every((word) => word.kind === 'literal' && !word.text.startsWith('-'))
  return [isOnly && text ? text : unknownText]
}

/** The text of `npx -c`; what stands behind the program that it runs is that program's own. */
function calledByNpx(rest: readonly ShellWord[]): readonly ShellWord[] | null {
  const harmless = harmlessOptionsOf('npm')
  for (let index = 0; index < rest.length; index++) {
    const text = rest[index]?.text ?? ''
    if (!text.startsWith('-') || text === '--') return null
    if (/^-{1,3}(?:c|ca|cal|call)$/.test(text)) return onlyText(rest.slice(index + 1))
    if (text === '-p' || text === '--package') index++
    else if (!text.startsWith('--package=') && !harmless?.has(text)) return [unknownText]
  }
  return null
}

const unknownText: ShellWord = { kind: 'dynamic', text: '', prefix: '' }

function plainTraits(name: string, rest: readonly ShellWord[]): Traits {
  if (REDEFINING_BUILTINS.has(name)) return { unclear: `${name} changes what the rest of the line means` }
  const isKnown = rest.every(({ kind }) => kind === 'literal')
  if (name === 'source' || name === '.') {
    const [file] = rest[0]?.text === '--' ? rest.slice(1) : rest
    if (!isKnown || !file || file.text.startsWith('-')) return { unclear: `${name} of an unknown file` }
    if (isInput(file.text)) return { unclear: `${name} runs what it reads` }
  }
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
  if (!first || /^[-+]/.test(first.text) || (!takesText && isInput(first.text))) {
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
  const running = isProgram && name !== null ? runningIn(name, rest) : []
  const flagged = running.map((index) => index - 1)
  commands.push({
    ...command,
    role: role ?? 'program',
    name,
    running,
    runner: [],
    carriesCode: isProgram && name !== null && carriesCode(name, rest, flagged),
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
export function readingsOf({ words, name, runner }: JudgedCommand): readonly (readonly ShellWord[])[] {
  const [program, ...rest] = words
  const own = name === 'git' ? gitOptionCount(rest) : 0
  const behind = runner.length > 0 ? [[...runner, ...words]] : []
  return program && own > 0 ? [words, [program, ...rest.slice(own)], ...behind] : [words, ...behind]
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
