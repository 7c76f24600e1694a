import type { PermissionGuard } from '@holdfast/conversation'
import { canonicalJson } from '../canonical-json.ts'
import type { JudgedCommand } from '../shell/judge-line.ts'
import { destructionOf, isDestructiveTarget, type LinePlace, sendsOut } from './destructive-commands.ts'
import type { PermissionFacts } from './permission-facts.ts'
import { identicalCalls } from './repeated-calls.ts'
import { placePath } from './workspace-path.ts'

/** What made a guard ask. */
export interface GuardFinding {
  readonly guard: PermissionGuard
  readonly reason: string
}

type Guard = (facts: PermissionFacts) => GuardFinding | null

/** The guards in their order; the first finding asks. No mode and no rule stands before them but a denial. */
const GUARDS: readonly Guard[] = [destructive, raised, unreadable, repeated, untrusted]

/** The first finding of the guards about a call. */
export function guardFinding(facts: PermissionFacts): GuardFinding | null {
  for (const guard of GUARDS) {
    const finding = guard(facts)
    if (finding) return finding
  }
  return null
}

function commandsOf({ lines }: PermissionFacts): readonly JudgedCommand[] {
  return lines.flatMap((line) => (line.type === 'readable' ? line.commands : []))
}

function destructive(facts: PermissionFacts): GuardFinding | null {
  for (const line of facts.lines) {
    if (line.type === 'unreadable') continue
    const place: LinePlace = {
      workspaceRoot: facts.workspaceRoot,
      movesAway: line.commands.some((command) => movesAway(command, facts.workspaceRoot)),
      sendsOut: line.commands.some(sendsOut),
    }
    for (const command of line.commands) {
      const row = destructionOf(command, place)
      if (row) return { guard: 'destructive-command', reason: `${inWords(command)}: ${row.about}` }
      if (command.redirections.some(({ target }) => target !== null && isDestructiveTarget(target.text))) {
        return {
          guard: 'destructive-command',
          reason: `${inWords(command)}: writes to a device, the system or a start-up file`,
        }
      }
      if (command.inFunction !== null && command.name === command.inFunction) {
        return { guard: 'destructive-command', reason: `${command.name} starts itself again and again` }
      }
    }
  }
  return null
}

/** Whether a command takes the rest of the line to a folder that is not surely inside the workspace. */
export function movesAway({ name, words }: JudgedCommand, workspaceRoot: string | null): boolean {
  if (name !== 'cd' && name !== 'pushd' && name !== 'popd') return false
  const [, target, ...more] = words
  if (!target || more.length > 0 || target.kind !== 'literal' || target.text.startsWith('-')) return true
  if (target.text.split('/').includes('..')) return true
  return target.text.startsWith('/') || target.text.startsWith('~')
    ? placePath(target.text, workspaceRoot).type !== 'inside'
    : false
}

function raised(facts: PermissionFacts): GuardFinding | null {
  const command = commandsOf(facts).find(({ raises }) => raises)
  return command ? { guard: 'raised-rights', reason: `${inWords(command)} raises its rights` } : null
}

function unreadable(facts: PermissionFacts): GuardFinding | null {
  if (facts.exactRule) return null
  for (const line of facts.lines) {
    if (line.type === 'unreadable') {
      return { guard: 'unreadable-command', reason: `The command line cannot be read: ${line.reason}` }
    }
    const unclear = line.commands.find((command) => command.unclear !== null)
    if (unclear) return { guard: 'unreadable-command', reason: `${inWords(unclear)}: ${unclear.unclear}` }
  }
  return null
}

function repeated({ call, recentCalls, identicalCallLimit }: PermissionFacts): GuardFinding | null {
  const found = identicalCalls(recentCalls, call, identicalCallLimit)
  return found ? { guard: 'repeated-call', reason: found } : null
}

/** What leaves, or destroys, after words of strangers have entered the conversation. [PERM7] */
function untrusted({ untrustedContent, strangersFrom, traits, exactRule, call }: PermissionFacts): GuardFinding | null {
  if (!untrustedContent || exactRule || (!traits.mayReachOut && !traits.mayDestroy)) return null
  const does = traits.mayReachOut ? 'send out' : 'act on'
  const data = canonicalJson(call.input)
  const from = strangersFrom === undefined ? '' : ` (${strangersFrom})`
  return {
    guard: 'untrusted-content',
    reason: `Content from outside${from} has entered the conversation, and ${call.name} would ${does}: ${data}`,
  }
}

function inWords({ words }: JudgedCommand): string {
  const text = words.map((word) => word.text).join(' ')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
