import { canonicalJson, isRecord, type JsonRecord, listOf, recordOf, textOf } from '../json.ts'
import type { Segment } from '../segment.ts'
import { TOKENS_PER_IMAGE, TOKENS_PER_MESSAGE, type Tokenizer } from '../tokenizer.ts'

/** One item of a Responses request's input. */
export interface Item {
  /** As `input[2]`. */
  readonly path: string
  readonly type: string
  readonly value: JsonRecord
}

/** The items of a request; a text alone is one user message, a role without a type is a message. */
export function itemsOf(body: JsonRecord): readonly Item[] {
  const { input } = body
  if (typeof input === 'string') {
    return [{ path: 'input', type: 'message', value: { type: 'message', role: 'user', content: input } }]
  }
  return listOf(input).map((item, index) => {
    const value = recordOf(item)
    return { path: `input[${index}]`, type: textOf(value.type) || 'message', value }
  })
}

const NOT_READ = new Set(['id', 'status', 'encrypted_content'])

/** The request as blocks: tools, instructions, then one block per item. */
export function responsesSegments(body: JsonRecord, tokenizer: Tokenizer): readonly Segment[] {
  const tools = listOf(body.tools).map((tool, index): Segment => {
    const text = canonicalJson(tool, new Set())
    return { path: `tools[${index}]`, part: 'tools', text, tokens: tokenizer.count(text) }
  })
  const instructions = textOf(body.instructions)
  const system: readonly Segment[] =
    instructions === ''
      ? []
      : [{ path: 'instructions', part: 'system', text: instructions, tokens: tokenizer.count(instructions) }]
  const items = itemsOf(body).map(({ path, type, value }): Segment => {
    const isSystem = type === 'message' && (value.role === 'system' || value.role === 'developer')
    const text = canonicalJson(value, NOT_READ)
    return { path, part: isSystem ? 'system' : 'messages', text, tokens: itemTokens(type, value, tokenizer) }
  })
  return [...tools, ...system, ...items]
}

function itemTokens(type: string, value: JsonRecord, tokenizer: Tokenizer): number {
  switch (type) {
    case 'message':
      return TOKENS_PER_MESSAGE + contentTokens(value.content, tokenizer)
    case 'function_call':
      return tokenizer.count(textOf(value.name) + textOf(value.arguments))
    case 'function_call_output':
      return contentTokens(value.output, tokenizer)
    case 'reasoning':
      return contentTokens(value.summary, tokenizer)
    // Items of other types cost what they are long.
    default:
      return tokenizer.count(canonicalJson(value, NOT_READ))
  }
}

function contentTokens(content: unknown, tokenizer: Tokenizer): number {
  if (typeof content === 'string') return tokenizer.count(content)
  return listOf(content)
    .filter(isRecord)
    .reduce((sum, { text }) => sum + (typeof text === 'string' ? tokenizer.count(text) : TOKENS_PER_IMAGE), 0)
}
