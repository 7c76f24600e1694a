import type { RuleSuggestion, RuleTrial, SuggestedRule, WrittenRule } from '@holdfast/tool'
import type { ConversationCommand } from './command-base.ts'

/** Whose past is looked at. */
export interface HistoryRange {
  readonly ownerId: string
  /** Only this conversation, under its own rules; null for all of the owner's, under the rules that hold in each. */
  readonly conversationId: string | null
}

/** How much of the past was looked at. */
export interface HistoryExtent {
  readonly conversationCount: number
  readonly callCount: number
  /** Calls that were too long to be kept. */
  readonly unseenCount: number
  /** Whether there is more than was looked at: older conversations, or long logs that are not read to their end yet. */
  readonly isCut: boolean
}

/** Rules that the answers of a person suggest. */
export interface Suggestions {
  readonly suggestions: readonly RuleSuggestion[]
  readonly extent: HistoryExtent
}

/** What a rule would have done. */
export interface RuleReport {
  /** As it would hold. */
  readonly rule: WrittenRule
  /** Whether there is a tool of its name now. */
  readonly isKnownTool: boolean
  readonly trial: RuleTrial
  readonly extent: HistoryExtent
}

/** Gives a rule to one conversation. [PERM5] */
export interface AddRule extends ConversationCommand {
  readonly rule: WrittenRule
}

/** Gives a rule to all conversations of a person. [PERM5] */
export interface AddAlwaysRule {
  readonly ownerId: string
  readonly rule: WrittenRule
}

/** What became of a rule for all conversations. */
export interface AlwaysRuleAdded {
  /** That of the same rule where there is one. */
  readonly ruleId: string
  readonly isNew: boolean
}

/** Rules for calls, and what the past says of them. */
export interface PermissionEngine {
  /** @throws {UnknownConversationError} */
  suggestRules(asked: HistoryRange): Promise<Suggestions>
  /** Tries a rule on past calls; it holds nowhere by that. @throws {UnknownConversationError | RefusedCommandError} */
  tryRule(asked: HistoryRange & { readonly rule: WrittenRule }): Promise<RuleReport>
  /** A suggestion like it comes back only for answers that are given after this. */
  dismissSuggestion(asked: { readonly ownerId: string; readonly rule: SuggestedRule }): Promise<void>
  /**
   * The conversation's open requests are judged by the rule at once. [PERM8]
   *
   * @returns the rule's id; that of the same rule where there is one.
   * @throws {UnknownConversationError | RefusedCommandError}
   */
  addRule(command: AddRule): Promise<{ readonly ruleId: string }>
  /** Adds a rule for all conversations of the person, whose open requests are judged by it. @throws {RefusedCommandError} */
  addAlwaysRule(asked: AddAlwaysRule): Promise<AlwaysRuleAdded>
}
