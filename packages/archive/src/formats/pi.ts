import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { SourceBlock, SourceEvent, SourcePart } from '../log/source-event.ts'
import { Figure, inputTextOf, isRecord, OptionalText, timeOf } from './fields.ts'
import type { LineFormat, LineReader, ReadContext } from './format-reader.ts'

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('toolCall'), id: z.string(), name: z.string(), arguments: z.unknown().optional() }),
  z.object({ type: z.literal('image'), mimeType: z.string(), data: z.string() }),
])
const Content = z.union([z.string(), z.array(z.unknown())]).default([])

const Usage = z.object({
  input: Figure,
  output: Figure,
  cacheRead: Figure,
  cacheWrite: Figure,
  cost: z
    .object({ total: z.number().nullish().catch(null) })
    .nullish()
    .catch(null),
})
const Message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: Content }),
  z.object({
    role: z.literal('assistant'),
    content: Content,
    provider: OptionalText,
    model: OptionalText,
    stopReason: OptionalText,
    errorMessage: OptionalText,
    usage: Usage.nullish().catch(null),
  }),
  z.object({
    role: z.literal('toolResult'),
    toolCallId: z.string(),
    content: Content,
    isError: z.boolean().nullish().catch(false),
  }),
  z.object({ role: z.literal('bashExecution'), command: z.string(), output: z.string() }),
])
const Compaction = z.object({
  summary: z.string(),
  firstKeptEntryIndex: z.number().nullish().catch(null),
  firstKeptEntryId: OptionalText,
})

/** Sessions of pi. */
export const pi: LineFormat = {
  name: 'pi',
  recognizes: (record) =>
    isRecord(record) &&
    ((record.type === 'session' && typeof record.id === 'string' && 'cwd' in record) ||
      (record.type === 'message' && isRecord(record.message) && typeof record.message.role === 'string')),
  open: createPiReader,
}

function createPiReader(): LineReader {
  let sourceId: string | null = null
  /** Where the record of each index stands in the log, and the exchange and place of each id. */
  const places: number[] = []
  const byId = new Map<string, { readonly exchange: number; readonly place: number }>()

  function* message(value: unknown, at: number | null, note: NoteSkip): Iterable<SourceEvent> {
    const read = Message.safeParse(value)
    if (!read.success) return note({ reason: 'malformed', what: 'A message' })
    const { data } = read
    switch (data.role) {
      case 'user':
        yield { type: 'said', at, parts: partsOf(data.content, note), by: 'person' }
        return
      case 'bashExecution':
        yield {
          type: 'said',
          at,
          by: 'program',
          parts: [{ type: 'text', text: `Ran \`${data.command}\`\n\`\`\`\n${data.output}\n\`\`\`` }],
        }
        return
      case 'toolResult': {
        const { toolCallId, content, isError } = data
        yield {
          type: 'returned',
          at,
          callId: toolCallId,
          durationMs: 0,
          parts: partsOf(content, note),
          isError: isError === true,
        }
        return
      }
      case 'assistant':
        yield* answered(data, at, note)
        return
    }
  }

  return {
    sourceId: () => sourceId,
    *read(value: unknown, { log, note }: ReadContext) {
      if (!isRecord(value)) return note({ reason: 'malformed', what: 'A line that is no record' })
      const at = timeOf(value.timestamp)
      const index = places.push(log.place() + 1) - 1
      if (value.type === 'session') {
        if (typeof value.id === 'string') sourceId ??= value.id
        return
      }
      const parent = typeof value.parentId === 'string' ? byId.get(value.parentId) : undefined
      if (value.type === 'message') {
        const isPerson = isRecord(value.message) && value.message.role === 'user'
        if (isPerson && parent && parent.exchange < log.exchange())
          yield { type: 'went-back', toExchange: parent.exchange, reason: 'edit', at }
        yield* message(value.message, at, note)
      } else if (value.type === 'compaction') {
        const read = Compaction.safeParse(value)
        if (!read.success) return note({ reason: 'malformed', what: 'A compaction' })
        const { summary, firstKeptEntryIndex, firstKeptEntryId } = read.data
        const kept = firstKeptEntryId ? byId.get(firstKeptEntryId)?.place : places[firstKeptEntryIndex ?? -1]
        const keptFrom = kept === undefined || kept > log.place() ? null : kept
        yield { type: 'compacted', at, by: 'auto', summary, keptFrom }
      } else if (value.type === 'session_info' && typeof value.name === 'string')
        yield { type: 'titled', title: value.name, source: 'user' }
      else note({ reason: 'not-conversation', what: `A record of type ${String(value.type)}` })
      // A result begins no message: it stands with the answer that called for it.
      places[index] = Math.min(places[index] ?? 0, log.place())
      if (typeof value.id === 'string') byId.set(value.id, { exchange: log.exchange(), place: places[index] ?? 0 })
    },
  }
}

function* answered(
  data: Extract<z.infer<typeof Message>, { role: 'assistant' }>,
  at: number | null,
  note: NoteSkip,
): Iterable<SourceEvent> {
  const { provider, model, stopReason, errorMessage, usage } = data
  const names = { providerId: provider ?? 'unknown', modelId: model ?? 'unknown' }
  const blocks = blocksOf(data.content, note)
  const used = usage ? usage.input + usage.output + usage.cacheRead + usage.cacheWrite : 0
  if (blocks.length > 0 || used > 0)
    yield {
      type: 'answered',
      at,
      answerId: null,
      ...names,
      blocks,
      usage:
        usage && used > 0
          ? {
              inputTokens: usage.input,
              cacheReadTokens: usage.cacheRead,
              outputTokens: usage.output,
              cacheCreation5mTokens: usage.cacheWrite,
              cacheCreation1hTokens: 0,
              thinkingTokens: 0,
              costUsd: usage.cost?.total ?? null,
              isOutputFinal: true,
            }
          : null,
      finish: stopReason === 'aborted' ? 'stopped' : stopReason === 'length' ? 'length' : null,
    }
  if (stopReason === 'aborted') yield { type: 'stopped', at }
  if (stopReason === 'error')
    yield { type: 'failed', at, ...names, message: errorMessage ?? 'pi recorded an error', status: null }
}

function blocksOf(content: string | readonly unknown[], note: NoteSkip): SourceBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((value): SourceBlock[] => {
    const block = Block.safeParse(value)
    if (block.data?.type === 'text') return [{ type: 'text', text: block.data.text }]
    if (block.data?.type === 'thinking') return [{ type: 'thinking', text: block.data.thinking }]
    if (block.data?.type === 'toolCall') {
      const { id, name, arguments: input } = block.data
      return [{ type: 'tool-call', callId: id, name, inputText: inputTextOf(input) }]
    }
    note({ reason: 'unknown-kind', what: 'A block of an answer' })
    return []
  })
}

function partsOf(content: string | readonly unknown[], note: NoteSkip): SourcePart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap((value): SourcePart[] => {
    const block = Block.safeParse(value)
    if (block.data?.type === 'text') return [{ type: 'text', text: block.data.text }]
    if (block.data?.type === 'image')
      return [{ type: 'data', mediaType: block.data.mimeType, base64: block.data.data, name: null }]
    note({ reason: 'unknown-kind', what: 'A part of a message' })
    return []
  })
}
