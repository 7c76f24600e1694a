import {
  averageDurationMs,
  ConversationSettings,
  type ConversationToolMetrics,
  Json,
  p95DurationMs,
} from '@holdfast/conversation'
import * as z from 'zod'

/** Which tool definitions requests carry. [TOOL10] */
export const ToolMode = ConversationSettings.shape.toolMode.unwrap()
export type ToolMode = z.infer<typeof ToolMode>

/** What a tool did. Errors include time-outs; waiting for permission is not duration. [TOOL8] */
export const ToolMetricsRow = z.object({
  name: z.string(),
  callCount: z.int(),
  errorCount: z.int(),
  deniedCount: z.int(),
  timeoutCount: z.int(),
  abortedCount: z.int(),
  /** Calls that run now. */
  running: z.int(),
  totalDurationMs: z.number(),
  /** Null before a call has run. */
  avgDurationMs: z.number().nullable(),
  p95DurationMs: z.number().nullable(),
  /** Milliseconds since the Unix epoch. */
  lastCalledAt: z.number().nullable(),
  /** The newest call that failed: the entry of the conversation that says how, and when. */
  lastError: z.object({ seq: z.int().positive(), at: z.number() }).nullable(),
})
export type ToolMetricsRow = z.infer<typeof ToolMetricsRow>

/** A tool of a conversation. */
export const ToolRow = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the input. */
  parameters: Json,
  /** Where it comes from, such as the name of a server. */
  source: z.string().exactOptional(),
  category: z.string().exactOptional(),
  /** Whether requests may call it. */
  included: z.boolean(),
  /** Whether it is shown to the model only after it has searched for it, in mode `auto`. */
  deferred: z.boolean(),
  /** Tokens that its definition takes of a request, estimated. */
  schemaTokens: z.int().nonnegative(),
  /** What would become of a call without arguments, what decides that, and the words for it. [PERM1] */
  permission: z.object({ effect: z.enum(['allow', 'ask', 'deny']), source: z.string(), reason: z.string() }),
  /** Null before its first call in the conversation. */
  metrics: ToolMetricsRow.nullable(),
})
export type ToolRow = z.infer<typeof ToolRow>

/** The tools of a conversation. */
export const ToolsAnswer = z.object({
  mode: ToolMode,
  tools: z.array(ToolRow),
  /** Sources that are off in the conversation, whatever the mode; their tools are not among these. */
  excludedSources: z.array(z.string()),
})
export type ToolsAnswer = z.infer<typeof ToolsAnswer>

/** Metrics as they travel. */
export function toToolMetricsRow(metrics: ConversationToolMetrics): ToolMetricsRow {
  const { name, callCount, errorCount, deniedCount, timeoutCount, abortedCount, totalDurationMs, lastCalledAt } =
    metrics
  return {
    name,
    callCount,
    errorCount,
    deniedCount,
    timeoutCount,
    abortedCount,
    running: metrics.runningCallIds.length,
    totalDurationMs,
    avgDurationMs: averageDurationMs(metrics),
    p95DurationMs: p95DurationMs(metrics),
    lastCalledAt,
    lastError: metrics.lastError && { ...metrics.lastError },
  }
}
