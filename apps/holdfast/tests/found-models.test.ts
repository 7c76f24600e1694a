import { createServer, type Server } from 'node:http'
import { systemClock, systemIds } from '@holdfast/engine/system'
import type { ProviderSetting } from '@holdfast/protocol'
import { HTTP_LIMITS } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import { afterEach, expect, test } from 'vitest'
import { localServers } from '../src/providers/detect-local.ts'
import { createModelRegistry, type ModelRegistry } from '../src/providers/model-registry.ts'
import { readSetups } from '../src/providers/read-setups.ts'
import { foundWords } from '../src/serving/found-words.ts'

const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** The addresses that are looked at, by what would be there. */
function places(variables: Readonly<Record<string, string>>, ollamaHost: string | null): Record<string, string | null> {
  const setups = readSetups({}, (name) => variables[name])
  const servers = localServers(setups, { limits: HTTP_LIMITS, ollamaHost })
  return Object.fromEntries(servers.map(({ setup }) => [setup.providerId, setup.baseUrl]))
}

/** A program of this machine that answers every question with the same JSON. */
async function listening(answer: unknown): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, asked }
}

/** What is found where every usual place is that program. */
async function foundAt(url: string): Promise<readonly string[]> {
  const local = localServers([], { limits: HTTP_LIMITS, ollamaHost: null }).map(({ setup, owner }) => {
    if (setup.type !== 'openai-chat') throw new Error('a local server speaks Chat Completions')
    return { owner, setup: { ...setup, baseUrl: url } }
  })
  const models: ModelRegistry = createModelRegistry({
    setups: [],
    local,
    defaultModelId: null,
    demo: createDemoModel({ clock: systemClock, ids: systemIds }),
    windows: { countingFor: (_, told) => told, learn() {} },
    clock: systemClock,
    ports: { ids: systemIds },
    warn: (message) => {
      throw new Error(message)
    },
  })
  closers.push(models.close)
  await models.ask(5_000)
  return models.providers().map(({ setup }) => setup.providerId)
}

test('[CLI36] looks for four servers at their usual ports of this machine, and for Ollama where its variable has it', () => {
  const usual = {
    ollama: 'http://127.0.0.1:11434',
    'lm-studio': 'http://127.0.0.1:1234',
    'llama-cpp': 'http://127.0.0.1:8080',
    vllm: 'http://127.0.0.1:8000',
  }
  expect(places({}, null)).toEqual(usual)
  expect(places({}, '0.0.0.0')).toEqual(usual)
  expect(places({}, '[::]:11434')).toEqual(usual)
  expect(places({}, '127.0.0.1:11500')).toEqual({ ...usual, ollama: 'http://127.0.0.1:11500' })
  expect(places({}, 'http://localhost:11500/')).toEqual({ ...usual, ollama: 'http://localhost:11500' })
})

test('[CLI36] looks at no other machine, whatever the variable says', () => {
  for (const host of [
    '192.168.1.20',
    'http://models.example.org:11434',
    'example.org',
    '10.0.0.1:11434',
    '::nonsense::',
    ' ',
  ])
    expect(places({}, host)['ollama'], host).toBe('http://127.0.0.1:11434')
})

test('[CLI36] a server that the operator set up at such a place is found once', () => {
  expect(places({ OPENAI_BASE_URL: 'http://localhost:8000/v1' }, null)).not.toHaveProperty('vllm')
  expect(places({ OPENAI_BASE_URL: 'http://models.example.org:8000/v1' }, null)).toHaveProperty('vllm')
})

test('[CLI36] another program at the port of llama.cpp or vLLM is not taken for one', async () => {
  const other = await listening({ data: [{ id: 'users' }, { id: 'orders', owned_by: 'somebody' }] })
  expect(await foundAt(other.url)).toEqual(['ollama', 'lm-studio'])
  const nothing = await listening({ hello: 'world' })
  expect(await foundAt(nothing.url)).toEqual(['ollama', 'lm-studio'])
  const llama = await listening({ data: [{ id: 'qwen3', owned_by: 'llamacpp' }] })
  expect(await foundAt(llama.url)).toContain('llama-cpp')
  const vllm = await listening({ data: [{ id: 'qwen3', owned_by: 'vllm' }] })
  expect(await foundAt(vllm.url)).toContain('vllm')
})

test('[CLI36] the lines of the start say what was found and who answers', () => {
  const found = setting({ id: 'ollama', name: 'Ollama', source: { type: 'found' }, modelCount: 3 })
  const empty = setting({ id: 'lm-studio', name: 'LM Studio', source: { type: 'found' }, modelCount: 0 })
  const key = setting({ id: 'anthropic', source: { type: 'environment', variable: 'ANTHROPIC_API_KEY' } })
  expect(foundWords([key, found, empty], { defaultModelId: 'anthropic/claude-opus-5-5' })).toBe(
    'Found: ANTHROPIC_API_KEY in the environment · Ollama with 3 models · LM Studio without a model\n' +
      'anthropic/claude-opus-5-5 answers in new conversations.\n',
  )
  expect(foundWords([], { defaultModelId: 'demo' })).toMatch(
    /^Found: no server of models on this computer, no key\nThe demo model answers/,
  )
})

function setting(told: Partial<ProviderSetting>): ProviderSetting {
  return {
    id: '',
    name: '',
    type: 'openai-chat',
    server: null,
    baseUrl: null,
    region: null,
    contextWindowTokens: null,
    keyEnding: null,
    source: { type: 'stored' },
    state: 'ready',
    problem: null,
    modelCount: 0,
    revision: null,
    ...told,
  }
}
