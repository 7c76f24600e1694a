import type { ToolDefinition } from '../definition.ts'
import { isInterpreter } from '../shell/interpreters.ts'
import { judgeShellLine } from '../shell/judge-line.ts'
import { keyOf } from '../shell/program-names.ts'
import { SHELL_LIMITS } from '../shell/shell-cursor.ts'
import { RUNNERS, SHELLS } from '../shell/shell-wrappers.ts'
import { exactPattern } from './exact-pattern.ts'
import type { PermissionRule } from './permission-rule.ts'
import type { CallSubject } from './repeated-calls.ts'
import { parseShellPattern, patternAllows } from './shell-pattern.ts'
import { subjectsOf } from './subjects.ts'
import { placePath } from './workspace-path.ts'

/** How far a person's yes reaches. [PERM5] */
export type GrantScope = 'call' | 'conversation' | 'pattern' | 'category' | 'always'

/** What a yes comes to: plain data that is kept, listed and revoked by its id. */
export interface Grant {
  readonly scope: GrantScope
  /** The rule that it adds; null for one call, which is answered and leaves nothing. */
  readonly rule: PermissionRule | null
}

/** A yes to a call. */
export interface GrantRequest {
  readonly call: CallSubject
  readonly definition: ToolDefinition | undefined
  readonly scope: GrantScope
  /** For `pattern` and `always`: what the person agreed to; without it, exactly this call. */
  readonly pattern?: string
  readonly ruleId: string
}

/**
 * The grant for a yes, or null where that scope is not offered: a category for a tool that is destructive,
 * or does not say that it is not, and exactly this call where its input is too long to be shown. [PERM5]
 */
export function grantFor({ call, definition, scope, pattern, ruleId }: GrantRequest): Grant | null {
  const rule = { id: ruleId, effect: 'allow' } as const
  switch (scope) {
    case 'call':
      return { scope, rule: null }
    case 'conversation':
      return { scope, rule: { ...rule, tool: call.name } }
    case 'pattern':
    case 'always':
      if (pattern === undefined && exactPattern(call).length > EXACT_LIMIT_CHARS) return null
      return { scope, rule: { ...rule, tool: call.name, pattern: pattern ?? exactPattern(call) } }
    case 'category': {
      const { category, annotations, claims } = definition ?? {}
      const isHarmless = annotations?.destructive === false || annotations?.readOnly === true
      if (category === undefined || !isHarmless || claims?.annotations?.destructive === true) return null
      return { scope, rule: { ...rule, tool: '*', categories: [category], annotations: { destructive: false } } }
    }
  }
}

/** The grants without one of them. */
export function revokeGrant(grants: readonly Grant[], ruleId: string): readonly Grant[] {
  return grants.filter(({ rule }) => rule?.id !== ruleId)
}

/** Programs whose second word says what they do: the pattern keeps it. */
const WITH_COMMANDS: ReadonlySet<string> = new Set([
  'git',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'cargo',
  'go',
  'pip',
  'pip3',
  'gh',
  'kubectl',
  'make',
  'docker',
])
/** A rule for exactly one call is shown and kept whole: beyond this length there is none. */
export const EXACT_LIMIT_CHARS = 4_096

/**
 * A pattern that would have allowed the call and calls like it: `npm test *`, `src/*`, `https://host/*`.
 * Null when nothing wider than the call itself is clear. It never covers more than one program, and nothing of a shell,
 * an interpreter, or what runs the program in its arguments.
 */
export function suggestPattern(call: CallSubject, definition: ToolDefinition | undefined): string | null {
  if (!definition) return null
  const { subjects, isComplete } = subjectsOf(call.input, definition)
  const [subject, ...others] = subjects
  if (!subject || others.length > 0 || !isComplete) return null
  switch (subject.role) {
    case 'shell-line':
      return suggestForLine(subject.text)
    case 'path': {
      const place = placePath(subject.text, '/')
      if (place.type !== 'inside') return null
      const folder = subject.text.split('/').slice(0, -1)
      return folder.some((part) => part === '..' || part.includes('*')) || subject.text.includes('*')
        ? null
        : [...folder, '*'].join('/')
    }
    case 'url': {
      const url = URL.canParse(subject.text) ? new URL(subject.text) : null
      return url?.protocol === 'https:' || url?.protocol === 'http:' ? `${url.origin}/*` : null
    }
    case 'text':
      return null
  }
}

function suggestForLine(text: string): string | null {
  const line = judgeShellLine(text, SHELL_LIMITS)
  if (line.type === 'unreadable' || line.commands.some(({ raises }) => raises)) return null
  const programs = line.commands.filter(({ role }) => role === 'program')
  const [program, ...more] = programs
  if (!program || more.length > 0 || program.unclear !== null || program.running.length > 0) return null
  const kept = program.words.slice(0, program.name !== null && WITH_COMMANDS.has(program.name) ? 2 : 1)
  const isPlain = kept.every(({ kind, text: word }) => kind === 'literal' && /^[A-Za-z0-9_./:@+-]+$/.test(word))
  if (!isPlain || kept[1]?.text.startsWith('-') || program.runner.length > 0 || runsOthers(program.name)) return null
  const suggested = `${kept.map((word) => word.text).join(' ')} *`
  return patternAllows(parseShellPattern(suggested) ?? [], program) ? suggested : null
}

const FETCHING_RUNNERS: ReadonlySet<string> = new Set(['npx', 'pnpx', 'bunx', 'uvx', 'pipx', 'deno', 'bun'])

function runsOthers(name: string | null): boolean {
  if (name === null) return true
  return isInterpreter(name) || [SHELLS, RUNNERS, FETCHING_RUNNERS].some((table) => keyOf(name, table) !== null)
}
