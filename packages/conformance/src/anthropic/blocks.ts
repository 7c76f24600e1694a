import { canonicalJson, isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'
import type { CacheLifetime, Segment } from '../segment.ts'
import { TOKENS_PER_IMAGE, TOKENS_PER_MESSAGE, type Tokenizer } from '../tokenizer.ts'

/** One content block of a message. */
export interface Block {
  /** As `messages.2.content.0`. */
  readonly path: string
  readonly type: string
  readonly value: JsonRecord
}

/** One message with its content as blocks, also where it was a string. */
export interface Message {
  readonly index: number
  readonly role: string
  readonly blocks: readonly Block[]
}

/** What a script's part of type `unknown` is here: a vendor takes back what it sent, whether clients know it or not. */
export const UNKNOWN_BLOCK = { type: 'hologram', value: 1 } as const

/** The messages of a request. */
export function messagesOf(body: JsonRecord): readonly Message[] {
  return listOf(body.messages).map((item, index) => {
    const { role, content } = recordOf(item)
    return { index, role: textOf(role), blocks: blocksOf(content, `messages.${index}.content`) }
  })
}

function blocksOf(content: unknown, path: string): readonly Block[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [{ path, type: 'text', value: { type: 'text', text: content } }]
  }
  return listOf(content).map((item, index) => {
    const value = recordOf(item)
    return { path: `${path}.${index}`, type: textOf(value.type), value }
  })
}

/** The blocks of the instructions. */
export function systemBlocksOf(body: JsonRecord): readonly Block[] {
  return blocksOf(body.system, 'system')
}

/** Whether a block holds thinking, open or redacted. */
export function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

const NOT_READ = new Set(['cache_control'])

/** One spelling of what the model reads of a block. */
export function spell(role: string, value: JsonRecord): string {
  return `${role}\0${canonicalJson(value, NOT_READ)}`
}

/** The request as blocks in the order in which the model reads them. */
export function anthropicSegments(body: JsonRecord, tokenizer: Tokenizer): readonly Segment[] {
  const tools = listOf(body.tools)
    .filter(isRecord)
    .map((tool, index): Segment => {
      const text = spell('tool', tool)
      return segment({ path: `tools.${index}`, part: 'tools', text, tokens: tokenizer.count(text), value: tool })
    })
  const system = systemBlocksOf(body).map(({ path, value }) =>
    segment({ path, part: 'system', text: spell('system', value), tokens: blockTokens(value, tokenizer), value }),
  )
  const messages = messagesOf(body).flatMap(({ role, blocks }) =>
    blocks.map(({ path, value }, index) => {
      const tokens = blockTokens(value, tokenizer) + (index === 0 ? TOKENS_PER_MESSAGE : 0)
      return segment({ path, part: 'messages', text: spell(role, value), tokens, value })
    }),
  )
  return withAutomaticMark(body, [...tools, ...system, ...messages])
}

function segment({ value, ...given }: Omit<Segment, 'mark'> & { readonly value: JsonRecord }): Segment {
  const mark = marksIn(value)[0]?.lifetime
  return mark === undefined ? given : { ...given, mark }
}

/** A mark on the request itself stands for one on its last block. */
function withAutomaticMark(body: JsonRecord, segments: readonly Segment[]): readonly Segment[] {
  const last = segments.at(-1)
  if (!isRecord(body.cache_control) || last === undefined) return segments
  return [...segments.slice(0, -1), { ...last, mark: lifetimeOf(body.cache_control) }]
}

/** A cache mark and how long it asks for. */
export interface Mark {
  readonly lifetime: CacheLifetime
}

/** The marks of a block, those inside a tool result included. */
export function marksIn(value: JsonRecord): readonly Mark[] {
  const own = isRecord(value.cache_control) ? [{ lifetime: lifetimeOf(value.cache_control) }] : []
  const inner = value.type === 'tool_result' ? listOf(value.content).filter(isRecord).flatMap(marksIn) : []
  return [...inner, ...own]
}

function lifetimeOf(control: JsonRecord): CacheLifetime {
  return control.ttl === '1h' ? '1h' : '5m'
}

function blockTokens(value: JsonRecord, tokenizer: Tokenizer): number {
  switch (value.type) {
    case 'text':
      return tokenizer.count(textOf(value.text))
    case 'thinking':
      return tokenizer.count(textOf(value.thinking))
    case 'image':
    case 'document':
      return TOKENS_PER_IMAGE
    case 'tool_use':
      return tokenizer.count(textOf(value.name) + JSON.stringify(value.input ?? {}))
    case 'tool_result':
      return typeof value.content === 'string'
        ? tokenizer.count(value.content)
        : listOf(value.content)
            .filter(isRecord)
            .reduce((sum, inner) => sum + blockTokens(inner, tokenizer), 0)
    // Blocks of other types cost what they are long.
    default:
      return tokenizer.count(canonicalJson(value, NOT_READ))
  }
}
