import { entryOf, keyOf } from './program-names.ts'
import type { ShellWord } from './shell-command.ts'

/** How a program that runs the script in its arguments takes its own options before it. */
interface Interpreter {
  /** Options before the script that change nothing of what runs; short ones may be joined. */
  readonly flags: ReadonlySet<string>
  /** Options with which it needs no script and runs no input. */
  readonly informs: ReadonlySet<string>
}

function interpreter(flags: string, informs: string): Interpreter {
  return { flags: new Set(namesIn(flags)), informs: new Set(namesIn(informs)) }
}

function namesIn(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '')
}

const NODE = interpreter(
  `--watch --enable-source-maps --no-warnings --trace-warnings --trace-uncaught --trace-deprecation --check --expose-gc
  --experimental-strip-types --experimental-vm-modules --no-deprecation --throw-deprecation --test-only`,
  '-v -h --version --help --test',
)
const PYTHON = interpreter('-u -B -O -OO -s -S -I -b -bb -q', '-V -VV -h --version --help')
const BARE = interpreter('', '--version --help')

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map([
  ['node', NODE],
  ['nodejs', NODE],
  ['tsx', NODE],
  ['python', PYTHON],
  ['pypy', PYTHON],
  ['perl', interpreter('-w -W -X -t -T -c', '-v -h --version --help')],
  ['ruby', interpreter('-w -c', '-v -h --version --help')],
  ['php', interpreter('-q', '-v -h -m --version --help')],
  ['lua', interpreter('-W', '-v')],
  ...namesIn(
    `luajit Rscript R ts-node tclsh wish guile racket julia elixir iex irb pry ghci runghc jshell groovy scala swift
    octave gnuplot m4 dc sbcl clisp erl escript ocaml gforth coffee babel-node esr bpython ipython lftp ftp sftp`,
  ).map((name): [string, Interpreter] => [name, BARE]),
])

/** Where an interpreter's script comes from. */
type ScriptSource =
  | { readonly type: 'file' | 'none' | 'input' }
  /** An option at this place is not one of those that are known. */
  | { readonly type: 'unknown-option'; readonly index: number }

/** Whether a program runs the script that its first words name. */
export function isInterpreter(name: string): boolean {
  return keyOf(name, INTERPRETERS) !== null
}

/** Where the script of an interpreter stands; null for every other program. [PERM2] */
export function scriptOf(name: string, argumentsOf: readonly ShellWord[]): ScriptSource | null {
  const entry = entryOf(name, INTERPRETERS)
  if (!entry) return null
  let source: ScriptSource = { type: 'input' }
  for (const [index, { kind, text }] of argumentsOf.entries()) {
    if (text === '--' && kind === 'literal') {
      const script = argumentsOf[index + 1]
      return script && !isInput(script.text) ? { type: 'file' } : { type: 'input' }
    }
    if (text === '-') return { type: 'input' }
    if (!/^[-+]/.test(text)) {
      // What a pattern from the root becomes, `/d?v/stdin`, is not known.
      const isUnknown = kind === 'glob' && text.startsWith('/')
      return isUnknown || isInput(text) ? { type: 'input' } : { type: 'file' }
    }
    if (entry.informs.has(text)) source = { type: 'none' }
    else if (!isFlag(text, entry.flags)) return { type: 'unknown-option', index }
  }
  return source
}

function isFlag(text: string, flags: ReadonlySet<string>): boolean {
  if (flags.has(text)) return true
  return /^-[A-Za-z]+$/.test(text) && [...text.slice(1)].every((letter) => flags.has(`-${letter}`))
}

/** Whether a path names what is read from a descriptor, however it is written: `/dev/stdin`, `../../proc/self/fd/0`. */
export function isInput(path: string): boolean {
  const segments: string[] = []
  let climbs = /^[/~]/.test(path)
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) climbs = true
  }
  const [first, ...rest] = segments
  return climbs && (first === 'dev' || first === 'proc') && rest.join('/') !== 'null'
}
