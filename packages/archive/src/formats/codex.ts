import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { SourceBlock, SourceEvent, SourcePart, SourceUsage } from '../log/source-event.ts'
import { Figure, inputTextOf, isRecord, OptionalText, readDataUrl, timeOf } from './fields.ts'
import type { LineFormat, LineReader, ReadContext } from './format-reader.ts'

const Line = z.object({
  type: z.string(),
  timestamp: z.unknown().optional(),
  payload: z.record(z.string(), z.unknown()),
})

const Tokens = z.object({
  input_tokens: Figure,
  cached_input_tokens: Figure,
  output_tokens: Figure,
  reasoning_output_tokens: Figure,
})
const TokenCount = z.object({
  info: z.object({ last_token_usage: Tokens, total_token_usage: z.object({ total_tokens: Figure }) }),
})
const Content = z.array(
  z.object({ type: z.string(), text: OptionalText, image_url: OptionalText, refusal: OptionalText }),
)
const Message = z.object({ role: z.string(), content: Content })
const Call = z.object({
  call_id: z.string(),
  name: OptionalText,
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  action: z.unknown().optional(),
})
const Output = z.object({ call_id: z.string(), output: z.unknown().optional(), tools: z.unknown().optional() })
const Reasoning = z.object({ summary: z.array(z.object({ text: z.string() })).catch([]) })
const Compacted = z.object({ message: OptionalText, replacement_history: z.array(z.unknown()).catch([]) })

const CALLS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'tool_search_call',
  'local_shell_call',
])
const OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'tool_search_output',
  'local_shell_call_output',
])

/** What Codex says to its model in the person's place: surroundings and instructions, not messages. */
const SURROUNDINGS =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions|skill)\b|# AGENTS\.md instructions)/

/** Rollout logs of Codex. */
export const codex: LineFormat = {
  name: 'codex',
  recognizes: (record) =>
    isRecord(record) &&
    isRecord(record.payload) &&
    (record.type === 'session_meta' || record.type === 'response_item' || record.type === 'turn_context'),
  open: createCodexReader,
}

function createCodexReader(): LineReader {
  let sourceId: string | null = null
  let providerId = 'openai'
  let modelId = 'unknown'
  /** Codex does not number its requests: one ends where results or figures come, and the next begins after them. */
  let answer = 0
  let isAnswerOver = true
  let totalTokens = -1

  const answered = (at: number | null, blocks: readonly SourceBlock[]): SourceEvent => {
    if (isAnswerOver) answer++
    isAnswerOver = false
    return {
      type: 'answered',
      at,
      answerId: String(answer),
      providerId,
      modelId,
      blocks,
      usage: null,
      finish: null,
    }
  }

  function* item(payload: Readonly<Record<string, unknown>>, at: number | null, note: NoteSkip): Iterable<SourceEvent> {
    const type = String(payload.type)
    if (type === 'message') yield* message(payload, at, note)
    else if (type === 'reasoning') {
      const text = (Reasoning.safeParse(payload).data?.summary ?? []).map((part) => part.text).join('\n\n')
      yield answered(at, text === '' ? [] : [{ type: 'thinking', text }])
    } else if (CALLS.has(type)) {
      const call = Call.safeParse(payload)
      if (!call.success) return note({ reason: 'malformed', what: `An item of type ${type}` })
      const { call_id, name, arguments: given, input, action } = call.data
      const inputText = input === undefined ? inputTextOf(given ?? action ?? {}) : JSON.stringify({ input })
      yield answered(at, [{ type: 'tool-call', callId: call_id, name: name ?? type.replace(/_call$/, ''), inputText }])
    } else if (OUTPUTS.has(type)) {
      const output = Output.safeParse(payload)
      if (!output.success) return note({ reason: 'malformed', what: `An item of type ${type}` })
      isAnswerOver = true
      const { call_id, output: said, tools } = output.data
      yield { type: 'returned', at, callId: call_id, durationMs: 0, ...resultOf(said ?? tools, note) }
    } else note({ reason: 'unknown-kind', what: `An item of type ${type}` })
  }

  function* message(payload: unknown, at: number | null, note: NoteSkip): Iterable<SourceEvent> {
    const read = Message.safeParse(payload)
    if (!read.success) return note({ reason: 'malformed', what: 'A message' })
    const { role, content } = read.data
    if (role === 'assistant') {
      yield answered(at, [{ type: 'text', text: content.map(({ text, refusal }) => text ?? refusal ?? '').join('') }])
      return
    }
    const parts = content.flatMap((part) => partsOf(part, note))
    const isInstruction = role !== 'user' || parts.every((part) => part.type === 'text' && SURROUNDINGS.test(part.text))
    if (isInstruction) return note({ reason: 'instructions', what: `A message of role ${role}` })
    isAnswerOver = true
    yield { type: 'said', at, parts, by: 'person' }
  }

  function* event(
    payload: Readonly<Record<string, unknown>>,
    at: number | null,
    note: NoteSkip,
  ): Iterable<SourceEvent> {
    if (payload.type === 'token_count') {
      const read = TokenCount.safeParse(payload)
      const total = read.data?.info.total_token_usage.total_tokens ?? totalTokens
      // The same figures are told again, for example when the limits of the account change.
      if (!read.success || total === totalTokens)
        return note({ reason: 'not-conversation', what: 'Figures told again' })
      totalTokens = total
      isAnswerOver = true
      yield { type: 'measured', usage: usageOf(read.data.info.last_token_usage) }
    } else if (payload.type === 'turn_aborted') {
      isAnswerOver = true
      yield { type: 'stopped', at }
    } else if (payload.type === 'error' || payload.type === 'stream_error') {
      const message = typeof payload.message === 'string' ? payload.message : 'Codex recorded an error'
      yield { type: 'failed', at, providerId, modelId, message, status: null }
    } else note({ reason: 'not-conversation', what: `An event of type ${String(payload.type)}` })
  }

  return {
    sourceId: () => sourceId,
    *read(value: unknown, { note }: ReadContext) {
      const line = Line.safeParse(value)
      if (!line.success) return note({ reason: 'malformed', what: 'A line that is no record of Codex' })
      const { type, payload } = line.data
      const at = timeOf(line.data.timestamp)
      if (type === 'session_meta') {
        if (typeof payload.id === 'string') sourceId ??= payload.id
        if (typeof payload.model_provider === 'string' && payload.model_provider !== '')
          providerId = payload.model_provider
        note({ reason: 'instructions', what: 'The head of the session' })
      } else if (type === 'turn_context') {
        if (typeof payload.model === 'string') modelId = payload.model
        note({ reason: 'not-conversation', what: 'The settings of a turn' })
      } else if (type === 'response_item') yield* item(payload, at, note)
      else if (type === 'event_msg') yield* event(payload, at, note)
      else if (type === 'compacted') {
        isAnswerOver = true
        yield { type: 'compacted', at, by: 'auto', summary: summaryOf(payload, note), keptFrom: null }
      } else note({ reason: 'unknown-kind', what: `A record of type ${type}` })
    },
  }
}

function usageOf(tokens: z.infer<typeof Tokens>): SourceUsage {
  return {
    inputTokens: Math.max(0, tokens.input_tokens - tokens.cached_input_tokens),
    cacheReadTokens: tokens.cached_input_tokens,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens: tokens.output_tokens,
    thinkingTokens: tokens.reasoning_output_tokens,
    costUsd: null,
    isOutputFinal: true,
  }
}

function partsOf({ type, text, image_url }: z.infer<typeof Content>[number], note: NoteSkip): SourcePart[] {
  if (typeof text === 'string') return [{ type: 'text', text }]
  const data = image_url ? readDataUrl(image_url) : null
  if (data) return [{ type: 'data', ...data, name: null }]
  note({ reason: image_url ? 'missing-attachment' : 'unknown-kind', what: `A part of a message: ${type}` })
  return []
}

/** What a call returned; Codex tells a failure by the exit code in the text. */
function resultOf(output: unknown, note: NoteSkip): { parts: SourcePart[]; isError: boolean } {
  const content = Content.safeParse(output)
  const body = isRecord(output) && typeof output.content === 'string' ? output.content : output
  const isContent = content.success && content.data.every(({ text, image_url }) => text ?? image_url)
  const parts = isContent
    ? content.data.flatMap((part) => partsOf(part, note))
    : [{ type: 'text' as const, text: typeof body === 'string' ? body : (JSON.stringify(body) ?? '') }]
  const [first] = parts
  const exit =
    first?.type === 'text'
      ? /^(?:.*\n){0,4}?(?:Process exited with code|Exit code:) (\d+)/.exec(first.text.slice(0, 400))
      : null
  return { parts, isError: exit !== null && exit[1] !== '0' }
}

/** A compaction leaves a summary, or only the messages that it kept: their words are what the model is sent from then on. */
function summaryOf(payload: unknown, note: NoteSkip): string {
  const read = Compacted.safeParse(payload)
  if (!read.success) return ''
  const { message, replacement_history } = read.data
  if (message) return message
  const words = replacement_history.flatMap((item) => {
    const said = Message.safeParse(item)
    if (!said.success || said.data.role === 'developer') return []
    return partsTexts(said.data.content).filter((text) => !SURROUNDINGS.test(text))
  })
  if (replacement_history.length > words.length)
    note({ reason: 'instructions', what: 'Instructions and encrypted parts of a compaction' })
  return words.join('\n\n') || 'The summary of what came before is encrypted in the imported log.'
}

function partsTexts(content: z.infer<typeof Content>): string[] {
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}
