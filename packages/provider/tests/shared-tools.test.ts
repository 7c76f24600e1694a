import type { Json } from '@holdfast/conversation'
import { type ModelRequest, type ModelTool, oncePerTools, sharedTools, toolsText } from '@holdfast/provider'
import { encodeAnthropicRequest } from '@holdfast/provider/anthropic'
import { encodeChatRequest, PLAIN_CHAT } from '@holdfast/provider/openai-chat'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const schema = fc.dictionary(fc.string(), fc.jsonValue()).map((value): Json => JSON.parse(JSON.stringify(value)))

const tools: fc.Arbitrary<readonly ModelTool[]> = fc.array(
  fc.record({ name: fc.string({ minLength: 1 }), description: fc.string({ unit: 'binary' }), parameters: schema }),
  { maxLength: 4 },
)

const request: fc.Arbitrary<ModelRequest> = fc.record({
  modelId: fc.constant('m'),
  system: fc.constantFrom('', ' ', 'Be brief.'),
  tools,
  toolChoice: fc.constantFrom('auto', 'none'),
  messages: fc.constant([{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] as const),
  maxOutputTokens: fc.constantFrom(null, 100),
  thinkingBudgetTokens: fc.constant(null),
  parameters: fc.constant({}),
  cacheMarks: fc.constantFrom(null, { ttl: '5m', system: true, messages: [0] } as const),
})

function bodiesOf(asked: ModelRequest): readonly string[] {
  return [
    encodeAnthropicRequest(asked, { blobs: new Map(), defaultMaxOutputTokens: 777 }),
    encodeChatRequest(asked, { blobs: new Map(), traits: PLAIN_CHAT }),
  ]
}

/** The definitions as Anthropic and OpenAI are sent them. */
function toolsOfVendors({ tools: list, system, cacheMarks }: ModelRequest): readonly string[] {
  const isMarked = cacheMarks?.system === true && system === ''
  const anthropic = list.map(({ name, description, parameters }, index) => ({
    name,
    ...(description.trim() === '' ? {} : { description }),
    input_schema: parameters,
    ...(isMarked && index === list.length - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
  }))
  const openAi = list.map((tool) => ({ type: 'function', function: tool }))
  return [anthropic, openAi].map((one) => `"tools":${JSON.stringify(one)}`)
}

const READ: ModelTool = {
  name: 'read',
  description: 'Reads',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}

describe('definitions that requests share', () => {
  it('[TOOL16] are one list for equal ones, with the bytes of each', () => {
    const seed = Date.now()
    fc.assert(
      fc.property(tools, (list) => {
        const shared = sharedTools(list)
        expect(shared).toEqual(list)
        expect(toolsText(shared)).toBe(JSON.stringify(list))
        expect(sharedTools(structuredClone(list))).toBe(shared)
        expect(sharedTools(shared)).toBe(shared)
      }),
      { seed },
    )
  })

  it('[TOOL16, REQ1] give the bodies that definitions of its own would give a request', () => {
    const seed = Date.now()
    fc.assert(
      fc.property(request, (asked) => {
        const shared = { ...asked, tools: sharedTools(asked.tools) }
        expect(bodiesOf(shared)).toEqual(bodiesOf(asked))
        if (asked.tools.length > 0)
          expect(bodiesOf(shared).map((body, index) => body.includes(toolsOfVendors(asked)[index] ?? ''))).toEqual([
            true,
            true,
          ])
      }),
      { seed },
    )
  })

  it('[TOOL16] cannot be changed at any depth, and are no longer those that they were made of', () => {
    const made = structuredClone([READ])
    const shared = sharedTools(made)
    const text = toolsText(shared)
    const open: unknown[] = [shared]
    let seen = 0
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (typeof next !== 'object' || next === null) continue
      seen += 1
      expect(Reflect.set(next, 'added', true), JSON.stringify(next)).toBe(false)
      open.push(...Object.values(next))
    }
    expect(seen).toBe(5)
    Object.assign(made[0] ?? {}, { description: 'Something else' })
    expect(JSON.stringify(shared)).toBe(text)
    expect(toolsText(sharedTools(made))).not.toBe(text)
  })

  it('[TOOL16] are looked at once; a list that may be changed is looked at each time', () => {
    let looks = 0
    const countOf = oncePerTools((list) => {
      looks += 1
      return list.length
    })
    const shared = sharedTools([READ])
    expect([countOf(shared), countOf(shared), countOf(sharedTools([{ ...READ }]))]).toEqual([1, 1, 1])
    expect(looks).toBe(1)
    const own = [READ]
    expect(countOf(own)).toBe(1)
    own.push({ ...READ, name: 'write' })
    expect(countOf(own)).toBe(2)
    expect(toolsText(own)).toBe(JSON.stringify(own))
  })

  it('[TOOL16] are forgotten when many others were asked for since, and what was given stays as it is', () => {
    const named = (name: string) => [{ ...READ, name }]
    const [early, asked] = [sharedTools(named('early')), sharedTools(named('asked'))]
    const text = toolsText(early)
    for (let number = 0; number < 100; number += 1) {
      sharedTools(named(`other ${number}`))
      expect(sharedTools(named('asked'))).toBe(asked)
    }
    expect(sharedTools(named('early'))).not.toBe(early)
    expect(toolsText(early)).toBe(text)
  })
})
