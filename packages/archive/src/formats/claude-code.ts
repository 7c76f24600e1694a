import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { LogView, SourceBlock, SourceEvent, SourcePart, SourceUsage } from '../log/source-event.ts'
import { Figure, inputTextOf, isRecord, OptionalText, timeOf } from './fields.ts'
import type { LineFormat, LineReader, ReadContext } from './format-reader.ts'

/** Kinds of records that say nothing of the conversation itself. */
const HOUSEKEEPING: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'progress',
  'queue-operation',
  'attachment',
  'last-prompt',
  'agent-name',
  'pr-link',
])

const OTHER_TITLE = { reason: 'not-conversation', what: 'The title of another session' } as const

const Usage = z.object({
  input_tokens: Figure,
  output_tokens: Figure,
  cache_read_input_tokens: Figure,
  cache_creation_input_tokens: Figure,
  cache_creation: z
    .object({ ephemeral_5m_input_tokens: Figure, ephemeral_1h_input_tokens: Figure })
    .nullish()
    .catch(null),
})

const Message = z.object({
  id: OptionalText,
  role: z.enum(['user', 'assistant']),
  model: OptionalText,
  content: z.union([z.string(), z.array(z.unknown())]),
  stop_reason: OptionalText,
  usage: Usage.nullish().catch(null),
})

const Flag = z.boolean().nullish().catch(false)

const MessageRecord = z.object({
  type: z.enum(['user', 'assistant']),
  uuid: OptionalText,
  parentUuid: OptionalText,
  timestamp: z.unknown().optional(),
  isSidechain: Flag,
  isMeta: Flag,
  isCompactSummary: Flag,
  isApiErrorMessage: Flag,
  message: Message,
})
type MessageRecord = z.infer<typeof MessageRecord>

const TextBlock = z.object({ type: z.literal('text'), text: z.string() })
const ThinkingBlock = z.object({ type: z.literal('thinking'), thinking: z.string() })
const RedactedBlock = z.object({ type: z.literal('redacted_thinking') })
const CallBlock = z.object({
  type: z.literal('tool_use'),
  id: OptionalText,
  name: OptionalText,
  input: z.unknown().optional(),
})
const MediaBlock = z.object({
  type: z.enum(['image', 'document']),
  source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
})
const ResultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  is_error: Flag,
})
const AnyBlock = z.discriminatedUnion('type', [
  TextBlock,
  ThinkingBlock,
  RedactedBlock,
  CallBlock,
  MediaBlock,
  ResultBlock,
])

/** What Claude Code writes where a person interrupted it. */
const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/

/** Session logs of Claude Code: one record for each block, a tree by `parentUuid`. */
export const claudeCode: LineFormat = {
  name: 'claude-code',
  recognizes: (record) =>
    isRecord(record) &&
    ((typeof record.sessionId === 'string' && ('parentUuid' in record || record.type === 'queue-operation')) ||
      ('isSnapshotUpdate' in record && record.type === 'file-history-snapshot') ||
      (record.type === 'summary' && typeof record.leafUuid === 'string')),
  open: createClaudeCodeReader,
}

function createClaudeCodeReader(): LineReader {
  let sessionId: string | null = null
  /** The exchange that each record belongs to. */
  const exchanges = new Map<string, number>()
  const titles = createTitles((uuid) => exchanges.has(uuid))
  const paidIds = new Set<string>()
  let lastMessageId: string | null = null

  function* message(record: MessageRecord, { log, note }: ReadContext): Iterable<SourceEvent> {
    const at = timeOf(record.timestamp)
    if (record.isSidechain) return note({ reason: 'sub-agent', what: 'A message of a sub-agent' })
    if (record.uuid && exchanges.has(record.uuid))
      return note({ reason: 'repeated', what: `Record ${record.uuid} stands here a second time` })
    if (record.type === 'assistant') yield* answered(record, at, note)
    else yield* said(record, at, { log, note })
    if (!record.uuid) return
    exchanges.set(record.uuid, log.exchange())
    yield* titles.of(record.uuid)
  }

  function* answered(record: MessageRecord, at: number | null, note: NoteSkip): Iterable<SourceEvent> {
    const { message } = record
    const modelId = message.model ?? 'unknown'
    if (record.isApiErrorMessage) {
      const text = textsOf(message.content).join('\n')
      const status = /API Error: (\d{3})\b/.exec(text)?.[1]
      yield {
        type: 'failed',
        at,
        providerId: 'anthropic',
        modelId,
        message: text,
        status: status === undefined ? null : Number(status),
      }
      return
    }
    const isNew = message.id !== lastMessageId || message.id == null
    lastMessageId = message.id ?? null
    // A message that comes back after others was paid when it was first there.
    const isPaid = isNew && message.id != null && paidIds.has(message.id)
    if (message.id != null) paidIds.add(message.id)
    if (isPaid) lastMessageId = null
    yield {
      type: 'answered',
      at,
      answerId: message.id ?? null,
      providerId: 'anthropic',
      modelId,
      blocks: answerBlocks(message.content, note),
      usage: message.usage && !isPaid && modelId !== '<synthetic>' ? usageOf(message.usage, message.stop_reason) : null,
      finish: FINISHES[message.stop_reason ?? ''] ?? null,
    }
  }

  function* said(record: MessageRecord, at: number | null, { log, note }: ReadContext): Iterable<SourceEvent> {
    const { content } = record.message
    if (record.isCompactSummary) {
      yield { type: 'compacted', at, by: 'auto', summary: textsOf(content).join('\n'), keptFrom: null }
      return
    }
    const parts: SourcePart[] = []
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      const read = AnyBlock.safeParse(block)
      if (!read.success) note({ reason: 'unknown-kind', what: `A part of a message: ${kindOf(block)}` })
      else if (read.data.type === 'tool_result') yield returned(read.data, at, note)
      else parts.push(...partOf(read.data, note))
    }
    if (parts.length === 0) return
    const [only] = parts
    if (parts.length === 1 && only?.type === 'text' && INTERRUPTED.test(only.text)) {
      yield { type: 'stopped', at }
      return
    }
    const isPerson =
      !record.isMeta &&
      !parts.every((part) => part.type === 'text' && /^<(?:local-command|command-|bash-)/.test(part.text))
    const parent = exchangeBefore(record, log)
    if (isPerson && parent !== null) yield { type: 'went-back', toExchange: parent, reason: 'edit', at }
    yield { type: 'said', at, parts, by: isPerson ? 'person' : 'program' }
  }

  /** The exchange after which a person's message goes on, if that is not the last: the rest was rewound. */
  function exchangeBefore({ parentUuid }: MessageRecord, log: LogView): number | null {
    if (parentUuid == null) return null
    const exchange = exchanges.get(parentUuid)
    return exchange !== undefined && exchange < log.exchange() ? exchange : null
  }

  return {
    sourceId: () => sessionId,
    *read(value, context) {
      const { note } = context
      if (!isRecord(value)) return note({ reason: 'malformed', what: 'A line that is no record' })
      if (typeof value.sessionId === 'string') sessionId ??= value.sessionId
      const { type } = value
      if (type === 'user' || type === 'assistant') {
        const record = MessageRecord.safeParse(value)
        if (record.success) yield* message(record.data, context)
        else note({ reason: 'malformed', what: `A record of type ${type}: ${faultOf(record.error)}` })
      } else if (type === 'summary' || type === 'custom-title' || type === 'ai-title') yield* titles.take(value, note)
      else if (typeof type === 'string' && (HOUSEKEEPING.has(type) || type === 'system')) {
        linkHousekeeping(value, context.log)
        note({ reason: 'not-conversation', what: `A record of type ${type}` })
      } else note({ reason: 'unknown-kind', what: `A record of type ${String(type)}` })
    },
    end: titles.end,
  }

  /** Progress and system records stand between messages in the tree. */
  function linkHousekeeping({ uuid, parentUuid }: Readonly<Record<string, unknown>>, log: LogView): void {
    if (typeof uuid !== 'string') return
    const parent = typeof parentUuid === 'string' ? exchanges.get(parentUuid) : undefined
    exchanges.set(uuid, parent ?? log.exchange())
  }
}

/** Titles, of which one in a `summary` record belongs to the record that it names, wherever that stands. [CLI44] */
function createTitles(isKnown: (uuid: string) => boolean) {
  /** Those that stand before the record they are of, by its id. */
  const waiting = new Map<string, string>()
  return {
    *take(value: Readonly<Record<string, unknown>>, note: NoteSkip): Iterable<SourceEvent> {
      const title = value.summary ?? value.customTitle ?? value.aiTitle
      const leaf = value.type === 'summary' && typeof value.leafUuid === 'string' ? value.leafUuid : null
      if (typeof title !== 'string' || (value.type === 'summary' && leaf === null)) note(OTHER_TITLE)
      else if (leaf !== null && !isKnown(leaf)) waiting.set(leaf, title)
      else yield { type: 'titled', title, source: value.type === 'custom-title' ? 'user' : 'auto' }
    },
    *of(uuid: string): Iterable<SourceEvent> {
      const title = waiting.get(uuid)
      waiting.delete(uuid)
      if (title !== undefined) yield { type: 'titled', title, source: 'auto' }
    },
    end(note: NoteSkip): void {
      for (const _ of waiting) note(OTHER_TITLE)
    },
  }
}

const FINISHES: Readonly<Record<string, 'end' | 'tool-calls' | 'length' | 'refused'>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  refusal: 'refused',
}

/** Until an answer has a reason for its end, its output is what was there when it began. */
function usageOf(usage: z.infer<typeof Usage>, stopReason: string | null | undefined): SourceUsage {
  const oneHour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return {
    inputTokens: usage.input_tokens,
    cacheReadTokens: usage.cache_read_input_tokens,
    cacheCreation5mTokens: Math.max(0, usage.cache_creation_input_tokens - oneHour),
    cacheCreation1hTokens: oneHour,
    outputTokens: usage.output_tokens,
    thinkingTokens: 0,
    costUsd: null,
    isOutputFinal: stopReason != null,
  }
}

function answerBlocks(content: string | readonly unknown[], note: NoteSkip): SourceBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((block): SourceBlock[] => {
    const read = AnyBlock.safeParse(block)
    if (!read.success) {
      note({ reason: 'unknown-kind', what: `A block of an answer: ${kindOf(block)}` })
      return []
    }
    switch (read.data.type) {
      case 'text':
        return [{ type: 'text', text: read.data.text }]
      case 'thinking':
        return [{ type: 'thinking', text: read.data.thinking }]
      case 'tool_use': {
        const { id, name, input } = read.data
        return [{ type: 'tool-call', callId: id ?? '', name: name ?? '', inputText: inputTextOf(input) }]
      }
      case 'redacted_thinking':
      case 'image':
      case 'document':
      case 'tool_result':
        note({ reason: 'unknown-kind', what: `A block of an answer: ${read.data.type}` })
        return []
    }
  })
}

function returned(
  { tool_use_id, content, is_error }: z.infer<typeof ResultBlock>,
  at: number | null,
  note: NoteSkip,
): SourceEvent {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const parts = blocks.flatMap((block): SourcePart[] => {
    const read = AnyBlock.safeParse(block)
    if (read.success) return partOf(read.data, note)
    note({ reason: 'unknown-kind', what: `A part of a result: ${kindOf(block)}` })
    return []
  })
  return { type: 'returned', at, callId: tool_use_id, parts, isError: is_error === true, durationMs: 0 }
}

function partOf(block: z.infer<typeof AnyBlock>, note: NoteSkip): SourcePart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type === 'image' || block.type === 'document') {
    const { media_type, data } = block.source
    return [{ type: 'data', mediaType: media_type, base64: data, name: null }]
  }
  note({ reason: 'unknown-kind', what: `A part of a message: ${block.type}` })
  return []
}

function textsOf(content: string | readonly unknown[]): string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((block) => {
    const read = TextBlock.safeParse(block)
    return read.success ? [read.data.text] : []
  })
}

function kindOf(block: unknown): string {
  return isRecord(block) ? String(block.type) : typeof block
}

function faultOf(error: z.ZodError): string {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.')} ${issue.message}`.trim() : 'not readable'
}
