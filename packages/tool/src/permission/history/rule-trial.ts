import type { InParts } from '@holdfast/conversation'
import { checkRules } from '../check-rules.ts'
import { decidePermission } from '../decide-permission.ts'
import type { PermissionEffect, PermissionRule } from '../permission-rule.ts'
import { isAboutTool } from '../rule-matching.ts'
import { personSaid } from './logged-call.ts'
import { type PastCall, withRules } from './past-call.ts'

/** What would have become of past calls with a rule, beside what becomes of them without it. */
export interface RuleTrial {
  /** Calls of the tools that the rule is for. */
  readonly callCount: number
  readonly without: EffectCounts
  readonly with: EffectCounts
  /** Calls about which the rule alone decides: without it something else would become of them. */
  readonly changedCount: number
  /** Questions of those that a person answered in the same way. */
  readonly savedCount: number
  /** Answers of a person that the rule would have turned round. */
  readonly againstCount: number
  /** Changed calls: those against an answer first, then the newest. */
  readonly examples: readonly TriedCall[]
}

/** How many calls are allowed, ask and are denied. */
export type EffectCounts = Readonly<Record<PermissionEffect, number>>

/** A past call on which a rule was tried. */
export interface TriedCall {
  readonly call: PastCall
  readonly without: PermissionEffect
  readonly with: PermissionEffect
  /** What the person said; null where nobody was asked, or nobody answered. */
  readonly said: 'allowed' | 'denied' | null
  readonly isAgainst: boolean
}

const MOST_EXAMPLES = 20

/**
 * Decides about past calls again, without a rule and with it, by the function that decides about calls. Between two calls
 * others may work. [PERM9]
 */
export function* tryRule(pastCalls: readonly PastCall[], rule: PermissionRule): InParts<RuleTrial> {
  checkRules([rule])
  const calls = pastCalls.filter(({ question }) => isAboutTool(rule, question))
  const counts = { without: { allow: 0, ask: 0, deny: 0 }, with: { allow: 0, ask: 0, deny: 0 } }
  const changed: TriedCall[] = []
  for (const call of calls) {
    yield
    const without = decidePermission(call.question).effect
    const after = decidePermission(withRules(call.question, [rule])).effect
    counts.without[without] += 1
    counts.with[after] += 1
    if (without !== after) changed.push(triedCall(call, { without, with: after }))
  }
  const against = changed.filter(({ isAgainst }) => isAgainst)
  const others = changed.filter(({ isAgainst }) => !isAgainst)
  return {
    callCount: calls.length,
    ...counts,
    changedCount: changed.length,
    savedCount: changed.filter(isSaved).length,
    againstCount: against.length,
    examples: [...newestFirst(against), ...newestFirst(others)].slice(0, MOST_EXAMPLES),
  }
}

function triedCall(call: PastCall, effects: Pick<TriedCall, 'without' | 'with'>): TriedCall {
  const answer = personSaid(call.fate)
  const said = answer === 'unknown' ? null : answer
  const isAgainst = (said === 'denied' && effects.with === 'allow') || (said === 'allowed' && effects.with === 'deny')
  return { call, ...effects, said, isAgainst }
}

function isSaved({ without, with: after, said }: TriedCall): boolean {
  return without === 'ask' && ((said === 'allowed' && after === 'allow') || (said === 'denied' && after === 'deny'))
}

function newestFirst(tried: readonly TriedCall[]): TriedCall[] {
  return tried.toSorted((a, b) => b.call.at - a.call.at)
}
