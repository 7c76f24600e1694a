import { createServer } from 'node:http'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { HTTP_LIMITS, noBlobs } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { problemLine } from '../src/cli/acts/models.ts'
import { ConfigFile } from '../src/config-file-schema.ts'
import { type LocalServer, localServers } from '../src/providers/detect-local.ts'
import { createModelRegistry, type ModelRegistry, type RegistryDeps } from '../src/providers/model-registry.ts'
import type { ProviderSetup } from '../src/providers/provider-setup.ts'
import { readSetups } from '../src/providers/read-setups.ts'

const CANARY = 'sk-canary-2b8e41d7'
/** The start waits so long; a test of what answers at once may wait longer. */
const LIMIT_MS = 5_000
const MINUTE_MS = 60_000

let provider: StrictProvider
const closers: (() => void)[] = []

beforeEach(async () => {
  provider = await createStrictProvider({})
})

afterEach(async () => {
  for (const close of closers.splice(0)) close()
  await provider.close()
})

function registry(
  variables: Readonly<Record<string, string>>,
  { file = {}, ...rest }: Partial<RegistryDeps> & { readonly file?: ConfigFile } = {},
): { readonly models: ModelRegistry; readonly warned: string[] } {
  const warned: string[] = []
  const models = createModelRegistry({
    setups: readSetups(ConfigFile.parse(file), (name) => variables[name]),
    local: [],
    defaultModelId: null,
    demo: createDemoModel({ clock: systemClock, ids: systemIds }),
    windows: { countingFor: (_, told) => told, learn() {} },
    clock: systemClock,
    ports: { ids: systemIds },
    warn: (message, fields) => warned.push(JSON.stringify({ message, ...fields })),
    ...rest,
  })
  closers.push(models.close)
  return { models, warned }
}

/** The local servers, each at another address than its usual one. */
function localAt(urlOf: (setup: ProviderSetup) => string): readonly LocalServer[] {
  const found = localServers([], { limits: HTTP_LIMITS, ollamaHost: null })
  return found.map(({ setup, owner }) => ({ owner, setup: { ...setup, baseUrl: urlOf(setup) } as ProviderSetup }))
}

const ids = (models: ModelRegistry) => models.choices().map(({ modelId }) => modelId)

describe('the models', () => {
  it('[COST3] are the demo alone where nothing is set up', async () => {
    const { models } = registry({})
    await models.ask(LIMIT_MS)
    expect(ids(models)).toEqual(['demo'])
    expect(models.answer()).toMatchObject({
      defaultModelId: 'demo',
      providers: [{ id: 'demo', state: 'ready', models: [{ id: 'demo', price: { reference: 'demo' } }] }],
    })
  })

  it('[WIN8] say of a window that it was learnt from a refusal, and of no other', async () => {
    const countingFor = (modelId: string, told: number | null) => (modelId.endsWith('sonnet-5') ? 8_192 : told)
    const { models } = registry(
      { ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: provider.url },
      { windows: { countingFor, learn() {} } },
    )
    const rows = models.answer().providers.flatMap((one) => one.models)
    const learnt = rows.filter(({ isWindowLearnt }) => isWindowLearnt)
    expect(learnt).toMatchObject([{ id: 'anthropic/claude-sonnet-5', contextWindowTokens: 8_192 }])
    expect(rows.length).toBeGreaterThan(1)
  })

  it('[COST3, COST6] have the prices of the catalog and the windows of the server, and the demo comes last', async () => {
    const { models } = registry({ ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: provider.url })
    // Before anybody was asked the usual ones are there.
    expect(ids(models)[0]).toBe('anthropic/claude-sonnet-5')
    await models.ask(LIMIT_MS)
    expect(ids(models)[0]).toBe('anthropic/claude-opus-5-5')
    expect(ids(models).at(-1)).toBe('demo')
    const [anthropic] = models.answer().providers
    expect(anthropic).toMatchObject({ id: 'anthropic', name: 'Anthropic', state: 'ready', problem: null })
    expect(anthropic?.models[0]).toMatchObject({
      contextWindowTokens: 1_000_000,
      maxOutputTokens: 64_000,
      price: { input: { usdPerMillion: expect.any(Number) }, reference: expect.stringContaining('genai-prices') },
      capabilities: { tools: null },
    })
    // The catalog knows nothing of this one: nothing is made up.
    const unknown = anthropic?.models.find(({ id }) => id.endsWith('/kimi-k2-thinking'))
    expect(unknown).toMatchObject({ contextWindowTokens: 262_144, price: null })
  })

  it('[SEC4] of a provider that refuses the key stay, and it says what is wrong, without the key', async () => {
    const refusing = createServer((request, response) => {
      const key = request.headers['x-api-key']
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: `bad key ${key}` } }),
      )
    })
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const address = refusing.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const key = 'canary-without-the-look-of-a-key'
    const { models, warned } = registry({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url })
    await models.ask(LIMIT_MS)
    const { providers } = models.answer()
    expect(providers[0]).toMatchObject({ state: 'failed', problem: 'The provider answered 401 auth: bad key [key]' })
    expect(providers[0]?.models.length).toBeGreaterThan(0)
    expect(warned).toHaveLength(1)
    const [choice] = models.choices()
    const reading = async () => {
      const request = { ...REQUEST, modelId: choice?.providerModelId ?? '' }
      await choice?.port.stream(request, {
        signal: new AbortController().signal,
        blobs: noBlobs,
        onPart: () => undefined,
      })
    }
    const error = await reading().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'auth', message: 'The provider answered 401 auth: bad key [key]' })
    expect(JSON.stringify([warned, models.answer(), error])).not.toContain(key)
    refusing.close()
  })

  it('[CLI51] say when a list could not be had, ask for it again where somebody looks, and say nothing of it then', async () => {
    const url = provider.addressOf('refused')
    const { models } = registry(
      { ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: url },
      { clock: { ...systemClock, now: () => MINUTE_MS } },
    )
    await models.ask(LIMIT_MS)
    const [failed] = models.answer().providers
    expect(failed).toMatchObject({ name: 'Anthropic', state: 'failed', problemAt: MINUTE_MS })
    const { name, problem, problemAt } = failed ?? expect.unreachable()
    expect(problemLine({ name, problem: problem ?? '', problemAt })).toBe(
      `Anthropic did not list its models when it was asked at 1970-01-01 00:01 UTC: ${problem}`,
    )
  })

  it('[CLI51] are asked for again where somebody looks, and then nothing is wrong any more', async () => {
    let isThere = false
    const late = createServer((_, response) => {
      response.writeHead(isThere ? 200 : 500, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          isThere ? { data: [], has_more: false } : { type: 'error', error: { type: 'api_error', message: 'no' } },
        ),
      )
    })
    await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve))
    closers.push(() => void late.close())
    const address = late.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const { models } = registry({ ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: url })
    await models.ask(LIMIT_MS)
    expect(models.answer().providers[0]).toMatchObject({ state: 'failed' })
    isThere = true
    await models.look(LIMIT_MS)
    expect(models.answer().providers[0]).toMatchObject({ state: 'ready', problem: null })
    expect(models.answer().providers[0]).not.toHaveProperty('problemAt')
  })

  it('[SEC4] of local servers are there where one answers, and nobody else is asked', async () => {
    const local = localAt(({ providerId }) => (providerId === 'ollama' ? provider.url : provider.addressOf('refused')))
    const { models, warned } = registry({}, { local })
    expect(ids(models)).toEqual(['demo'])
    await models.ask(LIMIT_MS)
    expect(models.answer().providers.map(({ id }) => id)).toEqual(['ollama', 'demo'])
    expect(models.choices()[0]?.facts.price?.reference).toBe('local')
    expect(warned).toEqual([])
  })

  it('[SEC4] do not keep the start waiting for a server that says nothing', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const local = localAt(() => baseUrl)
    const { models } = registry({ ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: baseUrl }, { local })
    const startedMs = performance.now()
    await models.ask(50)
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    expect(models.answer().providers.map(({ id, state }) => [id, state])).toEqual([
      ['anthropic', 'asking'],
      ['demo', 'ready'],
    ])
    models.close()
    silent.closeAllConnections()
    silent.close()
  })

  it('[CLI48] are found also where they answer only after the start has gone on', async () => {
    const held = Promise.withResolvers<void>()
    const busy = createServer((_request, response) => {
      void held.promise.then(() =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'llama3.2:3b' }] })),
      )
    })
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    const address = busy.address()
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    const { models } = registry({}, { local: localAt(() => baseUrl) })
    await models.ask(50)
    expect(models.answer().defaultModelId).toBe('demo')
    held.resolve()
    await expect.poll(() => models.answer().defaultModelId).toMatch(/llama3\.2:3b$/)
    models.close()
    busy.closeAllConnections()
    busy.close()
  })

  it('[COST3] of the file say what is known better, and the wanted one answers where none is chosen', async () => {
    const file: ConfigFile = {
      providers: [
        {
          type: 'openai-chat',
          id: 'work',
          baseUrl: 'https://models.example.org',
          models: [
            'plain',
            {
              id: 'known',
              name: 'Known',
              contextWindowTokens: 32_000,
              price: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 },
              tools: true,
            },
          ],
        },
      ],
    }
    const { models } = registry({}, { file, defaultModelId: 'work/unlisted' })
    expect(ids(models)).toEqual(['work/unlisted', 'work/plain', 'work/known', 'demo'])
    const known = models.choices().find(({ modelId }) => modelId === 'work/known')
    expect(known).toMatchObject({
      name: 'Known',
      providerModelId: 'known',
      facts: {
        contextWindowTokens: 32_000,
        maxOutputTokens: null,
        price: { input: { usdPerMillion: 1 }, cacheRead: null, reference: 'override' },
        capabilities: { tools: true, images: null },
      },
    })
  })

  it('[COST6] are told their limit of output, whatever the request leaves open', async () => {
    const models = [{ id: 'gpt-4.1', maxOutputTokens: 1_234 }]
    const chat = { type: 'openai-chat', id: 'work', baseUrl: provider.url, apiKey: CANARY, models } as const
    const { models: known } = registry(
      { ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: provider.url },
      { file: { providers: [chat] } },
    )
    await known.ask(LIMIT_MS)
    provider.otherwise({ parts: [{ type: 'text', text: 'Yes.' }] })
    for (const modelId of ['work/gpt-4.1', 'anthropic/claude-opus-5-5']) {
      const choice = known.choices().find((one) => one.modelId === modelId)
      const request = { ...REQUEST, modelId: choice?.providerModelId ?? '' }
      await choice?.port.stream(request, {
        signal: new AbortController().signal,
        blobs: noBlobs,
        onPart: () => undefined,
      })
    }
    expect(provider.requests.slice(-2).map(({ body }) => body)).toMatchObject([
      { model: 'gpt-4.1', max_tokens: 1_234 },
      { model: 'claude-opus-5-5', max_tokens: 64_000 },
    ])
  })
})

const REQUEST = {
  modelId: '',
  system: '',
  tools: [],
  toolChoice: 'auto',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  maxOutputTokens: null,
  thinkingBudgetTokens: null,
  parameters: {},
  cacheMarks: null,
} as const
