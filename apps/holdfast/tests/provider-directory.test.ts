import { createServer, type Server } from 'node:http'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { Json, type Records } from '@holdfast/conversation'
import { systemClock, systemIds } from '@holdfast/engine/system'
import { HTTP_LIMITS } from '@holdfast/provider'
import { createDemoModel } from '@holdfast/provider/demo'
import { createSeal } from '@holdfast/server'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createModelRegistry, type ModelRegistry } from '../src/providers/model-registry.ts'
import { createProviderDirectory, type RunningDirectory } from '../src/providers/provider-directory.ts'
import { readSetups } from '../src/providers/read-setups.ts'
import { createStoredProviders } from '../src/providers/stored-providers.ts'
import { createStderrLog } from '../src/stderr-log.ts'

const CANARY = 'sk-canary-5d1a9e-tail'

let provider: StrictProvider
let records: Records
const registries: ModelRegistry[] = []

beforeEach(async () => {
  provider = await createStrictProvider({})
  records = createMemoryStore({ clock: systemClock }).records
})

afterEach(async () => {
  for (const registry of registries.splice(0)) registry.close()
  await provider.close()
})

/** A start of the program with these variables and this key file. */
async function started({
  secret,
  variables,
}: {
  readonly secret: number
  readonly variables: Readonly<Record<string, string>>
}): Promise<{ readonly directory: RunningDirectory; readonly registry: ModelRegistry; readonly warned: string[] }> {
  const warned: string[] = []
  const warn = (message: string, fields: unknown) => void warned.push(JSON.stringify({ message, fields }))
  const registry = createModelRegistry({
    setups: readSetups({}, (name) => variables[name]),
    local: [],
    defaultModelId: null,
    demo: createDemoModel({ clock: systemClock, ids: systemIds }),
    clock: systemClock,
    ports: { ids: systemIds },
    warn,
  })
  registries.push(registry)
  const seal = createSeal(new Uint8Array(32).fill(secret), 'providers')
  const stored = createStoredProviders({ records, seal, clock: systemClock })
  const idsOfFile = new Set<string>()
  const directory = createProviderDirectory({
    stored,
    registry,
    limits: HTTP_LIMITS,
    clock: systemClock,
    idsOfFile,
    warn,
  })
  await directory.refresh()
  return { directory, registry, warned }
}

const ours = () => ({ id: 'work', name: 'Work', type: 'anthropic' as const, baseUrl: provider.url, apiKey: CANARY })

const signal = AbortSignal.timeout(20_000)

test('[SEC4] keeps a key sealed, shows its end and nothing more, and has it again after a start', async () => {
  const { directory, registry } = await started({ secret: 1, variables: {} })
  const added = await directory.add(ours())
  expect(added).toMatchObject({ id: 'work', source: { type: 'stored' }, keyEnding: 'tail', revision: 1 })
  await expect.poll(() => directory.list()[0]?.state).toBe('ready')
  expect(registry.choices().some(({ modelId }) => modelId.startsWith('work/'))).toBe(true)

  const kept: unknown[] = []
  for (const { kind, ownerId, id } of await records.changes(0, 100))
    kept.push(await records.get({ kind, schema: Json }, { ownerId, id }))
  expect(kept).toHaveLength(1)
  expect(JSON.stringify([kept, directory.list(), registry.answer()])).not.toContain(CANARY)

  const again = await started({ secret: 1, variables: {} })
  await expect.poll(() => again.directory.list()[0]?.state).toBe('ready')
  expect(provider.requests.length).toBeGreaterThan(0)
})

test('[SEC4] says that a key is lost where the key file is another, and takes it again', async () => {
  const { directory } = await started({ secret: 1, variables: {} })
  await directory.add(ours())
  const other = await started({ secret: 2, variables: {} })
  expect(other.directory.list()).toMatchObject([{ id: 'work', state: 'failed', keyEnding: null }])
  expect(other.registry.choices().map(({ modelId }) => modelId)).toEqual(['demo'])
  expect(other.warned.join()).not.toContain(CANARY)
  await other.directory.change('work', { revision: 1, apiKey: CANARY })
  await expect.poll(() => other.directory.list()[0]?.state).toBe('ready')
})

test('[SEC4] sends a key to no other address than the one it was given for', async () => {
  const { directory } = await started({ secret: 1, variables: {} })
  await directory.add(ours())
  const elsewhere = 'http://127.0.0.1:9'
  await expect(directory.change('work', { revision: 1, baseUrl: elsewhere })).rejects.toMatchObject({ status: 422 })
  await expect(directory.change('work', { revision: 7, name: 'Late' })).rejects.toMatchObject({ status: 409 })
  await directory.change('work', { revision: 1, baseUrl: elsewhere, apiKey: 'another-key-of-mine' })
  expect(directory.list()[0]).toMatchObject({ baseUrl: elsewhere, revision: 2 })
})

test('[SEC4] leaves what the operator set up to the operator, and says where it is from', async () => {
  const variables = { ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: provider.url }
  const { directory } = await started({ secret: 1, variables })
  expect(directory.list()).toMatchObject([
    {
      id: 'anthropic',
      source: { type: 'environment', variable: 'ANTHROPIC_API_KEY' },
      keyEnding: 'tail',
      revision: null,
    },
  ])
  await expect(directory.add({ ...ours(), id: 'anthropic' })).rejects.toMatchObject({ code: 'conflict' })
  await expect(directory.remove('anthropic')).rejects.toMatchObject({ code: 'provider-not-stored' })
  await expect(directory.remove('nobody')).rejects.toMatchObject({ code: 'unknown-provider' })
})

test('[SEC4] takes a provider out, here and where others stored it', async () => {
  const first = await started({ secret: 1, variables: {} })
  const second = await started({ secret: 1, variables: {} })
  await first.directory.add(ours())
  expect(second.directory.list()).toEqual([])
  await second.directory.refresh()
  expect(second.directory.list()).toMatchObject([{ id: 'work' }])
  await first.directory.remove('work')
  await second.directory.refresh()
  expect([first.directory.list(), second.directory.list()]).toEqual([[], []])
  expect(second.registry.choices().map(({ modelId }) => modelId)).toEqual(['demo'])
})

test('[SEC4] a test asks for models, words and a tool call, and says what each was', async () => {
  const { directory } = await started({ secret: 1, variables: {} })
  await directory.add(ours())
  await expect.poll(() => directory.list()[0]?.state).toBe('ready')
  provider.script(
    { parts: [{ type: 'text', text: 'ready' }] },
    { parts: [{ type: 'tool-call', name: 'ping', input: { word: 'ready' } }] },
  )
  const found = await directory.test('work', signal)
  expect(found).toMatchObject({ models: 'ok', streaming: 'ok', tools: 'ok', problem: null })
  expect(found.modelCount).toBeGreaterThan(0)
  expect(found.latencyMs).toBeGreaterThanOrEqual(0)
  provider.script(
    { parts: [{ type: 'text', text: 'ready' }] },
    { parts: [{ type: 'text', text: 'I would rather not' }] },
  )
  expect(await directory.test('work', signal)).toMatchObject({ streaming: 'ok', tools: 'failed' })
})

test('[SEC4] a test of a provider that refuses the key repeats what it said, without the key', async () => {
  const { server, url } = await refusing()
  try {
    const { directory } = await started({ secret: 1, variables: {} })
    await directory.add({ ...ours(), baseUrl: url })
    const found = await directory.test('work', signal)
    expect(found).toMatchObject({ models: 'failed', streaming: 'skipped', tools: 'skipped', latencyMs: null })
    expect(found.problem).toContain('401')
    expect(JSON.stringify([found, directory.list()])).not.toContain(CANARY)
  } finally {
    server.close()
  }
})

/** A provider that says the key back in its refusal. */
async function refusing(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    const message = `bad key ${String(request.headers['x-api-key'])}`
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ type: 'error', error: { type: 'authentication_error', message } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` }
}

test('[SEC4] a stored key that a provider repeats in its error is in no line of the log', async () => {
  const { directory } = await started({ secret: 1, variables: {} })
  await directory.add(ours())
  const written: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    written.push(String(line))
    return true
  })
  try {
    const log = createStderrLog({ level: 'info', secrets: directory.secrets })
    log.error('a run failed', { error: new Error(`Invalid key ${CANARY} of the account`) })
  } finally {
    write.mockRestore()
  }
  expect(written.join('')).toContain('Invalid key [hidden] of the account')
  expect(written.join('')).not.toContain(CANARY)
  await directory.remove('work')
  expect(directory.secrets()).toEqual([])
})
