import * as z from 'zod'
import { BlobReference, ToolResultPart } from '../content.ts'
import { entryOf, stepEntryOf } from '../envelope.ts'
import { Json } from '../json.ts'
import { LedgerTotals } from '../ledger-totals.ts'
import { RuleAnnotations, ToolCategory } from '../rule-fields.ts'
import { ConversationSettings } from './conversation-entries.ts'

/** How a tool call ended. [TOOL2] */
export const ToolOutcome = z.enum(['ok', 'error', 'denied', 'timed-out', 'aborted', 'not-started', 'unknown'])
export type ToolOutcome = z.infer<typeof ToolOutcome>

/** What let a call run, or kept it from running: the source in the order of PERM1, and the mode at that moment. [PERM8] */
export const CallDecision = z.object({
  source: z.string().min(1),
  mode: ConversationSettings.shape.permissionMode.unwrap(),
  /** The rules that decided, if rules did. */
  ruleIds: z.array(z.string()),
  /** The request that a person answered, if one did. */
  requestId: z.string().exactOptional(),
})
export type CallDecision = z.infer<typeof CallDecision>

/** A tool is about to run; written before it does, so that a crash cannot hide it. [TOOL6] */
export const ToolCallStarted = stepEntryOf('tool-call-started', {
  callId: z.string().min(1),
  name: z.string(),
  input: Json,
  /** Whether the call may change something outside the log. */
  effects: z.boolean(),
  /** Whether it may bring what strangers wrote; absent where nobody has said it, which counts as yes. [PERM7] */
  strangers: z.boolean().exactOptional(),
  /** Why it may; absent where another program decided. */
  decision: CallDecision.exactOptional(),
  /** The conversation of the sub-agent that the call runs. [AGENT3] */
  childConversationId: z.string().exactOptional(),
  /** The client that offered the tool runs it, and sends what came of it: until then the run is parked. [TOOL18] */
  runsAt: z.literal('client').exactOptional(),
})

/** A tool call reached its one and only outcome. */
export const ToolCallSettled = stepEntryOf('tool-call-settled', {
  callId: z.string().min(1),
  name: z.string(),
  outcome: ToolOutcome,
  /** What the model is sent: the result, or an excerpt of it when `blob` is there. */
  content: z.array(ToolResultPart),
  /** The whole result, when it is too large for the log. [WIN6] */
  blob: BlobReference.exactOptional(),
  /** How long it ran, in milliseconds, without waiting for permission; 0 when it never ran. */
  durationMs: z.number().nonnegative(),
  /** What it timed out at, in milliseconds: the longest that it might run, or say nothing. [TOOL14] */
  limitMs: z.number().nonnegative().exactOptional(),
  /** Why it was denied. */
  decision: CallDecision.exactOptional(),
  /** What the sub-agent's conversation had cost by then. [AGENT3] */
  childTotals: LedgerTotals.exactOptional(),
  /** Files with words of strangers that it read, or was near to, where it was not expected to bring any. [PERM7] */
  strangers: z.array(z.string().min(1)).min(1).exactOptional(),
  /** Names of tools that the call found: requests carry them from here on, in mode `auto`. [TOOL10] */
  foundTools: z.array(z.string()).exactOptional(),
})

/** A tool returned after its call had settled. Shown, not used. [TOOL4] */
export const ToolResultLate = stepEntryOf('tool-result-late', {
  callId: z.string().min(1),
  name: z.string(),
  content: z.array(ToolResultPart),
  durationMs: z.number().nonnegative(),
})

/** What makes a call ask whatever the rules and the mode say. [PERM7, RUN8] */
export const PermissionGuard = z.enum([
  'unreadable-command',
  'raised-rights',
  'destructive-command',
  'repeated-call',
  'untrusted-content',
])
export type PermissionGuard = z.infer<typeof PermissionGuard>

/** A call waits for a person. [PERM3] */
export const PermissionRequested = stepEntryOf('permission-requested', {
  requestId: z.string().min(1),
  /** Who may answer. */
  userId: z.string().min(1),
  callId: z.string().min(1),
  tool: z.string(),
  input: Json,
  /** Why it asks, in words. */
  reason: z.string(),
  /** What asks, in the order of PERM1. */
  source: z.string().min(1),
  /** Which guard asks, if one does. [UI17] */
  guard: PermissionGuard.exactOptional(),
  /** What the call was about when it was asked, where its input only names that: an agent in one version. [AGENT5] */
  pinned: z.string().min(1).exactOptional(),
})

/** A request for permission was answered or called off; the first answer wins. */
export const PermissionSettled = entryOf('permission-settled', {
  requestId: z.string().min(1),
  outcome: z.enum(['allowed', 'denied', 'cancelled']),
  /** What settled it. */
  by: z.enum(['person', 'mode', 'rule', 'stop', 'recovery', 'unattended']),
  scope: z.enum(['call', 'conversation', 'pattern', 'category', 'always']).exactOptional(),
  reason: z.string().exactOptional(),
})

/** A permission rule of this conversation was added or taken back. [PERM5] */
export const PermissionRuleChanged = entryOf('permission-rule-changed', {
  ruleId: z.string().min(1),
  /** The rule, or null when it is revoked. */
  rule: z
    .strictObject({
      effect: z.enum(['allow', 'ask', 'deny']),
      tool: z.string().min(1),
      pattern: z.string().exactOptional(),
      category: z.array(ToolCategory).min(1).exactOptional(),
      annotations: RuleAnnotations.exactOptional(),
    })
    .nullable(),
})

/** The definitions that requests carry changed. The log or a blob holds them whole. [REQ1] */
export const ToolsChanged = entryOf('tools-changed', {
  /** SHA-256 of the definitions in their order, in hexadecimal. */
  hash: z.string(),
  definitions: z.array(
    z.object({
      name: z.string().min(1),
      description: z.string(),
      parameters: Json,
      /** Where it comes from, such as the name of a server. */
      source: z.string().exactOptional(),
    }),
  ),
  /** What sources of these tools say about their use, as it is sent; data of strangers. [REQ7] */
  instructions: z.array(z.object({ source: z.string(), text: z.string() })).exactOptional(),
  /** Names of tools that the window of the model has no room for; absent for none. [WIN17] */
  leftOut: z.array(z.string()).exactOptional(),
})
