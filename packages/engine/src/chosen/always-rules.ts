import { allRecords, type Records, RuleAnnotations, ToolCategory } from '@holdfast/conversation'
import type { PermissionRule } from '@holdfast/tool'
import * as z from 'zod'

/** A rule that a person gave for all their conversations. [PERM5] */
export const ALWAYS_RULE = {
  kind: 'permission-rule',
  schema: z.strictObject({
    effect: z.enum(['allow', 'ask', 'deny']),
    tool: z.string(),
    pattern: z.string().exactOptional(),
    category: z.array(ToolCategory).min(1).exactOptional(),
    annotations: RuleAnnotations.exactOptional(),
    /** Given with no call before the person's eyes: it says nothing about what strangers wrote in a conversation. [PERM7] */
    isGeneral: z.literal(true).exactOptional(),
    /** The conversation in which it was given: its log has the rule too, and loses it with this one. */
    givenIn: z.string().exactOptional(),
  }),
} as const

/** The rules that an owner gave for all conversations: every one of them holds. [PERM1] */
export async function alwaysRulesOf(records: Records | null, ownerId: string): Promise<readonly PermissionRule[]> {
  if (records === null) return []
  const found = await allRecords(records, ALWAYS_RULE, ownerId)
  return found.map(({ id, value: { isGeneral, givenIn: _, ...rule }, updatedAt }) =>
    isGeneral ? { id, ...rule } : { id, givenAt: updatedAt, ...rule },
  )
}
