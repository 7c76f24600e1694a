import { decidePermission } from '../decide-permission.ts'
import type { PermissionCase } from '../permission-facts.ts'
import type { PermissionRule } from '../permission-rule.ts'
import type { CallFate } from './logged-call.ts'

/** A call of the past, with the question as it would be judged again under the rules of now. */
export interface PastCall {
  readonly conversationId: string
  /** Place of the step that made it. */
  readonly seq: number
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly question: PermissionCase
  readonly fate: CallFate
}

/** The question with more rules. */
export function withRules(question: PermissionCase, rules: readonly PermissionRule[]): PermissionCase {
  return rules.length === 0 ? question : { ...question, rules: [...question.rules, ...rules] }
}

/**
 * Whether the rules would allow such a call where nothing else makes it ask: no row of identical calls, no words of
 * strangers, no mode. What a person denied must not be allowed even then.
 */
export function isAllowedAtBest(question: PermissionCase, rules: readonly PermissionRule[]): boolean {
  const { strangersAt: _, ...rest } = question
  const atBest = { ...rest, mode: 'ask', defaultPolicy: 'ask', recentCalls: [], untrustedContent: false } as const
  return decidePermission(withRules(atBest, rules)).effect === 'allow'
}
