import {
  ErasureReceipt,
  type Json,
  LedgerTotals,
  ToolOutcome,
  type TranscriptCall,
  type TranscriptItem,
} from '@holdfast/conversation'
import * as z from 'zod'

const AnyJson = z.json()

/** A tool call as a person reads it. */
const AnswerCall = z.object({
  callId: z.string(),
  name: z.string(),
  /** The input as a value; as text where it is not whole. */
  input: AnyJson,
  /** Null as long as the call is open. */
  outcome: ToolOutcome.nullable(),
  output: z.string().nullable(),
  /** The entry of its result; null as long as the call is open. */
  resultSeq: z.int().positive().nullable(),
  /** Present, and true, where a person left the result out of requests. [TOOL10] */
  isExcluded: z.literal(true).exactOptional(),
})

/** What an accounting line says. */
const Accounting = z.object({
  reason: z.string(),
  setAsideCount: z.int().nonnegative().exactOptional(),
  totals: LedgerTotals,
})

/** One thing that a person reads. */
export const TranscriptAnswerItem = z.object({
  seq: z.int().positive(),
  at: z.int().nonnegative(),
  role: z.enum([
    'user',
    'assistant',
    'title-request',
    'title',
    'summary-request',
    'summary',
    'accounting',
    'notice',
    'error',
  ]),
  /** `complete`, or why it is not. */
  state: z.enum(['complete', 'stopped', 'interrupted', 'failed', 'ended-early', 'erased']),
  parts: z.array(AnyJson),
  toolCalls: z.array(AnswerCall),
  usage: z
    .object({
      inputTokens: z.int(),
      cacheReadTokens: z.int(),
      cacheCreation5mTokens: z.int(),
      cacheCreation1hTokens: z.int(),
      outputTokens: z.int(),
      thinkingTokens: z.int(),
      costUsd: z.number().nullable(),
      measured: z.boolean(),
      providerId: z.string(),
      modelId: z.string(),
      priceReference: z.string(),
    })
    .exactOptional(),
  /** What an accounting line says; absent on all others. */
  accounting: Accounting.exactOptional(),
  /** Who erased what stood here, when, and what went with it; absent where nothing was erased. [LOG9] */
  erasure: ErasureReceipt.exactOptional(),
  /** Present, and true, on what is never a message of a request. [REQ3] */
  notSent: z.literal(true).exactOptional(),
})
export type TranscriptAnswerItem = z.infer<typeof TranscriptAnswerItem>

/** What the transcript's item answers over HTTP, beside the results that a person left out. */
export function toTranscriptAnswer(item: TranscriptItem, exclusions: readonly number[]): TranscriptAnswerItem {
  return {
    seq: item.seq,
    at: item.at,
    role: item.role,
    state: item.state,
    parts: item.parts.map((part) => AnyJson.parse(part)),
    toolCalls: item.toolCalls.map((call) => toAnswerCall(call, exclusions)),
    ...(item.usage ? { usage: item.usage } : {}),
    ...(item.role === 'accounting' ? { accounting: Accounting.parse(item.detail) } : {}),
    ...(item.state === 'erased' ? { erasure: ErasureReceipt.parse(item.detail) } : {}),
    ...(isSent(item) ? {} : { notSent: true as const }),
  }
}

function isSent({ role }: TranscriptItem): boolean {
  return role === 'user' || role === 'assistant' || role === 'summary'
}

function toAnswerCall(call: TranscriptCall, exclusions: readonly number[]): z.infer<typeof AnswerCall> {
  const { callId, name, outcome, resultSeq } = call
  const texts = call.output.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
  return {
    ...{ callId, name, input: inputOf(call), outcome, output: outcome === null ? null : texts.join('\n'), resultSeq },
    ...(resultSeq !== null && exclusions.includes(resultSeq) ? { isExcluded: true as const } : {}),
  }
}

/** A model's input need not be JSON; what is not is shown as it came. [RUN10] */
function inputOf(call: TranscriptCall): z.infer<typeof AnyJson> {
  if (!call.complete) return call.inputText
  try {
    const value: Json = JSON.parse(call.inputText)
    return AnyJson.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return call.inputText
    throw error
  }
}
