import * as z from 'zod'
import type { NoteSkip } from '../import/skip.ts'
import type { SourceBlock, SourceEvent, SourcePart, SourceUsage } from '../log/source-event.ts'
import { Figure, isRecord, OptionalText, readDataUrl, timeOfSeconds } from './fields.ts'
import type { DocumentConversation, DocumentFormat } from './format-reader.ts'
import { type TreeNode, treeEvents } from './tree-events.ts'
import { withTitle } from './with-title.ts'

const Message = z.object({
  id: z.string(),
  parentId: OptionalText,
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  /** In seconds. */
  timestamp: z.unknown().optional(),
  model: OptionalText,
  done: z.boolean().nullish().catch(null),
  error: z
    .union([z.boolean(), z.object({ content: OptionalText })])
    .nullish()
    .catch(null),
  usage: z.object({ prompt_tokens: Figure, completion_tokens: Figure }).nullish().catch(null),
  files: z
    .array(z.object({ type: OptionalText, url: OptionalText, name: OptionalText }))
    .nullish()
    .catch(null),
})
type Message = z.infer<typeof Message>

const Chat = z.object({
  title: OptionalText,
  models: z.array(z.string()).nullish().catch(null),
  history: z.object({ messages: z.record(z.string(), z.unknown()), currentId: OptionalText }),
})
const Export = z.object({ id: OptionalText, title: OptionalText, chat: Chat })

/** Exports of Open WebUI, of one chat or of all: each is a tree of messages. */
export const openWebui: DocumentFormat = {
  name: 'open-webui',
  recognizes: (document) =>
    isRecord(document) &&
    isRecord(document.chat) &&
    isRecord(document.chat.history) &&
    isRecord(document.chat.history.messages),
  *conversations(document, note): Iterable<DocumentConversation> {
    const read = Export.safeParse(document)
    if (!read.success) return note({ reason: 'malformed', what: 'A chat of Open WebUI' })
    const { id, chat } = read.data
    const title = read.data.title ?? chat.title
    yield {
      sourceId: id ?? null,
      *events(context) {
        const nodes = nodesOf(chat.history.messages, chat.models?.[0] ?? 'unknown', context.note)
        yield* withTitle(
          treeEvents(nodes, chat.history.currentId ?? null, context),
          title === 'New Chat' ? null : title,
        )
      },
    }
  },
}

function nodesOf(messages: Readonly<Record<string, unknown>>, modelId: string, note: NoteSkip): TreeNode[] {
  return Object.values(messages).flatMap((value): TreeNode[] => {
    const read = Message.safeParse(value)
    if (read.success) return [nodeOf(read.data, modelId, note)]
    note({ reason: 'malformed', what: 'A message of Open WebUI' })
    return []
  })
}

function nodeOf(message: Message, chatModelId: string, note: NoteSkip): TreeNode {
  const { id, parentId, role, timestamp, error, usage, done } = message
  const at = timeOfSeconds(timestamp)
  const place = { id, parentId: parentId ?? null, callId: null }
  if (role === 'user') {
    const said: SourceEvent = { type: 'said', at, parts: saidParts(message, note), by: 'person' }
    return { ...place, isPerson: true, events: () => [said] }
  }
  const names = { providerId: 'open-webui', modelId: message.model || chatModelId }
  const blocks = answerBlocks(message.content)
  const answered: SourceEvent = {
    type: 'answered',
    at,
    answerId: null,
    ...names,
    blocks,
    usage: usage ? usageOf(usage) : null,
    finish: done === false ? 'stopped' : null,
  }
  const words = isRecord(error) && typeof error.content === 'string' ? error.content : 'Open WebUI recorded an error'
  const failed: SourceEvent = { type: 'failed', at, ...names, message: words, status: null }
  const events = error ? [...(blocks.length > 0 ? [answered] : []), failed] : [answered]
  return { ...place, isPerson: false, events: () => events }
}

function saidParts({ content, files }: Message, note: NoteSkip): SourcePart[] {
  const attached = (files ?? []).map(({ type, url, name }): SourcePart => {
    const data = type === 'image' && url ? readDataUrl(url) : null
    if (data) return { type: 'data', ...data, name: name ?? null }
    note({ reason: 'missing-attachment', what: `File ${name ?? 'without a name'} is not in the export` })
    return { type: 'text', text: `[${name ?? 'A file'}: not in the export]` }
  })
  return [...(content === '' ? [] : [{ type: 'text' as const, text: content }]), ...attached]
}

const REASONING = /<details type="reasoning"[^>]*>\n?(?:<summary>[^<]*<\/summary>\n?)?([\s\S]*?)<\/details>\n?/g

/** Thinking stands in the answer as a folded quote. */
function answerBlocks(content: string): SourceBlock[] {
  const blocks: SourceBlock[] = []
  let from = 0
  const addText = (text: string): void => {
    if (text.trim() !== '') blocks.push({ type: 'text', text: text.trim() })
  }
  for (const match of content.matchAll(REASONING)) {
    addText(content.slice(from, match.index))
    const thinking = (match[1] ?? '').replace(/^&gt; ?|^> ?/gm, '').trim()
    if (thinking !== '') blocks.push({ type: 'thinking', text: thinking })
    from = match.index + match[0].length
  }
  addText(content.slice(from))
  return blocks
}

function usageOf({ prompt_tokens, completion_tokens }: NonNullable<Message['usage']>): SourceUsage {
  return {
    inputTokens: prompt_tokens,
    cacheReadTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    outputTokens: completion_tokens,
    thinkingTokens: 0,
    costUsd: null,
    isOutputFinal: true,
  }
}
