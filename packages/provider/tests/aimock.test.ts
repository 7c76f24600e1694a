import { LLMock } from '@copilotkit/aimock'
import type { AnswerBlock } from '@holdfast/conversation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, callsOf, nextStep, requestOf, STRICT_PORTS, says } from './support/strict-ports.ts'

/** Another reading of the same formats than that of our own strict provider. */
let mock: LLMock

beforeAll(async () => {
  mock = new LLMock({ port: 0, chunkSize: 5 })
  mock.on({ userMessage: 'Say it.' }, { content: 'Grüße, 世界! One, two, three.' })
  mock.on(
    { userMessage: 'Look.', hasToolResult: false },
    {
      toolCalls: [
        { name: 'read', arguments: '{"path":"a.txt"}' },
        { name: 'read', arguments: '{"path":"b.txt"}' },
      ],
      // Its reason of a Gemini turn with calls is one that Gemini does not send.
      finishReason: 'tool_calls',
    },
  )
  mock.on({ userMessage: 'Look.', hasToolResult: true }, { content: 'Both read.' })
  await mock.start()
})

afterAll(() => mock.stop())

function textsOf(blocks: readonly AnswerBlock[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}

describe.each(STRICT_PORTS)('$name with aimock', (port) => {
  const urls = () => ({
    anthropic: `${mock.url}/v1`,
    openai: `${mock.url}/v1`,
    gemini: `${mock.url}/v1beta`,
    bedrock: mock.url,
  })

  it('[RUN5] streams a text to its end', async () => {
    const { blocks, finish } = await ask(port.open(urls()), requestOf(port, [says('Say it.')]))
    expect(textsOf(blocks)).toEqual(['Grüße, 世界! One, two, three.'])
    expect(finish).toBe('end')
  })

  it('[RUN11] streams two calls, and the answer to their results', async () => {
    const model = port.open(urls())
    const first = requestOf(port, [says('Look.')])
    const answer = await ask(model, first)
    expect(answer.finish).toBe('tool-calls')
    expect(callsOf(answer.blocks)).toMatchObject([
      { name: 'read', inputText: '{"path":"a.txt"}', complete: true },
      { name: 'read', inputText: '{"path":"b.txt"}', complete: true },
    ])
    const { blocks, finish } = await ask(model, nextStep(first, answer))
    expect([textsOf(blocks), finish]).toEqual([['Both read.'], 'end'])
  })

  it('[RUN9] knows its refusals', async () => {
    mock.nextRequestError(429, { message: 'Slow down.', type: 'rate_limit_error' })
    await expect(ask(port.open(urls()), requestOf(port, [says('Say it.')]))).rejects.toMatchObject({
      code: 'rate-limit',
      status: 429,
    })
  })
})
