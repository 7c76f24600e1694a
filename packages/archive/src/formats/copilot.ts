import * as z from 'zod'
import type { SourceBlock, SourceEvent } from '../log/source-event.ts'
import { Figure, inputTextOf, isRecord, OptionalText, timeOf } from './fields.ts'
import type { LineFormat, LineReader, ReadContext } from './format-reader.ts'

const Line = z.object({ type: z.string(), timestamp: z.unknown().optional(), data: z.record(z.string(), z.unknown()) })
const Said = z.object({ content: z.string() })
const Answered = z.object({
  messageId: z.string(),
  model: OptionalText,
  content: OptionalText,
  reasoningText: OptionalText,
  outputTokens: Figure,
  toolRequests: z
    .array(z.object({ toolCallId: z.string(), name: z.string(), arguments: z.unknown().optional() }))
    .nullish()
    .catch(null),
})
const Returned = z.object({
  toolCallId: z.string(),
  success: z.boolean().nullish().catch(null),
  result: z.object({ content: OptionalText }).nullish().catch(null),
  error: z.object({ message: OptionalText }).nullish().catch(null),
})

/** Event logs of the Copilot CLI. */
export const copilot: LineFormat = {
  name: 'copilot',
  recognizes: (record) =>
    isRecord(record) &&
    isRecord(record.data) &&
    typeof record.type === 'string' &&
    /^(?:session|assistant|user)\./.test(record.type),
  open: createCopilotReader,
}

function createCopilotReader(): LineReader {
  let sourceId: string | null = null
  let modelId = 'unknown'

  function* answered(data: unknown, at: number | null): Iterable<SourceEvent> {
    const read = Answered.safeParse(data)
    if (!read.success) return
    const { messageId, model, content, reasoningText, toolRequests } = read.data
    const blocks: SourceBlock[] = [
      ...(reasoningText ? [{ type: 'thinking' as const, text: reasoningText }] : []),
      ...(content ? [{ type: 'text' as const, text: content }] : []),
      ...(toolRequests ?? []).map(
        ({ toolCallId, name, arguments: input }): SourceBlock => ({
          type: 'tool-call',
          callId: toolCallId,
          name,
          inputText: inputTextOf(input ?? {}),
        }),
      ),
    ]
    yield {
      type: 'answered',
      at,
      answerId: messageId,
      providerId: 'copilot',
      modelId: model ?? modelId,
      blocks,
      // The log has what was written but not what was read: that is no record of a request.
      usage: null,
      finish: null,
    }
  }

  return {
    sourceId: () => sourceId,
    *read(value: unknown, { note }: ReadContext) {
      const line = Line.safeParse(value)
      if (!line.success) return note({ reason: 'malformed', what: 'A line that is no event of Copilot' })
      const { type, data } = line.data
      const at = timeOf(line.data.timestamp)
      switch (type) {
        case 'session.start':
          if (typeof data.sessionId === 'string') sourceId ??= data.sessionId
          return
        case 'session.model_change':
          if (typeof data.newModel === 'string') modelId = data.newModel
          return
        case 'user.message': {
          const said = Said.safeParse(data)
          if (said.success) yield { type: 'said', at, parts: [{ type: 'text', text: said.data.content }], by: 'person' }
          return
        }
        case 'system.notification': {
          const said = Said.safeParse(data)
          if (said.success)
            yield { type: 'said', at, parts: [{ type: 'text', text: said.data.content }], by: 'program' }
          return
        }
        case 'assistant.message':
          yield* answered(data, at)
          return
        case 'tool.execution_complete': {
          const read = Returned.safeParse(data)
          if (!read.success) return note({ reason: 'malformed', what: 'The result of a tool' })
          const { toolCallId, success, result, error } = read.data
          const text = result?.content ?? error?.message ?? ''
          yield {
            type: 'returned',
            at,
            callId: toolCallId,
            durationMs: 0,
            parts: text === '' ? [] : [{ type: 'text', text }],
            isError: success === false,
          }
          return
        }
        case 'abort':
          yield { type: 'stopped', at }
          return
        case 'system.message':
          return note({ reason: 'instructions', what: 'The instructions of Copilot' })
        default:
          note({ reason: 'not-conversation', what: `An event of type ${type}` })
      }
    },
  }
}
