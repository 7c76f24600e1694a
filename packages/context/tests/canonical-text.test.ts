import { canonicalText, receiptText } from '@holdfast/context'
import { type ModelRequest, type ModelTool, sharedTools } from '@holdfast/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** The text as it was first written down: one object for all that stands before the messages. */
function writtenPlainly({ messages, cacheMarks, ...head }: ModelRequest): string {
  const lines = messages.flatMap((message) => {
    if (message.role === 'user') return ['user', ...message.parts.map((part) => JSON.stringify(part))]
    if (message.role === 'assistant') return ['assistant', ...message.blocks.map((block) => JSON.stringify(block))]
    return [JSON.stringify(message)]
  })
  return `${[JSON.stringify(head), ...lines].join('\n')}\n${JSON.stringify(cacheMarks)}\n`
}

const words = fc.string({ unit: 'binary' })
const tool: fc.Arbitrary<ModelTool> = fc.record({
  name: words,
  description: words,
  parameters: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
})
const request: fc.Arbitrary<ModelRequest> = fc.record({
  modelId: words,
  system: words,
  tools: fc.array(tool, { maxLength: 3 }),
  toolChoice: fc.constantFrom('auto', 'none'),
  messages: fc.array(
    fc.oneof(
      fc.record({
        role: fc.constant('user' as const),
        parts: fc.array(fc.record({ type: fc.constant('text' as const), text: words }), { maxLength: 2 }),
      }),
      fc.record({
        role: fc.constant('assistant' as const),
        blocks: fc.array(fc.record({ type: fc.constant('text' as const), text: words }), { maxLength: 2 }),
      }),
      fc.record({
        role: fc.constant('tool' as const),
        callId: words,
        isError: fc.boolean(),
        content: fc.array(fc.record({ type: fc.constant('text' as const), text: words }), { maxLength: 2 }),
      }),
    ),
    { maxLength: 4 },
  ),
  maxOutputTokens: fc.constantFrom(null, 7),
  thinkingBudgetTokens: fc.constantFrom(null, 9),
  parameters: fc.dictionary(words, fc.constantFrom(null, 1, 'x', true)),
  cacheMarks: fc.constantFrom(null, { ttl: '1h', system: true, messages: [] } as const),
})

/** The same request with its keys in another order. */
function turnedAround(asked: ModelRequest): ModelRequest {
  const { tools, parameters, ...rest } = asked
  return { parameters, ...rest, tools }
}

describe('the canonical text', () => {
  it('[TOOL16, REQ1] has the same bytes, whether the definitions are shared or not and in whatever order the keys stand', () => {
    const seed = Date.now()
    fc.assert(
      fc.property(request, (asked) => {
        const shared = { ...asked, tools: sharedTools(asked.tools) }
        for (const one of [asked, shared, turnedAround(asked), turnedAround(shared)]) {
          expect(receiptText(one)).toBe(writtenPlainly(one))
          expect(receiptText(one).startsWith(canonicalText(one))).toBe(true)
        }
        expect(receiptText(shared)).toBe(receiptText(asked))
      }),
      { seed },
    )
  })
})
