import type { Json } from '@holdfast/conversation'
import type { ToolDefinition } from '../definition.ts'
import { type JudgedCommand, judgeShellLine } from '../shell/judge-line.ts'
import { SHELL_LIMITS } from '../shell/shell-cursor.ts'
import { subjectsOf } from './subjects.ts'

/** Programs that read and write files here and say what stands in them, and nothing else. */
const LOCAL: ReadonlySet<string> = new Set([
  ...['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'egrep', 'fgrep', 'sort', 'uniq', 'cut', 'tr', 'diff', 'cmp', 'stat'],
  ...['pwd', 'echo', 'printf', 'true', 'false', 'test', '[', 'du', 'df', 'file', 'basename', 'dirname', 'realpath'],
  ...['date', 'mkdir', 'touch', 'cp', 'mv', 'rm', 'cd', 'sleep', 'which', 'seq', 'nl', 'tac', 'md5sum', 'sha256sum'],
])

/** Programs whose work is the code of the workspace, by their first word behind the name; `null` for every one. */
const WORKSPACE: Readonly<Record<string, ReadonlySet<string> | null>> = {
  npm: new Set(['test', 't', 'run']),
  cargo: new Set(['test', 'build', 'check', 'clippy', 'fmt']),
  go: new Set(['test', 'build', 'vet', 'fmt']),
  git: new Set(['status', 'diff', 'log', 'show', 'add', 'commit', 'branch', 'rev-parse', 'ls-files', 'blame']),
  make: null,
  tsc: null,
  vitest: null,
  jest: null,
  pytest: null,
}

/**
 * Whether a call may bring words of strangers into the conversation: from the network, from a server, from a tool of
 * which nobody knows. A command line does unless all in it only touches files here, or runs the workspace's own
 * tests and builds, whose words are trusted like its files. [PERM7]
 */
export function mayBringStrangers(definition: ToolDefinition, input: Json): boolean {
  const { category, annotations, claims, runsAt } = definition
  if (claims !== undefined || category === 'network' || runsAt === 'client') return true
  const lines = subjectsOf(input, definition).subjects.filter(({ role }) => role === 'shell-line')
  if (lines.length === 0) return annotations?.openWorld === true
  return !lines.every(({ text }) => staysHere(text))
}

function staysHere(text: string): boolean {
  const line = judgeShellLine(text, SHELL_LIMITS)
  return line.type === 'readable' && line.commands.every(isLocal)
}

function isLocal({ role, name, words, unclear, runner }: JudgedCommand): boolean {
  if (unclear !== null || runner.length > 0) return false
  if (role !== 'program') return true
  if (name === null) return false
  if (LOCAL.has(name)) return true
  if (!Object.hasOwn(WORKSPACE, name)) return false
  const permitted = WORKSPACE[name]
  return permitted === null || permitted?.has(words[1]?.text ?? '') === true
}
