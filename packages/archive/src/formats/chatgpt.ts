import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { SourceBlock, SourceEvent, SourcePart } from '../log/source-event.ts'
import { isRecord, OptionalText, readDataUrl, timeOfSeconds } from './fields.ts'
import type { DocumentConversation, DocumentFormat } from './format-reader.ts'
import { type TreeNode, treeEvents } from './tree-events.ts'
import { withTitle } from './with-title.ts'

const Content = z.object({
  content_type: z.string(),
  parts: z.array(z.unknown()).nullish().catch(null),
  text: OptionalText,
  result: OptionalText,
  title: OptionalText,
  url: OptionalText,
  thoughts: z
    .array(z.object({ summary: OptionalText, content: OptionalText }))
    .nullish()
    .catch(null),
  content: OptionalText,
})
const Message = z.object({
  author: z.object({ role: z.string(), name: OptionalText }),
  create_time: z.unknown().optional(),
  content: Content,
  recipient: OptionalText,
  status: OptionalText,
  metadata: z.object({ model_slug: OptionalText }).nullish().catch(null),
})
type Message = z.infer<typeof Message>
const Node = z.object({ id: z.string(), parent: OptionalText, message: z.unknown().optional() })
const Conversation = z.object({
  title: OptionalText,
  create_time: z.unknown().optional(),
  mapping: z.record(z.string(), z.unknown()),
  current_node: OptionalText,
  conversation_id: OptionalText,
  id: OptionalText,
})

/** The `conversations.json` of a ChatGPT export: each conversation is a tree of messages. */
export const chatgpt: DocumentFormat = {
  name: 'chatgpt',
  recognizes: (document) => isRecord(document) && isRecord(document.mapping),
  *conversations(document, note): Iterable<DocumentConversation> {
    const read = Conversation.safeParse(document)
    if (!read.success) return note({ reason: 'malformed', what: 'A conversation of ChatGPT' })
    const { conversation_id, id, title, mapping, current_node } = read.data
    yield {
      sourceId: conversation_id ?? id ?? null,
      *events(context) {
        yield* withTitle(treeEvents(nodesOf(mapping, context.note), current_node ?? null, context), title)
      },
    }
  },
}

function nodesOf(mapping: Readonly<Record<string, unknown>>, note: NoteSkip): TreeNode[] {
  return Object.values(mapping).flatMap((value): TreeNode[] => {
    const node = Node.safeParse(value)
    if (!node.success) {
      note({ reason: 'malformed', what: 'A node of the tree' })
      return []
    }
    const { id, parent, message } = node.data
    const read = Message.safeParse(message)
    if (message != null && !read.success) note({ reason: 'malformed', what: `Message ${id}` })
    if (!read.success) return [emptyNode(id, parent ?? null)]
    return [nodeOf({ id, parentId: parent ?? null, message: read.data, note })]
  })
}

function emptyNode(id: string, parentId: string | null): TreeNode {
  return { id, parentId, isPerson: false, callId: null, events: () => [] }
}

function nodeOf(source: {
  readonly id: string
  readonly parentId: string | null
  readonly message: Message
  readonly note: NoteSkip
}): TreeNode {
  const { id, parentId, message, note } = source
  const at = timeOfSeconds(message.create_time)
  const { role } = message.author
  const { content_type } = message.content
  if (role === 'user' && content_type !== 'user_editable_context') {
    const parts = partsOf(message, note)
    const events: SourceEvent[] = [{ type: 'said', at, parts, by: 'person' }]
    return { id, parentId, isPerson: parts.length > 0, callId: null, events: () => (parts.length > 0 ? events : []) }
  }
  if (role === 'assistant') {
    const { blocks, callId } = answerOf(id, message, note)
    const modelId = message.metadata?.model_slug ?? 'unknown'
    const events: SourceEvent[] = [
      {
        type: 'answered',
        at,
        answerId: null,
        providerId: 'openai',
        modelId,
        blocks,
        usage: null,
        finish: message.status === 'in_progress' ? 'stopped' : null,
      },
    ]
    return { id, parentId, isPerson: false, callId, events: () => (blocks.length > 0 ? events : []) }
  }
  if (role === 'tool') {
    const isError = content_type === 'system_error'
    return {
      id,
      parentId,
      isPerson: false,
      callId: null,
      events(openCallId) {
        const parts = partsOf(message, note)
        if (openCallId !== null) return [{ type: 'returned', at, callId: openCallId, parts, isError, durationMs: 0 }]
        note({ reason: 'result-without-call', what: `What ${message.author.name ?? 'a tool'} returned` })
        return []
      },
    }
  }
  const hasWords = partsOf(message, () => {}).length > 0
  if (hasWords) note({ reason: 'instructions', what: `A message of role ${role}` })
  return emptyNode(id, parentId)
}

/** An answer that speaks to somebody else than the person calls a tool. */
function answerOf(id: string, message: Message, note: NoteSkip): { blocks: SourceBlock[]; callId: string | null } {
  const { content, recipient } = message
  const texts = partsOf(message, note).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const text = texts.join('\n')
  if (content.content_type === 'thoughts' || content.content_type === 'reasoning_recap')
    return { blocks: text === '' ? [] : [{ type: 'thinking', text }], callId: null }
  if (recipient == null || recipient === 'all')
    return { blocks: text.trim() === '' ? [] : [{ type: 'text', text }], callId: null }
  const inputText = /^\s*\{/.test(text) ? text : JSON.stringify({ input: text })
  return { blocks: [{ type: 'tool-call', callId: id, name: recipient, inputText }], callId: id }
}

function partsOf({ content }: Message, note: NoteSkip): SourcePart[] {
  const { parts, text, result, title, url, thoughts } = content
  const head = [title, url].filter((line) => line).join('\n')
  const words = [
    ...(thoughts ?? []).flatMap((thought) => [thought.summary, thought.content]),
    ...[text, result, content.content].map((body) => (body && head !== '' ? `${head}\n${body}` : body)),
  ]
  const written = words.flatMap((body): SourcePart[] => (body ? [{ type: 'text', text: body }] : []))
  return [...written, ...(parts ?? []).flatMap((part) => partOf(part, note))]
}

function partOf(part: unknown, note: NoteSkip): SourcePart[] {
  if (typeof part === 'string') {
    const data = readDataUrl(part)
    if (data) return [{ type: 'data', ...data, name: null }]
    return part === '' ? [] : [{ type: 'text', text: part }]
  }
  if (isRecord(part) && typeof part.text === 'string') return [{ type: 'text', text: part.text }]
  const pointer = isRecord(part) ? part.asset_pointer : null
  if (typeof pointer === 'string') {
    note({ reason: 'missing-attachment', what: `Attachment ${pointer} is a file beside the export` })
    return [{ type: 'text', text: '[An attachment that the export does not hold]' }]
  }
  note({ reason: 'unknown-kind', what: 'A part of a message' })
  return []
}
