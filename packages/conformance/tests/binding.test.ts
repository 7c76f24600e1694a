import { createStrictProvider, type JsonRecord, type StrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

interface Block {
  readonly type: string
  readonly id: string | undefined
}
interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: readonly object[]
}

const TOOLS = [{ name: 'read', input_schema: { type: 'object' } }]
const BOUND_ELSEWHERE = 'Invalid signature in thinking block. The block is bound to a different conversation'

let provider: StrictProvider

beforeEach(async () => {
  provider = await createStrictProvider({})
  provider.otherwise({
    parts: [
      { type: 'thinking', text: 'Let me look.' },
      { type: 'redacted-thinking' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', name: 'read', input: { path: 'a', lines: [1, 2] } },
    ],
  })
})

afterEach(async () => {
  await provider.close()
})

async function send(body: JsonRecord, betas?: string) {
  const response = await fetch(`${provider.urls.anthropic}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'key', 'content-type': 'application/json', ...(betas ? { 'anthropic-beta': betas } : {}) },
    body: JSON.stringify({ max_tokens: 1_000, tools: TOOLS, system: 'You read.', ...body }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, content: blocksOf(answer), message: messageOf(answer) }
}

function blocksOf(answer: unknown): readonly Block[] {
  if (typeof answer !== 'object' || answer === null || !('content' in answer)) return []
  return Array.isArray(answer.content) ? answer.content : []
}

function messageOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined
  const { error } = answer
  return typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
}

/** A loop of two steps: user, answer, results, answer, results. */
async function conversation(model: string): Promise<readonly Message[]> {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]
  for (let step = 0; step < 2; step += 1) {
    const { content } = await send({ model, messages })
    const ids = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
    messages.push({ role: 'assistant', content })
    messages.push({ role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) })
  }
  return messages
}

/** The messages with one of them changed. */
function changed(
  messages: readonly Message[],
  index: number,
  change: (content: readonly object[]) => readonly object[],
) {
  return messages.map((message, at) => (at === index ? { ...message, content: change(message.content) } : message))
}

const isThinking = (block: object) =>
  'type' in block && (block.type === 'thinking' || block.type === 'redacted_thinking')
const withoutThinking = (content: readonly object[]) => content.filter((block) => !isThinking(block))

describe('a model that binds its thinking', () => {
  const model = 'claude-opus-5-5'

  it('[REQ4, REQ5] accepts the same history again, and with cache marks moved', async () => {
    const messages = await conversation(model)
    expect(await send({ model, messages })).toMatchObject({ status: 200 })
    const marked = changed(messages, 2, (content) =>
      content.map((block) => ({ ...block, cache_control: { type: 'ephemeral' } })),
    )
    expect(await send({ model, messages: marked })).toMatchObject({ status: 200 })
  })

  it('[REQ5] accepts a text for a list of one block', async () => {
    const messages = await conversation(model)
    const [, ...rest] = messages
    expect(await send({ model, messages: [{ role: 'user', content: 'Hello' }, ...rest] })).toMatchObject({
      status: 200,
    })
  })

  it.each([
    ['the instructions', (): JsonRecord => ({ system: 'You read well.' })],
    ['the tools', (): JsonRecord => ({ tools: [{ ...TOOLS[0], description: 'new' }] })],
    [
      'the first message',
      (messages: readonly Message[]): JsonRecord => ({
        messages: changed(messages, 0, () => [{ type: 'text', text: 'Hullo' }]),
      }),
    ],
    [
      'an earlier result',
      (messages: readonly Message[]): JsonRecord => ({
        messages: changed(messages, 2, ([block]) => [{ ...block, content: 'y' }]),
      }),
    ],
    [
      'the order of an input’s members',
      (messages: readonly Message[]): JsonRecord => ({
        messages: changed(messages, 1, (content) =>
          content.map((block) => ('input' in block ? { ...block, input: { lines: [1, 2], path: 'a' } } : block)),
        ),
      }),
    ],
    [
      'a text before it in its own answer',
      (messages: readonly Message[]): JsonRecord => ({
        messages: changed(messages, 1, (content) => [{ type: 'text', text: 'New' }, ...content]),
      }),
    ],
  ])('[REQ4, REQ5] refuses its thinking when %s changed', async (_what, change) => {
    const messages = await conversation(model)
    expect(await send({ model, messages, ...change(messages) })).toMatchObject({
      status: 400,
      message: BOUND_ELSEWHERE,
    })
  })

  it('[REQ4] lets thinking be dropped from the front', async () => {
    const messages = await conversation(model)
    expect(await send({ model, messages: changed(messages, 1, withoutThinking) })).toMatchObject({ status: 200 })
    const none = changed(changed(messages, 1, withoutThinking), 3, withoutThinking)
    expect(await send({ model, messages: none })).toMatchObject({ status: 200 })
  })

  it('[REQ4] refuses a conversation whose thinking was dropped in the middle', async () => {
    const messages = await conversation(model)
    const dropped = changed(messages, 1, (content) => content.filter((block) => !('data' in block)))
    expect(await send({ model, messages: dropped })).toMatchObject({ status: 400, message: BOUND_ELSEWHERE })
  })

  it('[REQ4] drops what is bound elsewhere where the client asks for that and names the beta', async () => {
    const messages = await conversation(model)
    const thinking = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } }
    const body = { model, messages, system: 'Other', thinking }
    expect(await send(body)).toMatchObject({ status: 400 })
    expect(await send(body, 'thinking-binding-controls-2026-08-01')).toMatchObject({ status: 200 })
  })

  it('[REQ4] reads thinking of an older family, which is not bound', async () => {
    const messages = await conversation('claude-sonnet-4-5')
    expect(await send({ model, messages, system: 'Other' })).toMatchObject({ status: 200 })
    expect(await send({ model: 'claude-sonnet-4-5', messages: await conversation(model) })).toMatchObject({
      status: 400,
    })
  })
})

describe('a model that only signs its thinking', () => {
  const model = 'claude-sonnet-4-5'

  it('[REQ4] accepts changed instructions and earlier messages, and refuses altered thinking', async () => {
    const messages = await conversation(model)
    expect(await send({ model, messages, system: 'Other' })).toMatchObject({ status: 200 })
    const altered = changed(messages, 3, (content) =>
      content.map((block) => ('thinking' in block ? { ...block, thinking: 'Let me look!' } : block)),
    )
    const refused = await send({ model, messages: altered })
    expect(refused.status).toBe(400)
    expect(refused.message).toContain('in the latest assistant message cannot be modified')
  })
})
