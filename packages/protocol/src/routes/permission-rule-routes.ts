import * as z from 'zod'
import { RuleTrialAnswer, SuggestionsAnswer, WrittenPermissionRule } from '../answers/rule-trial-answer.ts'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** A rule that a person gave for all their conversations. [PERM5] */
export const AlwaysRule = z.object({
  ruleId: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  tool: z.string(),
  pattern: z.string().exactOptional(),
  /** The conversation in which it was given. */
  givenIn: z.string().exactOptional(),
})
export type AlwaysRule = z.infer<typeof AlwaysRule>

const written = z.strictObject({ rule: WrittenPermissionRule })
const ruleId = z.object({ ruleId: z.string() })

/** The routes about rules for calls: those that hold, those that the past suggests, and what one would have done. */
export const permissionRuleRoutes = {
  listPermissionRules: {
    method: 'GET',
    path: '/permission-rules',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ rules: z.array(AlwaysRule) }) },
  },
  addPermissionRule: {
    method: 'POST',
    path: '/permission-rules',
    access: 'user',
    scope: 'tools',
    params: nothing,
    query: nothing,
    body: written,
    /** 200: the same rule was there. */
    answers: { 200: ruleId, 201: ruleId },
  },
  revokePermissionRule: {
    method: 'DELETE',
    path: '/permission-rules/:ruleId',
    access: 'record',
    scope: 'tools',
    params: z.object({ ruleId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: { 200: ruleId },
  },
  suggestPermissionRules: {
    method: 'GET',
    path: '/permission-rules/suggestions',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: SuggestionsAnswer },
  },
  dismissPermissionSuggestion: {
    method: 'POST',
    path: '/permission-rules/suggestions/dismiss',
    access: 'user',
    scope: 'tools',
    params: nothing,
    query: nothing,
    body: z.strictObject({ rule: WrittenPermissionRule.extend({ effect: z.enum(['allow', 'deny']) }) }),
    answers: { 200: z.object({ dismissed: z.literal(true) }) },
  },
  tryPermissionRule: {
    method: 'POST',
    path: '/permission-rules/try',
    access: 'user',
    scope: 'read',
    params: nothing,
    query: nothing,
    body: written,
    answers: { 200: RuleTrialAnswer },
  },
  addConversationRule: {
    method: 'POST',
    path: '/conversations/:id/permission-rules',
    access: 'owner',
    scope: 'tools',
    params: conversation,
    query: nothing,
    body: z.strictObject({ commandId: OutsideId, rule: WrittenPermissionRule }),
    answers: { 200: ruleId },
  },
  suggestConversationRules: {
    method: 'GET',
    path: '/conversations/:id/permission-rules/suggestions',
    access: 'owner',
    params: conversation,
    query: nothing,
    body: nothing,
    answers: { 200: SuggestionsAnswer },
  },
  tryConversationRule: {
    method: 'POST',
    path: '/conversations/:id/permission-rules/try',
    access: 'owner',
    scope: 'read',
    params: conversation,
    query: nothing,
    body: written,
    answers: { 200: RuleTrialAnswer },
  },
} as const satisfies Readonly<Record<string, Route>>
