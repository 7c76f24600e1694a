import { Json, ofFields, ruleFields, WrittenPermissionRule } from '@holdfast/conversation'
import * as z from 'zod'

const effect = z.enum(['allow', 'ask', 'deny'])
const count = z.int().nonnegative()
const time = z.int().nonnegative()

/** How much of the past was looked at. */
export const HistoryExtentAnswer = z.object({
  conversationCount: count,
  callCount: count,
  /** Calls that were too long to be kept for this. */
  unseenCount: count,
  /** Whether there is more than was looked at. */
  isCut: z.boolean(),
})
export type HistoryExtentAnswer = z.infer<typeof HistoryExtentAnswer>

/** A past call, and what became of it. */
export const PastCallRow = z.object({
  conversationId: z.string(),
  /** The entry of the conversation in which it stands. */
  seq: z.int().positive(),
  at: time,
  tool: z.string(),
  input: Json,
})
export type PastCallRow = z.infer<typeof PastCallRow>

/** A rule that is suggested: for one tool, and no wider than the answers that it stands for. [PERM9] */
export const SuggestedPermissionRule = ofFields({
  effect: z.enum(['allow', 'deny']),
  tool: ruleFields.tool,
  pattern: ruleFields.pattern,
})

/** Rules that the answers of a person suggest, those that would have answered most first. */
export const SuggestionsAnswer = z.object({
  suggestions: z.array(
    z.object({
      rule: SuggestedPermissionRule,
      /** How often the person was asked and answered as the rule would have. */
      answeredCount: count,
      conversationCount: count,
      lastAt: time,
      /** The newest of these calls. */
      examples: z.array(PastCallRow),
    }),
  ),
  extent: HistoryExtentAnswer,
})
export type SuggestionsAnswer = z.infer<typeof SuggestionsAnswer>

const effects = z.object({ allow: count, ask: count, deny: count })

/** What a rule would have done to past calls. */
export const RuleTrialAnswer = z.object({
  /** As it would hold. */
  rule: WrittenPermissionRule,
  /** Whether there is a tool of its name now. */
  isKnownTool: z.boolean(),
  /** Calls of the tools that the rule names. */
  callCount: count,
  without: effects,
  with: effects,
  /** Calls of which the rule makes something else. */
  changedCount: count,
  /** Questions that it would have answered as the person did. */
  savedCount: count,
  /** Answers of the person that it would have turned round. */
  againstCount: count,
  /** Changed calls: those against an answer first, then the newest. */
  examples: z.array(
    PastCallRow.extend({
      without: effect,
      with: effect,
      /** What the person said; null where nobody was asked, or nobody answered. */
      said: z.enum(['allowed', 'denied']).nullable(),
      isAgainst: z.boolean(),
    }),
  ),
  extent: HistoryExtentAnswer,
})
export type RuleTrialAnswer = z.infer<typeof RuleTrialAnswer>
