import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPermissionRules } from '@holdfast/tool'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CliError } from '../src/cli-error.ts'
import { readConfigFile } from '../src/config-file.ts'
import { configJsonSchema } from '../src/config-file-schema.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-config-'))
})

afterEach(() => rm(folder, { recursive: true }))

async function read(text: string): Promise<unknown> {
  const path = join(folder, 'config.jsonc')
  await writeFile(path, text)
  return readConfigFile(path)
}

async function refusalOf(text: string): Promise<string> {
  try {
    await read(text)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    expect([error.code, error.exitCode]).toEqual(['E_CONFIG', 2])
    return error.message
  }
  throw new Error('The file was accepted')
}

describe('the configuration file', () => {
  it('[SEC5] is JSON with comments and trailing commas', async () => {
    const provider = { type: 'openai-chat', id: 'vllm', baseUrl: 'http://127.0.0.1:8000', models: ['qwen'] }
    expect(await read(`{ // ours\n "providers": [${JSON.stringify(provider)},], }`)).toEqual({ providers: [provider] })
  })

  it('[SEC5] says in which line it is no JSON', async () => {
    expect(await refusalOf('{\n "providers": [}\n')).toMatch(/config\.jsonc:2 is not JSON/)
  })

  it.each([
    ['{"provider": []}', 'the file: there is no setting "provider"'],
    [
      '{"providers": [{"type": "anthropic", "id": "a", "base_url": "x"}]}',
      'providers.0: there is no setting "base_url"',
    ],
    ['{"providers": [{"type": "antropic", "id": "a"}]}', 'providers.0.type: choose anthropic'],
    [
      '{"providers": [{"type": "google", "id": "A b"}]}',
      'providers.0.id is not of the form that is taken: it has to match',
    ],
    ['{"permissions": {"rules": [{"id": "r", "effect": "maybe", "tool": "*"}]}}', 'permissions.rules.0.effect: '],
    [
      '{"permissions": {"rules": [{"id": "r", "effect": "allow", "tool": "*", "categories": ["read"]}]}}',
      'permissions.rules.0: there is no setting "categories"',
    ],
    [
      '{"permissions": {"hardDenials": [{"id": "r", "effect": "deny", "tool": "*", "category": "reading"}]}}',
      'permissions.hardDenials.0.category: is read, edit, execute, network or other',
    ],
    [
      '{"permissions": {"rules": [{"id": "r", "effect": "ask", "tool": "*", "annotations": {"openworld": true}}]}}',
      'permissions.rules.0.annotations: there is no setting "openworld"',
    ],
    ['{"limits": {"connectMs": -1}}', 'limits.connectMs is too small: give more than 0'],
    ['{"replicas": {"beatMs": 10}}', 'replicas.beatMs is too small: give at least 100'],
    ['{"replicas": {"beatMs": 2000}}', 'replicas: has an "expiryMs" (usual: 3000) that is less than three times'],
    ['{"replicas": {"expiryMs": 2000}}', 'replicas: has an "expiryMs" (usual: 3000) that is less than three times'],
    ['{"settings": {"canvasElements": 0}}', 'line 1: settings.canvasElements: '],
    ['{\n "settings": {\n  "stepsPerTurn": 5}}', 'line 2: settings: there is no setting "stepsPerTurn"'],
    ['{\n "settings": {\n  "thinking": "deep"}}', 'line 3: settings.thinking: '],
    ['[]', 'the file is not an object with fields'],
  ])('[SEC5] with %s is refused with file, place and remedy', async (text, words) => {
    const message = await refusalOf(text)
    expect(message).toContain(join(folder, 'config.jsonc'))
    expect(message).toContain(words)
    expect(message).toContain('Correct the file')
  })

  it('[PERM10] has rules by category and annotation, in the words of the library', async () => {
    const rules = [
      { id: 'one', effect: 'allow', tool: '*', category: 'read' },
      { id: 'several', effect: 'deny', tool: '*', category: ['network', 'other'], annotations: { openWorld: true } },
    ]
    expect(await read(JSON.stringify({ permissions: { rules, hardDenials: rules } }))).toEqual({
      permissions: { rules, hardDenials: rules },
    })
    const call = { name: 'look', input: {} }
    const { permissions } = readConfigFile(join(folder, 'config.jsonc'))
    const decided = createPermissionRules({ defaultPolicy: 'ask', rules: permissions?.rules ?? [] })
    const tool = { name: 'look', description: '', parameters: {}, category: 'read' } as const
    expect(decided.decide(call, tool)).toMatchObject({ effect: 'allow', ruleIds: ['one'] })
    expect(decided.decide(call, { ...tool, category: 'execute' }).effect).toBe('ask')
  })

  it('[SEC4] is refused without a word of what it holds', async () => {
    const canary = 'canary-4f1d9c'
    for (const text of [
      `{"providers": [{"type": "anthropic", "id": "a", "apiKey": {"value": "${canary}"}}]}`,
      `{"providers": [{"type": "anthropic", "id": "${canary}/", "apiKey": "${canary}"}]}`,
      `{"providers": [{"type": "anthropic", "apiKey": "${canary}" `,
    ])
      expect(await refusalOf(text)).not.toContain(canary)
  })

  it('[SEC5] that is not there is refused', () => {
    expect(() => readConfigFile(join(folder, 'none.json'))).toThrow(/none\.json, cannot be read \(ENOENT\)/)
  })

  // After a change: npx holdfast config-schema > apps/holdfast/config.schema.json
  it('[SEC5] has a schema for editors, as it is shipped', async () => {
    const shipped = await readFile(join(import.meta.dirname, '..', 'config.schema.json'), 'utf8')
    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
  })
})
