import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { converse } from './support/agent.ts'
import { type Program, startProgram } from './support/program.ts'

let dataDir: string
let provider: StrictProvider
let program: Program

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-begun-'))
  provider = await createStrictProvider({})
  program = await startProgram(dataDir, {})
})

afterEach(async () => {
  await program.stop()
  await provider.close()
  await rm(dataDir, { recursive: true })
})

function asked(): readonly string[] {
  return provider.requests.map(({ path }) => path).filter((path) => path.includes('/messages'))
}

test('[UI34] a conversation begun on the demo sends nothing to a provider that is connected later, until a person chooses its model', async () => {
  const person = await converse(program)
  await person.say('/demo error overloaded')
  await person.ended(1)
  const body = { id: 'later', type: 'anthropic', baseUrl: provider.url, apiKey: 'sk-ant-canary-later' }
  await program.call('POST', '/providers', body)
  const models = async () => JSON.stringify(await program.call('GET', '/models'))
  await expect.poll(models, { timeout: 15_000 }).toMatch(/"defaultModelId":"later[/]/)

  await person.say('What did I say?')
  await person.ended(2)
  const steps = (await person.log()).filter(({ type }) => type === 'step-started')
  expect(new Set(steps.map((step) => step['modelId']))).toEqual(new Set(['demo']))
  expect(asked()).toEqual([])

  const other = await converse(program)
  await other.say('And here?')
  await other.ended(1)
  expect(asked()).not.toEqual([])

  const before = asked().length
  const { defaultModelId } = JSON.parse(await models())
  await person.change({ modelId: defaultModelId })
  await person.say('And now?')
  await person.ended(3)
  expect(asked().length).toBeGreaterThan(before)
}, 60_000)
