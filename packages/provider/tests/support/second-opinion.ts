import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { CollectedAnswer } from '@holdfast/provider/testing'

/** What an answer comes to, in words that two implementations share. */
export interface SharedAnswer {
  readonly text: string
  readonly thinking: string
  /** Name and input of each call; the input parsed, because one of the two may write it anew. */
  readonly calls: readonly (readonly [string, unknown])[]
  readonly finish: string
  readonly tokens: { readonly input: number; readonly cacheRead: number; readonly output: number }
}

/** Reads an answer with the AI SDK's model. */
export async function readWith(model: LanguageModelV4, options: LanguageModelV4CallOptions): Promise<SharedAnswer> {
  const { stream } = await model.doStream(options)
  const parts: LanguageModelV4StreamPart[] = []
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  const finish = parts.find((part) => part.type === 'finish')
  return {
    text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    thinking: parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join(''),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.toolName, JSON.parse(part.input)] as const] : [],
    ),
    finish: finish?.finishReason.unified ?? 'none',
    tokens: {
      input: finish?.usage.inputTokens.noCache ?? -1,
      cacheRead: finish?.usage.inputTokens.cacheRead ?? 0,
      output: finish?.usage.outputTokens.total ?? -1,
    },
  }
}

const FINISHES = { end: 'stop', 'tool-calls': 'tool-calls', length: 'length', refused: 'content-filter' } as const

/** Our own answer in the same words. */
export function inSharedWords({ blocks, finish, usage }: CollectedAnswer): SharedAnswer {
  return {
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thinking: blocks.map((block) => (block.type === 'thinking' ? block.text : '')).join(''),
    calls: blocks.flatMap((block) =>
      block.type === 'tool-call' && block.complete ? [[block.name, JSON.parse(block.inputText)] as const] : [],
    ),
    finish: finish === null ? 'none' : FINISHES[finish],
    tokens: {
      input: usage?.inputTokens ?? -1,
      cacheRead: usage?.cacheReadTokens ?? -1,
      output: usage?.outputTokens ?? -1,
    },
  }
}

/** A body in which a result that is one text is that text: the two ways to write it mean the same. */
export function withPlainResults(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const plain = JSON.stringify(body).replaceAll(
    /"content":\[\{"type":"text","text":("[^"]*")\}\]\}(?=,\{"type":"(?:tool_result|text)")/g,
    '"content":$1}',
  )
  return JSON.parse(plain)
}
