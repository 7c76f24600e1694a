import { RuleAnnotations, ToolCategory, WrittenPermissionRule } from '@holdfast/conversation'
import * as z from 'zod'
import { RuleTrialAnswer, SuggestionsAnswer } from '../answers/rule-trial-answer.ts'
import type { Route } from '../parts/route.ts'
import { conversation, nothing } from '../parts/route-parts.ts'

/** A rule that a person gave for all their conversations. [PERM5] */
export const AlwaysRule = z.object({
  ruleId: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  tool: z.string(),
  pattern: z.string().exactOptional(),
  category: z.array(ToolCategory).exactOptional(),
  annotations: RuleAnnotations.exactOptional(),
  /** The conversation in which it was given. */
  givenIn: z.string().exactOptional(),
})
export type AlwaysRule = z.infer<typeof AlwaysRule>

const written = z.strictObject({ rule: WrittenPermissionRule })

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
  suggestPermissionRules: {
    method: 'GET',
    path: '/permission-rules/suggestions',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: SuggestionsAnswer },
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
