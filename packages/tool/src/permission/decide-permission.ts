import { checkRules } from './check-rules.ts'
import type { GuardFinding } from './guards.ts'
import { guardFinding } from './guards.ts'
import { factsOf, type PermissionCase, type PermissionFacts } from './permission-facts.ts'
import type { PermissionEffect, PermissionMode, PermissionRule } from './permission-rule.ts'
import { rulesThatAllow, ruleThatMeets } from './rule-matching.ts'
import { ruleWords } from './rule-words.ts'

/** What decides, in the one order; the first that has an opinion wins. [PERM1] */
export const PERMISSION_ORDER = [
  'hard-denial',
  'deny-rule',
  'plan',
  'guard',
  'ask-rule',
  'bypass',
  'sandboxed',
  'accept-edits',
  'allow-rule',
  'workspace-read',
  'default-policy',
] as const

/** One of the things that decide. `workspace-read` is what mode *ask* allows. */
export type PermissionSource = (typeof PERMISSION_ORDER)[number]

/** What becomes of a call, and why. The log names it with the call. [PERM8] */
export interface PermissionDecision {
  readonly effect: PermissionEffect
  /** `external-agent`: nothing here did, for the call ran already. [AGENT6] */
  readonly source: PermissionSource | 'external-agent'
  readonly mode: PermissionMode
  /** The rules that decided, if rules did. */
  readonly ruleIds: readonly string[]
  readonly guard: GuardFinding['guard'] | null
  /** Why, in words, for the person who is asked and for the model that is denied. */
  readonly reason: string
}

interface Opinion {
  readonly effect: PermissionEffect
  readonly reason: string
  readonly rules?: readonly PermissionRule[]
  readonly guard?: GuardFinding['guard']
}

/** One entry for each source: a new one does not compile until it has an opinion. */
const OPINIONS: Readonly<Record<PermissionSource, (facts: PermissionFacts) => Opinion | null>> = {
  'hard-denial': (facts) => byRule(ruleThatMeets(facts.hardDenials, facts), 'deny'),
  'deny-rule': (facts) => byRule(ruleThatMeets(ofEffect(facts, 'deny'), facts), 'deny'),
  guard: (facts) => {
    const finding = guardFinding(facts)
    if (finding?.guard === 'untrusted-content' && isRenewed(facts)) return null
    return finding && { effect: 'ask', reason: finding.reason, guard: finding.guard }
  },
  plan: ({ mode, traits }) =>
    mode === 'plan' && !traits.readsWorkspace
      ? { effect: 'deny', reason: 'Mode plan allows reading inside the workspace and nothing else' }
      : null,
  'ask-rule': (facts) => byRule(ruleThatMeets(ofEffect(facts, 'ask'), facts), 'ask'),
  bypass: ({ mode, definition }) =>
    mode === 'bypass' && definition ? { effect: 'allow', reason: 'Mode bypass allows what nothing forbids' } : null,
  sandboxed: ({ mode, definition }) =>
    mode === 'sandboxed' && definition?.sandboxed === true
      ? { effect: 'allow', reason: 'Mode sandboxed allows what runs in the sandbox' }
      : null,
  'accept-edits': ({ mode, traits }) =>
    (mode === 'accept-edits' || mode === 'sandboxed') && traits.editsWorkspace
      ? { effect: 'allow', reason: `Mode ${mode} allows edits inside the workspace` }
      : null,
  'allow-rule': (facts) => {
    const rules = rulesThatAllow(facts.rules, facts)
    return rules && { effect: 'allow', reason: `Allowed by ${names(rules)}`, rules }
  },
  'workspace-read': ({ traits }) =>
    traits.readsWorkspace ? { effect: 'allow', reason: 'Reading inside the workspace is allowed' } : null,
  'default-policy': ({ defaultPolicy, definition, call, mode }) =>
    definition || defaultPolicy !== 'allow'
      ? { effect: defaultPolicy, reason: UNDECIDED[defaultPolicy](mode) }
      : { effect: 'ask', reason: `There is no tool named ${call.name}` },
}

/** What the words say where nothing else has an opinion: what would let it run, and what happens instead. */
const UNDECIDED: Readonly<Record<PermissionCase['defaultPolicy'], (mode: PermissionMode) => string>> = {
  ask: (mode) => `No rule allows it yet, and mode ${mode} lets only ${LETS_RUN[mode]} run without a question`,
  deny: (mode) => `No rule allows it, mode ${mode} lets only ${LETS_RUN[mode]} run, and all else is denied here`,
  allow: () => 'No rule forbids it, and what is not forbidden is allowed here',
}

const LETS_RUN: Readonly<Record<PermissionMode, string>> = {
  plan: 'reading inside the workspace',
  ask: 'reading inside the workspace',
  'accept-edits': 'reading and editing inside the workspace',
  sandboxed: 'reading and editing inside the workspace and what a sandbox confines',
  bypass: 'known tools',
}

/**
 * Decides about one call. Pure: the same question has the same answer. [PERM1, PERM2, PERM8]
 *
 * @throws {MalformedRuleError} for a rule with a field or a word that does not exist. [PERM10]
 */
export function decidePermission(question: PermissionCase): PermissionDecision {
  checkRules(question.rules)
  checkRules(question.hardDenials)
  const facts = factsOf(question)
  for (const source of PERMISSION_ORDER) {
    const opinion = OPINIONS[source](facts)
    if (!opinion) continue
    const { effect, reason, rules, guard } = opinion
    return {
      effect,
      source,
      mode: question.mode,
      ruleIds: (rules ?? []).map(({ id }) => id),
      guard: guard ?? null,
      reason,
    }
  }
  throw new Error('The default policy has no opinion: every call has one')
}

/** The decision where nobody can be asked: what would ask is denied, and says so. [PERM6] */
export function decideUnattended(question: PermissionCase): PermissionDecision {
  const decision = decidePermission(question)
  if (decision.effect !== 'ask') return decision
  return { ...decision, effect: 'deny', reason: `Nobody is there to be asked. ${decision.reason}` }
}

/**
 * Whether a person allowed such calls after what strangers wrote had come: they knew of it. It holds until the next of
 * it comes. For what may destroy it holds only where the rule spells the commands, which the guards before have read.
 * [PERM7]
 */
function isRenewed(facts: PermissionFacts): boolean {
  const { strangersAt, rules, traits, lines } = facts
  if (strangersAt === undefined || (traits.mayDestroy && lines.length === 0)) return false
  const since = rules.filter(
    ({ givenAt, pattern }) =>
      givenAt !== undefined && givenAt > strangersAt && (!traits.mayDestroy || pattern !== undefined),
  )
  return rulesThatAllow(since, facts) !== null
}

function ofEffect({ rules }: PermissionFacts, effect: PermissionEffect): PermissionRule[] {
  return rules.filter((rule) => rule.effect === effect)
}

function byRule(rule: PermissionRule | undefined, effect: 'deny' | 'ask'): Opinion | null {
  if (!rule) return null
  return { effect, reason: `${effect === 'deny' ? 'Denied' : 'Asks'} by ${names([rule])}`, rules: [rule] }
}

function names(rules: readonly PermissionRule[]): string {
  return rules.map((rule) => `rule ${rule.id} (${ruleWords(rule)})`).join(', ')
}
