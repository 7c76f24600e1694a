import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFaultReply, createStrictProvider, faultNamed, type StrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Program, startProgram } from './support/program.ts'

const CANARY = 'sk-canary-77aa01c4'

let dataDir: string
let provider: StrictProvider
let program: Program | null = null

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-providers-'))
  provider = await createStrictProvider({})
})

afterEach(async () => {
  await program?.stop()
  program = null
  await provider.close()
  await rm(dataDir, { recursive: true })
})

const Created = z.object({ id: z.string(), state: z.string() })
const Page = z.object({ entries: z.array(z.looseObject({ type: z.string() })) })

/** Sends one message and reads the whole log once the run is over. */
async function askOnce({ call }: Program): Promise<readonly z.infer<typeof Page>['entries'][number][]> {
  const { id } = Created.parse(await call('POST', '/conversations', { commandId: 'command_1' }))
  const content = [{ type: 'text', text: 'What do you say?' }]
  await call('POST', `/conversations/${id}/inputs`, { commandId: 'command_2', content })
  for (;;) {
    const { entries } = Page.parse(await call('GET', `/conversations/${id}/entries?after=0&limit=200`))
    if (entries.some(({ type }) => type === 'run-finished')) return entries
  }
}

const RESPONSES = (url: string) => ({
  defaultModelId: 'openai/gpt-5.2',
  providers: [{ type: 'openai-responses', id: 'openai', baseUrl: url, apiKeyEnv: 'WORK_KEY' }],
})
const BEDROCK = {
  defaultModelId: 'bedrock/anthropic.claude-sonnet-4-5-v1:0',
}
const GOOGLE = { defaultModelId: 'google/gemini-3-pro' }

interface Case {
  readonly name: string
  readonly format: string
  readonly variables: (url: string) => Readonly<Record<string, string>>
  readonly file: ((url: string) => unknown) | null
  readonly modelId: RegExp
  /** Where the price is from; null where the catalog does not know the model, and nothing is made up. */
  readonly price: RegExp | null
}

const CASES: readonly Case[] = [
  {
    name: 'ANTHROPIC_BASE_URL',
    format: 'anthropic',
    variables: (url) => ({ ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: url }),
    file: null,
    modelId: /^anthropic\/claude-opus-5-5$/,
    price: /^genai-prices/,
  },
  {
    name: 'OPENAI_BASE_URL',
    format: 'openai-chat',
    variables: (url) => ({ OPENAI_API_KEY: CANARY, OPENAI_BASE_URL: `${url}/v1/` }),
    file: null,
    modelId: /^openai\//,
    price: /^local$/,
  },
  {
    name: 'HOLDFAST_CONFIG with Responses',
    format: 'openai-responses',
    variables: () => ({ WORK_KEY: CANARY }),
    file: RESPONSES,
    modelId: /^openai\/gpt-5\.2$/,
    price: /^genai-prices/,
  },
  {
    name: 'GOOGLE_GENERATIVE_AI_API_KEY',
    format: 'gemini',
    variables: (url) => ({ GOOGLE_GENERATIVE_AI_API_KEY: CANARY, GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta` }),
    file: () => GOOGLE,
    modelId: /^google\/gemini-3-pro$/,
    price: null,
  },
  {
    name: 'BEDROCK_BASE_URL and AWS keys',
    format: 'bedrock-claude',
    variables: (url) => ({
      AWS_ACCESS_KEY_ID: 'AKIACANARYCANARY',
      AWS_SECRET_ACCESS_KEY: CANARY,
      AWS_REGION: 'eu-west-1',
      BEDROCK_BASE_URL: url,
    }),
    file: () => BEDROCK,
    modelId: /^bedrock\/anthropic\.claude-sonnet-4-5-v1:0$/,
    price: null,
  },
]

describe('the program', () => {
  it.each(CASES)(
    '[COST1, COST3, SEC4] answers by the model of $name; the ledger has it measured and priced',
    async (one) => {
      provider.otherwise({ parts: [{ type: 'text', text: 'I say yes.' }] })
      const path = join(dataDir, 'config.json')
      if (one.file) await writeFile(path, JSON.stringify(one.file(provider.url)))
      program = await startProgram(dataDir, {
        ...one.variables(provider.url),
        ...(one.file ? { HOLDFAST_CONFIG: path } : {}),
      })
      const models = await program.call('GET', '/models')
      const entries = await askOnce(program)
      expect(entries.find(({ type }) => type === 'step-finished')).toMatchObject({
        blocks: [{ type: 'text', text: 'I say yes.' }],
      })
      const asked = provider.requests.find(({ operation }) => operation === 'stream')
      expect(asked).toMatchObject({ format: one.format, status: 200, violations: [] })
      expect(entries.find(({ type }) => type === 'usage-recorded')).toMatchObject({
        modelId: expect.stringMatching(one.modelId),
        inputTokens: asked?.usage?.inputTokens,
        outputTokens: asked?.usage?.outputTokens,
        measured: true,
        priceReference: expect.stringMatching(one.price ?? /^unknown$/),
        costUsd: one.price ? expect.any(Number) : null,
      })
      expect(await program.stop()).toBe(0)
      expect(JSON.stringify([models, entries]) + program.output()).not.toContain('anary')
    },
  )

  it('[SEC4] says why a provider refuses, and nothing of the key', async () => {
    provider.otherwise(createFaultReply(faultNamed('status-401-auth'), 'before-first-event'))
    program = await startProgram(dataDir, { ANTHROPIC_API_KEY: CANARY, ANTHROPIC_BASE_URL: provider.url })
    const entries = await askOnce(program)
    expect(entries.find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'failed' })
    expect(entries.find(({ type }) => type === 'step-failed')).toMatchObject({ error: { code: 'auth' } })
    expect(JSON.stringify([entries, await program.call('GET', '/models')]) + program.output()).not.toContain('anary')
  })

  it('[SEC5] does not start with a file that says something that does not exist', async () => {
    const path = join(dataDir, 'config.json')
    await writeFile(path, '{"provider": []}')
    await expect(startProgram(dataDir, { HOLDFAST_CONFIG: path })).rejects.toThrow(
      /ended with 2: .*config\.json cannot be used:\n.*no setting "provider"[\s\S]*E_CONFIG/,
    )
  })
})
