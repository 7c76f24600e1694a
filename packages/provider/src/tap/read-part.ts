import { readRawUsage } from '../ai-sdk/raw-usage.ts'
import { NO_USAGE, readUsage } from '../anthropic/read-usage.ts'
import type { RequestUsage } from '../model-port.ts'
import { readChatUsage } from '../openai-chat/read-usage.ts'
import { asCount, asList, asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'
import type { HeardAnswer, WireForm } from './heard-answer.ts'

/** What one event of a stream, or a whole answer, adds to what was heard. */
export type HeardPart = Partial<Omit<HeardAnswer, 'words'>> & { readonly words?: readonly string[] }

/** Reads one event of a stream, or a whole answer, which every form tells apart by itself. */
export function readPart(form: WireForm, value: JsonRecord, usage: RequestUsage | null): HeardPart {
  switch (form) {
    case 'anthropic':
      return readMessages(value, usage)
    case 'openai-chat':
      return readChat(value)
    case 'openai-responses':
      return readResponses(value)
    case 'google':
      return readGoogle(value)
  }
}

function readMessages(event: JsonRecord, usage: RequestUsage | null): HeardPart {
  switch (event.type) {
    case 'message_start':
      return { usage: readUsage(NO_USAGE, asRecord(event.message)?.usage) }
    case 'content_block_start':
      return { words: blockWords(asRecord(event.content_block)) }
    case 'content_block_delta':
      return { words: stringsAt(asRecord(event.delta), ['text', 'thinking', 'partial_json']) }
    case 'message_delta':
      return { usage: readUsage(usage ?? NO_USAGE, event.usage) }
    case 'message_stop':
      return { ended: true }
    case 'error':
      return { error: messageOf(event.error) }
    case 'message':
      return {
        usage: readUsage(NO_USAGE, event.usage),
        words: asList(event.content).flatMap((block) => blockWords(asRecord(block))),
        ended: true,
      }
    default:
      return {}
  }
}

function blockWords(block: JsonRecord | null): readonly string[] {
  const input = asRecord(block?.input)
  const isEmpty = input === null || Object.keys(input).length === 0
  return [...stringsAt(block, ['name', 'text', 'thinking']), ...(isEmpty ? [] : [JSON.stringify(input)])]
}

function readChat(chunk: JsonRecord): HeardPart {
  const choices = asList(chunk.choices).map(asRecord)
  const usage = readChatUsage(chunk, choices[0] ?? null)
  const error = chunk.error === undefined || chunk.error === null ? null : messageOf(chunk.error)
  return {
    words: choices.flatMap((choice) => chatWords(asRecord(choice?.delta) ?? asRecord(choice?.message))),
    ...(usage === null ? {} : { usage }),
    ...(choices.some((choice) => asString(choice?.finish_reason) !== null) ? { ended: true } : {}),
    ...(error === null ? {} : { error }),
  }
}

function chatWords(message: JsonRecord | null): readonly string[] {
  const calls = asList(message?.tool_calls).map((call) => asRecord(asRecord(call)?.function))
  return [
    ...stringsAt(message, ['content', 'reasoning_content', 'reasoning', 'refusal']),
    ...calls.flatMap((call) => stringsAt(call, ['name', 'arguments'])),
  ]
}

function readResponses(event: JsonRecord): HeardPart {
  const type = asString(event.type) ?? ''
  // A whole answer is what the last event of a stream holds.
  const isWhole = event.object === 'response' || event.object === 'response.compaction'
  const response = isWhole ? event : asRecord(event.response)
  const usage = responseUsage(asRecord(response?.usage))
  const failure = type === 'error' ? event : asRecord(response?.error)
  return {
    words: isWhole ? outputWords(event) : type.endsWith('.delta') ? stringsAt(event, ['delta']) : [],
    ...(usage === null ? {} : { usage }),
    ...(isWhole || type === 'response.completed' || type === 'response.incomplete' ? { ended: true } : {}),
    ...(failure === null ? {} : { error: messageOf(failure) }),
  }
}

function outputWords(response: JsonRecord): readonly string[] {
  return asList(response.output).flatMap((item) => {
    const record = asRecord(item)
    const parts = [...asList(record?.content), ...asList(record?.summary)].map(asRecord)
    return [...stringsAt(record, ['name', 'arguments']), ...parts.flatMap((part) => stringsAt(part, ['text']))]
  })
}

function responseUsage(usage: JsonRecord | null): RequestUsage | null {
  const input = asCount(usage?.input_tokens)
  const output = asCount(usage?.output_tokens)
  if (usage === null || input === null || output === null) return null
  const details = asRecord(usage.input_tokens_details)
  const cacheReadTokens = Math.min(asCount(details?.cached_tokens) ?? 0, input)
  return {
    ...NO_USAGE,
    inputTokens: input - cacheReadTokens,
    cacheReadTokens,
    outputTokens: output,
    thinkingTokens: asCount(asRecord(usage.output_tokens_details)?.reasoning_tokens) ?? 0,
  }
}

function readGoogle(chunk: JsonRecord): HeardPart {
  const candidates = asList(chunk.candidates).map(asRecord)
  const usage = readRawUsage(chunk)
  return {
    words: candidates.flatMap((candidate) => asList(asRecord(candidate?.content)?.parts).flatMap(googleWords)),
    ...(usage === null ? {} : { usage }),
    ...(candidates.some((candidate) => asString(candidate?.finishReason) !== null) ? { ended: true } : {}),
    ...(chunk.error === undefined ? {} : { error: messageOf(chunk.error) }),
  }
}

function googleWords(part: unknown): readonly string[] {
  const record = asRecord(part)
  const call = asRecord(record?.functionCall)
  return [...stringsAt(record, ['text']), ...(call === null ? [] : [JSON.stringify(call)])]
}

function stringsAt(record: JsonRecord | null, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => asString(record?.[name]) ?? [])
}

function messageOf(error: unknown): string {
  return asString(asRecord(error)?.message) ?? asString(error) ?? 'an error without words'
}
