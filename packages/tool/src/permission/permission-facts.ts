import type { ToolCategory } from '@holdfast/conversation'
import type { ToolDefinition } from '../definition.ts'
import { type JudgedLine, judgeShellLine } from '../shell/judge-line.ts'
import { SHELL_LIMITS } from '../shell/shell-cursor.ts'
import { isExactly } from './exact-pattern.ts'
import { isGitsOwn } from './gits-own.ts'
import type { PermissionMode, PermissionRule } from './permission-rule.ts'
import type { CallSubject } from './repeated-calls.ts'
import { type Subject, subjectsOf, textsIn } from './subjects.ts'
import { placePath } from './workspace-path.ts'

/** A call with everything that the decision about it depends on. */
export interface PermissionCase {
  readonly call: CallSubject
  /** Undefined for a tool that nobody has registered: it asks. */
  readonly definition: ToolDefinition | undefined
  readonly mode: PermissionMode
  readonly rules: readonly PermissionRule[]
  /** Denials that nothing lifts; their `effect` is not read. */
  readonly hardDenials: readonly PermissionRule[]
  /** What happens to a call that nothing else decides. `allow` is set by the operator only. [PERM1] */
  readonly defaultPolicy: 'ask' | 'deny' | 'allow'
  /** Absolute path; null where there is no workspace, and then nothing lies inside it. */
  readonly workspaceRoot: string | null
  /** Calls of the run before this one, oldest first. [RUN8] */
  readonly recentCalls: readonly CallSubject[]
  readonly identicalCallLimit: number
  /** Whether content that strangers can write has entered the conversation. [PERM7] */
  readonly untrustedContent: boolean
  /** When the newest of it came; a rule that was given after it was given knowing it. */
  readonly strangersAt?: number
  /** Where that came from, for people. */
  readonly strangersFrom?: string
}

/** What a call may do, taken at its worst. */
export interface CallTraits {
  readonly readsWorkspace: boolean
  readonly editsWorkspace: boolean
  readonly mayReachOut: boolean
  readonly mayDestroy: boolean
}

/** A question with what is read out of the call once. */
export interface PermissionFacts extends PermissionCase {
  readonly subjects: readonly Subject[]
  readonly isComplete: boolean
  /** The command lines of the call. */
  readonly lines: readonly JudgedLine[]
  readonly traits: CallTraits
  /** The allow rule for exactly this call. [PERM7] */
  readonly exactRule: PermissionRule | undefined
}

/** Reads the call of a question. */
export function factsOf(question: PermissionCase): PermissionFacts {
  const { call, definition, rules } = question
  const { subjects, isComplete } = definition
    ? subjectsOf(call.input, definition)
    : { subjects: textsIn(call.input).map((text): Subject => ({ role: 'text', text })), isComplete: false }
  const lines = subjects
    .filter(({ role }) => role === 'shell-line')
    .map(({ text }) => judgeShellLine(text, SHELL_LIMITS))
  return {
    ...question,
    subjects,
    isComplete,
    lines,
    traits: traitsOf(question, subjects),
    exactRule: rules.find((rule) => rule.effect === 'allow' && rule.tool === call.name && isExactly(rule, call)),
  }
}

function traitsOf({ definition, workspaceRoot }: PermissionCase, subjects: readonly Subject[]): CallTraits {
  const own = definition?.annotations ?? {}
  const claimed = definition?.claims?.annotations ?? {}
  const is = (category: ToolCategory) =>
    definition?.category === category && (definition.claims?.category ?? category) === category
  const mayDestroy = claimed.destructive === true || !(own.destructive === false || (own.readOnly ?? is('read')))
  const reachesOut = own.openWorld === true || claimed.openWorld === true
  const staysInside =
    workspaceRoot !== null &&
    !reachesOut &&
    subjects.every(
      ({ role, text }) => role === 'text' || (role === 'path' && placePath(text, workspaceRoot).type === 'inside'),
    )
  const changes =
    own.readOnly === false || claimed.readOnly === false || own.destructive === true || claimed.destructive === true
  return {
    readsWorkspace: is('read') && staysInside && !changes,
    editsWorkspace:
      is('edit') &&
      staysInside &&
      !subjects.some(({ role, text }) => role === 'path' && isGitsOwn(text.split('/'))) &&
      own.destructive !== true &&
      claimed.destructive !== true,
    mayReachOut: reachesOut || !(own.openWorld === false || is('read') || is('edit')),
    mayDestroy,
  }
}
