import { HTTP_LIMITS, isLoopback, noBlobs, type Vendor } from '@holdfast/provider'
import { listAnthropicModels } from '@holdfast/provider/anthropic'
import { askContextWindow, type ChatEndpoint, listChatModels } from '@holdfast/provider/openai-chat'
import { type LoopbackServer, noAbort, PLAIN_REQUEST, readAll, startLoopbackServer } from '@holdfast/provider/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endpointUrl } from '../src/wire/base-url.ts'
import { openAnthropic, openChat } from './support/adapters.ts'

let server: LoopbackServer
beforeEach(async () => {
  server = await startLoopbackServer()
})
afterEach(() => server.close())

/** Answers by path; other paths do not exist. */
function serve(answers: Readonly<Record<string, unknown>>): void {
  server.answer(async (exchange) => {
    const known = answers[exchange.url]
    exchange.head(known === undefined ? 404 : 200, { 'content-type': 'application/json' })
    await exchange.write(JSON.stringify(known ?? { error: 'not found' }))
    exchange.end()
  })
}

function endpoint(vendor: Vendor): ChatEndpoint {
  return { vendor, baseUrl: `${server.baseUrl}/v1`, apiKey: null, headers: {}, limits: HTTP_LIMITS }
}

describe('a server', () => {
  it.each<readonly [Vendor, Readonly<Record<string, unknown>>, number | null]>([
    [
      'ollama',
      {
        '/api/ps': { models: [{ name: 'm', context_length: 8_192 }] },
        '/api/show': { model_info: { 'llama.context_length': 131_072 } },
      },
      8_192,
    ],
    [
      'ollama',
      { '/api/show': { parameters: 'stop "x"\nnum_ctx    4096', model_info: { 'llama.context_length': 131_072 } } },
      4_096,
    ],
    ['ollama', { '/api/show': { model_info: { 'llama.context_length': 131_072 } } }, 131_072],
    [
      'lm-studio',
      { '/api/v0/models': { data: [{ id: 'm', loaded_context_length: 4_096, max_context_length: 32_768 }] } },
      4_096,
    ],
    ['llama-cpp', { '/props': { default_generation_settings: { n_ctx: 16_384 } } }, 16_384],
    [
      'vllm',
      {
        '/v1/models': {
          data: [
            { id: 'other', max_model_len: 1 },
            { id: 'm', max_model_len: 32_768 },
          ],
        },
      },
      32_768,
    ],
    ['openrouter', { '/v1/models': { data: [{ id: 'm', context_length: 200_000 }] } }, 200_000],
    ['openai-compatible', { '/v1/models': { data: [{ id: 'm' }] } }, null],
    ['llama-cpp', {}, null],
    ['ollama', {}, null],
  ])('[COST6] of %s that says %j has a window of %s', async (vendor, answers, window) => {
    serve(answers)
    expect(await askContextWindow({ endpoint: endpoint(vendor), modelId: 'm' }, noAbort())).toBe(window)
  })

  it('[COST6] lists its models, page by page', async () => {
    serve({
      '/v1/models?limit=1000': {
        data: [{ id: 'a', display_name: 'A', max_input_tokens: 200_000, max_tokens: 64_000 }],
        has_more: true,
        last_id: 'a',
      },
      '/v1/models?limit=1000&after_id=a': { data: [{ id: 'b' }, { nothing: 1 }], has_more: false },
      '/v1/models': { data: [{ id: 'c', name: 'C', owned_by: 'us' }] },
    })
    const anthropic = { baseUrl: server.baseUrl, apiKey: 'k', headers: {}, limits: HTTP_LIMITS }
    expect(await listAnthropicModels(anthropic, noAbort())).toEqual([
      { modelId: 'a', name: 'A', contextWindowTokens: 200_000, maxOutputTokens: 64_000, ownedBy: null },
      { modelId: 'b', name: 'b', contextWindowTokens: null, maxOutputTokens: null, ownedBy: null },
    ])
    expect(await listChatModels(endpoint('openai'), noAbort())).toEqual([
      { modelId: 'c', name: 'C', contextWindowTokens: null, maxOutputTokens: null, ownedBy: 'us' },
    ])
  })

  it('[RUN9] that fails while it is asked is an error of its class', async () => {
    server.answer((exchange) => exchange.reset())
    await expect(listChatModels(endpoint('vllm'), noAbort())).rejects.toMatchObject({ code: 'network' })
  })

  it.each([
    ['http://h:1', 'http://h:1/v1/x'],
    ['http://h:1/', 'http://h:1/v1/x'],
    ['http://h:1/v1', 'http://h:1/v1/x'],
    ['http://h:1/v1/', 'http://h:1/v1/x'],
    ['https://h/api/v1', 'https://h/api/v1/x'],
    ['https://h/v1beta/openai/', 'https://h/v1beta/openai/x'],
    ['https://h/api/paas/v4', 'https://h/api/paas/v4/x'],
    ['https://h/proxy', 'https://h/proxy/v1/x'],
  ])('[RUN9] at %s is asked at %s', (base, url) => {
    expect(endpointUrl(base, '/x')).toBe(url)
  })

  it('[COST3] on this machine is known by its address', () => {
    expect(['http://127.0.0.1:1', 'http://localhost', 'http://[::1]:8', 'http://a.localhost'].map(isLoopback)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(
      ['http://10.0.0.1', 'https://localhost.example.org', 'http://127.0.0.1.example.org'].map(isLoopback),
    ).toEqual([false, false, false])
  })

  it('[SEC4] gets the key in its header, and no key where there is none', async () => {
    server.answer((exchange) => exchange.reset())
    await readAll((onPart) =>
      openAnthropic(server.baseUrl).stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
    )
    await readAll((onPart) =>
      openChat(server.baseUrl).stream(PLAIN_REQUEST, { signal: noAbort(), blobs: noBlobs, onPart }),
    )
    expect(server.exchanges.map(({ url, headers }) => [url, headers['x-api-key'], headers.authorization])).toEqual([
      ['/v1/messages', 'test-key', undefined],
      ['/v1/chat/completions', undefined, undefined],
    ])
  })
})
