import * as z from 'zod'
import type { SourceBlock, SourceEvent, SourcePart } from '../log/source-event.ts'
import { inputTextOf, isRecord, OptionalText, readDataUrl } from './fields.ts'
import type { DocumentConversation, DocumentFormat, ReadContext } from './format-reader.ts'

const Message = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  name: OptionalText,
  tool_calls: z
    .array(z.object({ id: OptionalText, function: z.object({ name: z.string(), arguments: z.unknown().optional() }) }))
    .nullish(),
  tool_call_id: OptionalText,
  tool_call_ids: z.array(z.string()).nullish().catch(null),
})

/** Fields under which programs keep a list of chat messages, and a field that names the conversation. */
const LISTS = ['traj', 'history', 'messages'] as const

/** Lists of Chat Completions messages, as evaluation programs keep their trajectories. */
export const openaiMessages: DocumentFormat = {
  name: 'openai-messages',
  recognizes: (document) => listOf(document) !== null,
  *conversations(document): Iterable<DocumentConversation> {
    const list = listOf(document)
    if (!list || !isRecord(document)) return
    const { task_id, trial, id } = document
    const named = [id, task_id, trial].filter((part) => typeof part === 'string' || typeof part === 'number')
    const info = isRecord(document.model) ? document.model.id : document.model
    const modelId = typeof info === 'string' ? info : 'unknown'
    yield {
      sourceId: named.length > 0 ? named.join('-') : null,
      *events(context) {
        for (const value of list) yield* messageEvents(value, modelId, context)
        const title = document.name ?? document.title
        if (typeof title === 'string') yield { type: 'titled', title, source: 'auto' }
      },
    }
  },
}

/** Whether a value is one message of a chat, and no document of messages. */
export function isChatMessage(value: unknown): boolean {
  return isRecord(value) && typeof value.role === 'string' && listOf(value) === null
}

function listOf(document: unknown): readonly unknown[] | null {
  if (!isRecord(document)) return null
  for (const field of LISTS) {
    const list = document[field]
    if (Array.isArray(list) && isChatMessage(list[0])) return list
  }
  return null
}

function* messageEvents(value: unknown, modelId: string, { note }: ReadContext): Iterable<SourceEvent> {
  const read = Message.safeParse(value)
  if (!read.success) return note({ reason: 'malformed', what: 'A message' })
  const { role, content, tool_calls, tool_call_id, tool_call_ids } = read.data
  const parts = partsOf(content)
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  switch (role) {
    case 'user':
      yield { type: 'said', at: null, parts, by: 'person' }
      return
    case 'assistant': {
      const calls = (tool_calls ?? []).map(
        ({ id, function: { name, arguments: given } }): SourceBlock => ({
          type: 'tool-call',
          callId: id ?? '',
          name,
          inputText: inputTextOf(given ?? {}),
        }),
      )
      const blocks: SourceBlock[] = [...(words === '' ? [] : [{ type: 'text' as const, text: words }]), ...calls]
      yield {
        type: 'answered',
        at: null,
        answerId: null,
        providerId: 'openai',
        modelId,
        blocks,
        usage: null,
        finish: null,
      }
      return
    }
    case 'tool':
    case 'function':
      yield {
        type: 'returned',
        at: null,
        callId: tool_call_id ?? tool_call_ids?.[0] ?? '',
        parts,
        isError: false,
        durationMs: 0,
      }
      return
    default:
      note({ reason: 'instructions', what: `A message of role ${role}` })
  }
}

function partsOf(content: z.infer<typeof Message>['content']): SourcePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return (content ?? []).flatMap((part): SourcePart[] => {
    if (!isRecord(part)) return []
    if (typeof part.text === 'string') return [{ type: 'text', text: part.text }]
    const url = isRecord(part.image_url) ? part.image_url.url : null
    const data = typeof url === 'string' ? readDataUrl(url) : null
    return data ? [{ type: 'data', ...data, name: null }] : []
  })
}
