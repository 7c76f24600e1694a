import {
  type Json,
  ToolOutcome,
  type TranscriptCall,
  type TranscriptItem,
  transcriptItemOf,
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

/** One thing that a person reads: a union by state, role and code, as the transcript itself is. [PRJ7] */
export const TranscriptAnswerItem = transcriptItemOf({
  seq: z.int().positive(),
  at: z.int().nonnegative(),
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
  /** Present, and true, on what is never a message of a request. [REQ3] */
  notSent: z.literal(true).exactOptional(),
})
export type TranscriptAnswerItem = z.infer<typeof TranscriptAnswerItem>

/** What the transcript's item answers over HTTP, beside the results that a person left out. */
export function toTranscriptAnswer(item: TranscriptItem, exclusions: readonly number[]): TranscriptAnswerItem {
  const { runId: _runId, stepId: _stepId, usage, ...said } = item
  return {
    ...said,
    parts: item.parts.map((part) => AnyJson.parse(part)),
    toolCalls: item.toolCalls.map((call) => toAnswerCall(call, exclusions)),
    ...(usage ? { usage } : {}),
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
    callId,
    name,
    input: inputOf(call),
    outcome,
    output: outcome === null ? null : texts.join('\n'),
    resultSeq,
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
