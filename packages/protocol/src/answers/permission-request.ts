import {
  type ConversationRule,
  Json,
  type PendingPermission,
  RuleAnnotations,
  ToolCategory,
} from '@holdfast/conversation'
import * as z from 'zod'

/** A call that waits for a person. */
export const PermissionRequest = z.object({
  id: z.string(),
  runId: z.string(),
  callId: z.string(),
  tool: z.string(),
  input: Json,
  /** Why it asks, in words. */
  reason: z.string(),
  state: z.literal('open'),
  /** Milliseconds since the Unix epoch. */
  at: z.int().nonnegative(),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>

/** A rule that holds in one conversation. */
export const ConversationPermissionRule = z.object({
  ruleId: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  tool: z.string(),
  pattern: z.string().exactOptional(),
  category: z.array(ToolCategory).exactOptional(),
  annotations: RuleAnnotations.exactOptional(),
})
export type ConversationPermissionRule = z.infer<typeof ConversationPermissionRule>

/** An open request as it travels. */
export function toPermissionRequest(pending: PendingPermission): PermissionRequest {
  const { requestId, runId, callId, tool, input, reason, at } = pending
  return { id: requestId, runId, callId, tool, input, reason, state: 'open', at }
}

/** A rule as it travels. */
export function toPermissionRule({ givenAt: _, ...rule }: ConversationRule): ConversationPermissionRule {
  return rule
}
