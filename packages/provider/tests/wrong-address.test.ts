import { type ModelPort, type ModelRequest, nextRetry, type ProviderError } from '@holdfast/provider'
import { createResponsesModel } from '@holdfast/provider/openai-responses'
import { type LoopbackRequest, type LoopbackServer, readAll, startLoopbackServer } from '@holdfast/provider/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countingIds, openAnthropic, openChat } from './support/adapters.ts'

let server: LoopbackServer

beforeEach(async () => {
  server = await startLoopbackServer()
})

afterEach(async () => {
  await server.close()
})

const PORTS: readonly (readonly [string, (baseUrl: string) => ModelPort, string])[] = [
  ['Anthropic', openAnthropic, 'event: ping\ndata: {"type":"ping"}\n\n'],
  [
    'Chat Completions',
    (url) => openChat(`${url}/v1`),
    'data: {"choices":[{"index":0,"delta":{"content":"Half an"}}]}\n\n',
  ],
  [
    'Responses',
    (baseUrl) => createResponsesModel({ providerId: 'p', baseUrl, apiKey: 'k', headers: {}, ids: countingIds() }),
    [
      'data: {"type":"response.created","response":{"id":"r","created_at":1,"model":"m"}}\n\n',
      'data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"i"}}\n\n',
      'data: {"type":"response.output_text.delta","item_id":"i","output_index":0,"delta":"Half an"}\n\n',
    ].join(''),
  ],
]

async function failure(port: ModelPort, answer: (exchange: LoopbackRequest) => Promise<void> | void) {
  server.answer(answer)
  const request: ModelRequest = {
    modelId: 'm',
    system: '',
    tools: [],
    toolChoice: 'auto',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    maxOutputTokens: 100,
    thinkingBudgetTokens: null,
    parameters: {},
    cacheMarks: null,
  }
  const { signal } = new AbortController()
  const blobs = { read: async () => new Uint8Array() }
  const { error } = await readAll((onPart) => port.stream(request, { signal, blobs, onPart }))
  if (error === null) throw new Error('The answer did not fail')
  return error
}

const failed = (error: ProviderError) => ({ attempt: 1, sawContent: false, error, random: { next: () => 0 } })

describe.each(PORTS)('an address of %s', (_, open, begun) => {
  it('[RUN28] that answers with a web page is not asked again, and the error says what to check', async () => {
    const error = await failure(open(server.baseUrl), (exchange) => {
      exchange.head(200, { 'content-type': 'text/html; charset=utf-8' })
      void exchange.write('<html><body>login <b>here</b></body></html>').then(() => exchange.end())
    })
    expect(error.message).toBe('The address answers with a web page and not as a model does; check the base URL')
    expect(nextRetry(failed(error))).toBeNull()
  })

  it('[RUN28] that breaks off when a part of the answer has come says that', async () => {
    const error = await failure(open(server.baseUrl), async (exchange) => {
      exchange.head(200, { 'content-type': 'text/event-stream' })
      await exchange.write(begun)
      exchange.reset()
    })
    expect(error.code).toBe('network')
    expect(error.message).toMatch(/^The line to \S+ broke in the middle of the answer: /)
  })

  it('[RUN28] that asks for a wait of hours is not waited for, and the error says how long', async () => {
    const error = await failure(open(server.baseUrl), (exchange) => {
      exchange.head(429, { 'retry-after': '100000', 'content-type': 'application/json' })
      void exchange.write('{"error":{"message":"slow"}}').then(() => exchange.end())
    })
    expect(error.code).toBe('rate-limit')
    expect(error.message).toMatch(/slow\. It asks to be asked again in 28 hours, .*: try again then$/)
    expect(nextRetry(failed(error))).toBeNull()
  })
})

it('[RUN28] that redirects is not asked again, and the error says what to check', async () => {
  const error = await failure(openChat(`${server.baseUrl}/v1`), (exchange) => {
    exchange.head(302, { location: 'http://127.0.0.1:1/' })
    exchange.end()
  })
  expect(error.message).toBe('The address answers with a redirect and not as a model does; check the base URL')
  expect(nextRetry(failed(error))).toBeNull()
})
