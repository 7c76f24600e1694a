import { USUAL_SETTINGS } from '@holdfast/conversation'
import type { ToolDefinition } from '../definition.ts'
import { checkRules } from './check-rules.ts'
import { decidePermission, type PermissionDecision } from './decide-permission.ts'
import type { PermissionCase } from './permission-facts.ts'
import type { PermissionMode, PermissionRule } from './permission-rule.ts'
import type { CallSubject } from './repeated-calls.ts'

/** How rules are given; a rule without an id is named by its place, `rule-1` for the first. */
export interface PermissionRulesOptions {
  readonly defaultPolicy: PermissionCase['defaultPolicy']
  readonly rules: readonly (Omit<PermissionRule, 'id'> & { readonly id?: string })[]
  /** `ask` where it is not given. */
  readonly mode?: PermissionMode
  readonly hardDenials?: readonly PermissionRule[]
  readonly workspaceRoot?: string
  readonly identicalCallLimit?: number
}

/** What a decision depends on beside the call: the state of the run. */
export interface PermissionSituation {
  readonly recentCalls: readonly CallSubject[]
  readonly untrustedContent: boolean
}

/** The rules of an installation, as data. */
export interface PermissionPolicy {
  readonly defaultPolicy: PermissionCase['defaultPolicy']
  readonly rules: readonly PermissionRule[]
  /** Denials that nothing lifts. */
  readonly hardDenials: readonly PermissionRule[]
  /** Absolute path; null where there is no workspace. */
  readonly workspaceRoot: string | null
  readonly mode: PermissionMode
}

/** A fixed set of rules. A change of rules or mode makes a new one, which holds from the next decision. [PERM8] */
export interface PermissionRules {
  /** What they were made from, every rule with its id. */
  readonly policy: PermissionPolicy
  decide(call: CallSubject, definition?: ToolDefinition, situation?: PermissionSituation): PermissionDecision
}

/** Rules as they stand now. @throws {MalformedRuleError} for a rule with a field or a word that does not exist. [PERM10] */
export function createPermissionRules(options: PermissionRulesOptions): PermissionRules {
  const rules = options.rules.map((rule, index): PermissionRule => ({ ...rule, id: rule.id ?? `rule-${index + 1}` }))
  const policy: PermissionPolicy = {
    defaultPolicy: options.defaultPolicy,
    rules,
    hardDenials: options.hardDenials ?? [],
    workspaceRoot: options.workspaceRoot ?? null,
    mode: options.mode ?? 'ask',
  }
  checkRules(policy.rules)
  checkRules(policy.hardDenials)
  return {
    policy,
    decide: (call, definition, situation) =>
      decidePermission({
        ...policy,
        call,
        definition,
        recentCalls: situation?.recentCalls ?? [],
        untrustedContent: situation?.untrustedContent ?? false,
        identicalCallLimit: options.identicalCallLimit ?? USUAL_SETTINGS.identicalCalls,
      }),
  }
}
