import type { InParts } from '@holdfast/conversation'
import { decidePermission } from '../decide-permission.ts'
import type { PermissionRule } from '../permission-rule.ts'
import { filterInParts, someInParts } from './in-parts.ts'
import { mayBeDenied, personSaid } from './logged-call.ts'
import { isAllowedAtBest, type PastCall, withRules } from './past-call.ts'
import { candidatesFor, type RuleCandidate } from './rule-candidates.ts'

/** A rule that would have answered what a person answered. */
export interface RuleSuggestion {
  readonly rule: SuggestedRule
  /** How often a person was asked and answered as the rule would have. */
  readonly answeredCount: number
  readonly conversationCount: number
  /** When they last did, in milliseconds since the Unix epoch. */
  readonly lastAt: number
  /** The newest of these calls. */
  readonly examples: readonly PastCall[]
}

/** What a suggestion says about which calls. */
export type SuggestedRule = Pick<PermissionRule, 'tool' | 'pattern'> & { readonly effect: 'allow' | 'deny' }

/** What suggestions are made of. */
export interface SuggestionSources {
  readonly pastCalls: readonly PastCall[]
  /** Tools of which a person denied something that is not among the calls: nothing of them is suggested to be allowed. */
  readonly unseenDenials: readonly string[]
  /** Suggestions that the person did not want, and when: answers from before are no reason for them any more. */
  readonly dismissed: readonly DismissedRule[]
}

/** A suggestion that a person did not want. */
export interface DismissedRule {
  readonly rule: SuggestedRule
  /** Milliseconds since the Unix epoch. */
  readonly at: number
}

/** How often a person must have answered, and how much is said. */
export const SUGGESTION_LIMITS = { leastAnswers: 3, suggestions: 8, examples: 3 } as const

/**
 * The narrowest rules that would have answered what a person answered the same way several times. Each is tried by the
 * function that decides about calls: it answers all that it stands for, allows nothing that a person denied, not even
 * together with the others and the rules that there are, and denies nothing that was let run. A long past is many thousand
 * decisions: between two of them others may work. [PERM9]
 */
export function* suggestRules({
  pastCalls,
  unseenDenials,
  dismissed,
}: SuggestionSources): InParts<readonly RuleSuggestion[]> {
  const unseen = new Set(unseenDenials)
  const found: RuleSuggestion[] = []
  for (const effect of ['allow', 'deny'] as const) {
    const taken: PermissionRule[] = []
    const spentBy = dismissed.filter(({ rule }) => rule.effect === effect)
    const reasons = yield* filterInParts(pastCalls, (call) => isReason(call, effect) && !isSpent(call, spentBy))
    const answered = new Set<PastCall>()
    for (const { rule, calls } of ranked(reasons, effect)) {
      if (effect === 'allow' && unseen.has(rule.tool)) continue
      const left = calls.filter((call) => !answered.has(call))
      if (left.length < SUGGESTION_LIMITS.leastAnswers) continue
      const answers = yield* filterInParts(left, (call) => isDecidedBy(call, rule))
      if (answers.length < SUGGESTION_LIMITS.leastAnswers || !(yield* isSafe(rule, { pastCalls, taken }))) continue
      taken.push(rule)
      for (const call of answers) answered.add(call)
      found.push(suggestionOf(rule, answers))
    }
  }
  return found.toSorted((a, b) => b.answeredCount - a.answeredCount).slice(0, SUGGESTION_LIMITS.suggestions)
}

/** A call that a person answered about and that nothing but them decides today. */
function isReason({ question, fate }: PastCall, effect: 'allow' | 'deny'): boolean {
  if (personSaid(fate) !== (effect === 'allow' ? 'allowed' : 'denied')) return false
  const decision = decidePermission(question)
  return decision.effect === 'ask' && decision.source === 'default-policy' && question.definition !== undefined
}

type CandidateRule = PermissionRule & SuggestedRule

interface Ranked {
  readonly rule: CandidateRule
  readonly breadth: number
  readonly calls: PastCall[]
}

/** Candidates that stand for enough calls: the narrowest first, of equals the one that stands for more. */
function ranked(reasons: readonly PastCall[], effect: 'allow' | 'deny'): readonly Ranked[] {
  const byKey = new Map<string, Ranked>()
  for (const call of reasons) {
    for (const candidate of candidatesFor(call.question)) {
      const key = JSON.stringify([candidate.tool, candidate.pattern ?? null])
      const known = byKey.get(key) ?? { rule: toRule(candidate, effect), breadth: candidate.breadth, calls: [] }
      known.calls.push(call)
      byKey.set(key, known)
    }
  }
  return [...byKey.values()]
    .filter(({ calls }) => calls.length >= SUGGESTION_LIMITS.leastAnswers)
    .sort((a, b) => a.breadth - b.breadth || b.calls.length - a.calls.length)
}

function toRule({ tool, pattern }: RuleCandidate, effect: 'allow' | 'deny'): CandidateRule {
  const about = pattern === undefined ? tool : `${tool}: ${pattern}`
  return { id: `${effect} ${about}`, effect, tool, ...(pattern === undefined ? {} : { pattern }) }
}

/** A dismissed suggestion takes with it all the answers that it would have given by then. */
function isSpent(call: PastCall, dismissed: readonly DismissedRule[]): boolean {
  const { fate } = call
  const answeredAt = fate.type === 'asked' && fate.answer?.type === 'settled' ? fate.answer.at : call.at
  return dismissed.some(({ rule, at }) => at >= answeredAt && isDecidedBy(call, { ...rule, id: 'dismissed' }))
}

function isDecidedBy({ question }: PastCall, rule: CandidateRule): boolean {
  const decision = decidePermission(withRules(question, [rule]))
  return decision.effect === rule.effect && decision.ruleIds.includes(rule.id)
}

interface Beside {
  readonly pastCalls: readonly PastCall[]
  readonly taken: readonly PermissionRule[]
}

function* isSafe(rule: CandidateRule, { pastCalls, taken }: Beside): InParts<boolean> {
  const calls = pastCalls.filter((call) => toolOf(call) === rule.tool)
  switch (rule.effect) {
    case 'allow':
      return !(yield* someInParts(
        calls,
        ({ question, fate }) =>
          mayBeDenied(fate) && isAllowedAtBest(question, [...taken, rule]) && !isAllowedAtBest(question, []),
      ))
    case 'deny':
      return !(yield* someInParts(
        calls,
        ({ question, fate }) =>
          (fate.type === 'ran' || personSaid(fate) === 'allowed') &&
          decidePermission(question).effect !== 'deny' &&
          decidePermission(withRules(question, [rule])).effect === 'deny',
      ))
  }
}

function suggestionOf({ effect, tool, pattern }: CandidateRule, answers: readonly PastCall[]): RuleSuggestion {
  const newest = answers.toSorted((a, b) => b.at - a.at)
  return {
    rule: { effect, tool, ...(pattern === undefined ? {} : { pattern }) },
    answeredCount: answers.length,
    conversationCount: new Set(answers.map(({ conversationId }) => conversationId)).size,
    lastAt: newest[0]?.at ?? 0,
    examples: newest.slice(0, SUGGESTION_LIMITS.examples),
  }
}

function toolOf({ question }: PastCall): string {
  return question.call.name
}
