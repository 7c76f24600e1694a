import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { SourceBlock, SourceEvent, SourcePart } from '../log/source-event.ts'
import { inputTextOf, isRecord, OptionalText, timeOf } from './fields.ts'
import type { DocumentConversation, DocumentFormat } from './format-reader.ts'
import { type TreeNode, treeEvents } from './tree-events.ts'
import { withTitle } from './with-title.ts'

const Message = z.object({
  messageId: z.string(),
  parentMessageId: OptionalText,
  isCreatedByUser: z.boolean(),
  text: OptionalText,
  content: z.array(z.unknown()).nullish().catch(null),
  createdAt: z.unknown().optional(),
  model: OptionalText,
  endpoint: OptionalText,
  sender: OptionalText,
  error: z.boolean().nullish().catch(false),
  unfinished: z.boolean().nullish().catch(false),
  finish_reason: OptionalText,
  files: z
    .array(z.object({ filename: OptionalText, type: OptionalText }))
    .nullish()
    .catch(null),
  children: z.array(z.unknown()).nullish().catch(null),
})
type Message = z.infer<typeof Message>
const Conversation = z.object({
  conversationId: z.string(),
  title: OptionalText,
  endpoint: OptionalText,
  messages: z.array(z.unknown()),
  options: z.object({ model: OptionalText }).nullish().catch(null),
})

/** What LibreChat names as the parent of a first message. */
const NO_PARENT = '00000000-0000-0000-0000-000000000000'

/** Exports of LibreChat, with and without branches, nested or flat. */
export const librechat: DocumentFormat = {
  name: 'librechat',
  recognizes: (document) =>
    isRecord(document) && typeof document.conversationId === 'string' && Array.isArray(document.messages),
  *conversations(document, note): Iterable<DocumentConversation> {
    const read = Conversation.safeParse(document)
    if (!read.success) return note({ reason: 'malformed', what: 'A conversation of LibreChat' })
    const { conversationId, title, messages, endpoint, options } = read.data
    yield {
      sourceId: conversationId,
      *events(context) {
        const model = { endpoint: endpoint ?? null, modelId: options?.model ?? null }
        const nodes = flatten(messages, context.note).map((message) => nodeOf(message, model, context.note))
        yield* withTitle(treeEvents(nodes, newestLeaf(nodes), context), title)
      },
    }
  },
}

/** LibreChat shows the branch that was written last. */
function newestLeaf(nodes: readonly TreeNode[]): string | null {
  const parents = new Set(nodes.map(({ parentId }) => parentId))
  return nodes.findLast(({ id }) => !parents.has(id))?.id ?? null
}

/** All messages of a nested export, parents first; without recursion, since a long conversation nests as deep. */
function flatten(values: readonly unknown[], note: NoteSkip): Message[] {
  const messages: Message[] = []
  const open: { readonly value: unknown; readonly parentId: string | null }[] = values
    .map((value) => ({ value, parentId: null }))
    .reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const read = Message.safeParse(next.value)
    if (!read.success) {
      note({ reason: 'malformed', what: 'A message of LibreChat' })
      continue
    }
    const message = read.data
    messages.push(
      next.parentId === null || message.parentMessageId ? message : { ...message, parentMessageId: next.parentId },
    )
    for (const value of (message.children ?? []).toReversed()) open.push({ value, parentId: message.messageId })
  }
  return messages
}

const PROVIDERS: Readonly<Record<string, string>> = {
  openAI: 'openai',
  azureOpenAI: 'azure',
  anthropic: 'anthropic',
  google: 'google',
  bedrock: 'bedrock',
}

function nodeOf(
  message: Message,
  { endpoint, modelId }: { readonly endpoint: string | null; readonly modelId: string | null },
  note: NoteSkip,
): TreeNode {
  const { messageId: id, parentMessageId } = message
  const parentId = parentMessageId == null || parentMessageId === NO_PARENT ? null : parentMessageId
  const at = timeOf(message.createdAt)
  const events: SourceEvent[] = []
  if (message.isCreatedByUser) {
    events.push({ type: 'said', at, parts: saidParts(message, note), by: 'person' })
    return { id, parentId, isPerson: true, callId: null, events: () => events }
  }
  const where = message.endpoint ?? endpoint ?? 'unknown'
  const names = {
    providerId: Object.hasOwn(PROVIDERS, where) ? (PROVIDERS[where] ?? where) : where,
    modelId: message.model ?? modelId ?? message.sender ?? 'unknown',
  }
  if (message.error) {
    const words = message.text ?? 'LibreChat recorded an error'
    events.push({ type: 'failed', at, ...names, message: words, status: null })
  } else {
    const { blocks, results } = answerOf(message, at, note)
    const finish = message.finish_reason === 'length' ? 'length' : message.unfinished ? 'stopped' : null
    events.push({ type: 'answered', at, answerId: null, ...names, blocks, usage: null, finish }, ...results)
  }
  return { id, parentId, isPerson: false, callId: null, events: () => events }
}

function saidParts({ text, content, files }: Message, note: NoteSkip): SourcePart[] {
  const words = text || textsOf(content ?? []).join('\n')
  for (const file of files ?? [])
    note({ reason: 'missing-attachment', what: `File ${file.filename ?? 'without a name'} is not in the export` })
  const named = (files ?? []).map(
    ({ filename }): SourcePart => ({ type: 'text', text: `[${filename ?? 'A file'}: not in the export]` }),
  )
  return [...(words ? [{ type: 'text' as const, text: words }] : []), ...named]
}

/** Newer exports hold an answer as a list with calls and their outputs in it. */
function answerOf(
  { text, content }: Message,
  at: number | null,
  note: NoteSkip,
): { blocks: SourceBlock[]; results: SourceEvent[] } {
  const results: SourceEvent[] = []
  const blocks = (content ?? []).flatMap((part): SourceBlock[] => {
    if (!isRecord(part)) return []
    const words = wordsOf(part.text) ?? wordsOf(part.think)
    if (part.type === 'text' && words) return [{ type: 'text', text: words }]
    if (part.type === 'think' && words) return [{ type: 'thinking', text: words }]
    if (part.type === 'tool_call' && isRecord(part.tool_call)) {
      const { id, name, args, output } = part.tool_call
      const callId = typeof id === 'string' ? id : ''
      if (typeof output === 'string' && callId !== '')
        results.push({
          type: 'returned',
          at,
          callId,
          parts: [{ type: 'text', text: output }],
          isError: false,
          durationMs: 0,
        })
      return [{ type: 'tool-call', callId, name: String(name), inputText: inputTextOf(args ?? {}) }]
    }
    note({ reason: 'unknown-kind', what: `A part of an answer: ${String(part.type)}` })
    return []
  })
  return blocks.length > 0 || !text ? { blocks, results } : { blocks: [{ type: 'text', text }], results }
}

function textsOf(content: readonly unknown[]): string[] {
  return content.flatMap((part) => (isRecord(part) ? [wordsOf(part.text) ?? ''] : [])).filter((text) => text !== '')
}

function wordsOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return isRecord(value) && typeof value.value === 'string' ? value.value : null
}
