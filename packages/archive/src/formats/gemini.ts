import * as z from 'zod'
import type { SourceBlock, SourceEvent } from '../log/source-event.ts'
import { Figure, inputTextOf, isRecord, OptionalText, timeOf } from './fields.ts'
import type { DocumentConversation, DocumentFormat, ReadContext } from './format-reader.ts'

const Call = z.object({
  id: z.string(),
  name: z.string(),
  args: z.unknown().optional(),
  result: z.unknown().optional(),
  status: OptionalText,
  timestamp: z.unknown().optional(),
})
const Message = z.object({
  type: z.string(),
  timestamp: z.unknown().optional(),
  content: z.unknown().optional(),
  model: OptionalText,
  thoughts: z
    .array(z.object({ subject: OptionalText, description: OptionalText }))
    .nullish()
    .catch(null),
  toolCalls: z.array(Call).nullish(),
  tokens: z.object({ input: Figure, output: Figure, cached: Figure, thoughts: Figure }).nullish().catch(null),
})

/** Session files of the Gemini CLI. */
export const gemini: DocumentFormat = {
  name: 'gemini',
  recognizes: (document) =>
    isRecord(document) &&
    typeof document.sessionId === 'string' &&
    typeof document.projectHash === 'string' &&
    Array.isArray(document.messages),
  *conversations(document): Iterable<DocumentConversation> {
    if (!isRecord(document) || !Array.isArray(document.messages)) return
    const { sessionId, messages } = document
    yield {
      sourceId: typeof sessionId === 'string' ? sessionId : null,
      *events(context) {
        for (const message of messages) yield* messageEvents(message, context)
      },
    }
  },
}

function* messageEvents(value: unknown, { note }: ReadContext): Iterable<SourceEvent> {
  const read = Message.safeParse(value)
  if (!read.success) return note({ reason: 'malformed', what: 'A message of the Gemini CLI' })
  const { type, content, model, thoughts, toolCalls, tokens } = read.data
  const at = timeOf(read.data.timestamp)
  const text = typeof content === 'string' ? content : textOf(content)
  if (type === 'user') {
    yield { type: 'said', at, parts: text === '' ? [] : [{ type: 'text', text }], by: 'person' }
    return
  }
  if (type !== 'gemini') return note({ reason: 'not-conversation', what: `A message of type ${type}` })
  const blocks: SourceBlock[] = [
    ...(thoughts ?? []).map(
      ({ subject, description }): SourceBlock => ({
        type: 'thinking',
        text: [subject, description].filter((part) => part).join('\n'),
      }),
    ),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...(toolCalls ?? []).map(
      ({ id, name, args }): SourceBlock => ({
        type: 'tool-call',
        callId: id,
        name,
        inputText: inputTextOf(args ?? {}),
      }),
    ),
  ]
  yield {
    type: 'answered',
    at,
    answerId: null,
    providerId: 'google',
    modelId: model ?? 'unknown',
    blocks,
    usage: tokens
      ? {
          inputTokens: Math.max(0, tokens.input - tokens.cached),
          cacheReadTokens: tokens.cached,
          cacheCreation5mTokens: 0,
          cacheCreation1hTokens: 0,
          outputTokens: tokens.output + tokens.thoughts,
          thinkingTokens: tokens.thoughts,
          costUsd: null,
          isOutputFinal: true,
        }
      : null,
    finish: null,
  }
  for (const { id, result, status, timestamp } of toolCalls ?? []) {
    if (result == null) continue
    const words = typeof result === 'string' ? result : resultText(result)
    yield {
      type: 'returned',
      at: timeOf(timestamp) ?? at,
      callId: id,
      durationMs: 0,
      parts: [{ type: 'text', text: words }],
      isError: status === 'error' || status === 'cancelled',
    }
  }
}

/** Text of a list of parts. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}

function resultText(result: unknown): string {
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((part) => {
    const response = isRecord(part) && isRecord(part.functionResponse) ? part.functionResponse.response : null
    if (!isRecord(response)) return []
    const { output, error } = response
    return typeof output === 'string' ? [output] : typeof error === 'string' ? [error] : [JSON.stringify(response)]
  })
  return outputs.length > 0 ? outputs.join('\n') : (JSON.stringify(result) ?? '')
}
