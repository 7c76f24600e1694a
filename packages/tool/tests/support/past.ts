import type { InParts } from '@holdfast/conversation'
import type { CallSubject, PastCall, PermissionCase, PermissionRule, ToolDefinition } from '@holdfast/tool'
import { TOOLS, WORKSPACE } from './definitions.ts'

/** What was said of a past call; `ran` where nobody was asked. */
export type Said = 'allowed' | 'denied' | 'ran' | 'unanswered' | 'by a rule'

/** What a test says of a past call, beside the call. */
export interface PastOptions extends Partial<Omit<PermissionCase, 'call'>> {
  readonly said?: Said
  readonly at?: number
  readonly conversationId?: string
  readonly rules?: readonly PermissionRule[]
}

/** A call of the past, allowed by a person at time 1 where nothing else is said. */
export function past(call: CallSubject, options: PastOptions = {}): PastCall {
  const { said = 'allowed', at = 1, conversationId = 'c1', ...rest } = options
  const question: PermissionCase = {
    call,
    definition: definitionOf(call.name),
    mode: 'ask',
    defaultPolicy: 'ask',
    rules: [],
    hardDenials: [],
    recentCalls: [],
    workspaceRoot: WORKSPACE,
    identicalCallLimit: 3,
    untrustedContent: false,
    ...rest,
  }
  return { conversationId, seq: at, at, question, fate: fateOf(said, at) }
}

/** Command lines of the past. */
export function pastLines(lines: readonly string[], options: PastOptions = {}): PastCall[] {
  return lines.map((command) => past({ name: 'shell', input: { command } }, options))
}

/** Edits of the past. */
export function pastEdits(paths: readonly string[], options: PastOptions = {}): PastCall[] {
  return paths.map((path, index) => past({ name: 'edit_file', input: { path, content: `text ${index}` } }, options))
}

function fateOf(said: Said, at: number): PastCall['fate'] {
  if (said === 'ran') return { type: 'ran' }
  const asked = { type: 'asked', requestId: `r${at}` } as const
  if (said === 'unanswered') return { ...asked, answer: null }
  const by = said === 'by a rule' ? 'rule' : 'person'
  return { ...asked, answer: { type: 'settled', outcome: said === 'denied' ? 'denied' : 'allowed', by, at } }
}

function definitionOf(name: string): ToolDefinition | undefined {
  return Object.values(TOOLS).find((tool) => tool.name === name)
}

/** What work comes to that is done in one piece. */
export function done<Result>(work: InParts<Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}
