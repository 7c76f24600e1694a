import { canonicalJson, isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'
import type { Segment } from '../segment.ts'
import { TOKENS_PER_IMAGE, TOKENS_PER_MESSAGE, type Tokenizer } from '../tokenizer.ts'

/** One tool call of an assistant message. */
export interface ChatCall {
  /** As `messages[1].tool_calls[0]`. */
  readonly path: string
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** One message of a Chat Completions request. */
export interface ChatMessage {
  /** As `messages[1]`. */
  readonly path: string
  readonly role: string
  readonly content: unknown
  readonly calls: readonly ChatCall[]
  readonly value: JsonRecord
}

/** The messages of a request. */
export function chatMessagesOf(body: JsonRecord): readonly ChatMessage[] {
  return listOf(body.messages).map((item, index) => {
    const value = recordOf(item)
    const path = `messages[${index}]`
    const calls = listOf(value.tool_calls).map((call, at): ChatCall => {
      const { id, function: called } = recordOf(call)
      const { name, arguments: given } = recordOf(called)
      return { path: `${path}.tool_calls[${at}]`, id: textOf(id), name: textOf(name), arguments: given }
    })
    return { path, role: textOf(value.role), content: value.content, calls, value }
  })
}

/** The text of a message's content, its parts joined. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .filter(isRecord)
    .map((part) => textOf(part.text))
    .join('')
}

const NOT_READ = new Set<string>()

/** The request as blocks: tools, then one block per message. */
export function chatSegments(body: JsonRecord, tokenizer: Tokenizer): readonly Segment[] {
  const tools = listOf(body.tools).map((tool, index): Segment => {
    const text = canonicalJson(tool, NOT_READ)
    return { path: `tools[${index}]`, part: 'tools', text, tokens: tokenizer.count(text) }
  })
  const messages = chatMessagesOf(body).map((message): Segment => {
    const { path, role, value } = message
    const part = role === 'system' || role === 'developer' ? 'system' : 'messages'
    return { path, part, text: canonicalJson(value, NOT_READ), tokens: messageTokens(message, tokenizer) }
  })
  return [...tools, ...messages]
}

function messageTokens({ content, calls, value }: ChatMessage, tokenizer: Tokenizer): number {
  const images = listOf(content)
    .filter(isRecord)
    .filter(({ type }) => type !== 'text' && type !== 'refusal').length
  const words = calls.map(({ name, arguments: given }) => tokenizer.count(name + textOf(given)))
  const reasoning = tokenizer.count(textOf(value.reasoning_content))
  const text = tokenizer.count(contentText(content))
  return [...words, reasoning, text].reduce(
    (sum, tokens) => sum + tokens,
    TOKENS_PER_MESSAGE + images * TOKENS_PER_IMAGE,
  )
}
