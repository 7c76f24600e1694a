import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type AgentsWorld, OTHER_GEMINI, openAgentsWorld } from './agents/agents-world.ts'
import { compareBill } from './agents/bill.ts'
import { inTurn } from './agents/in-turn.ts'
import { installAgents } from './agents/install-agents.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 480_000 })

let bin = ''
let world: AgentsWorld | null = null

beforeAll(async () => {
  bin = await installAgents('two')
})

afterEach(async () => {
  await world?.close()
  world = null
})

const says = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

const Choices = z.object({
  payers: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  paidBy: z.string(),
  usualPayer: z.string(),
  modes: z.array(z.object({ id: z.string(), asksFirst: z.boolean() })).nullable(),
  askMode: z.string().nullable(),
  models: z.array(z.object({ id: z.string(), takesImages: z.boolean().nullable() })),
  usualModel: z.string().nullable(),
  takesImages: z.boolean().nullable(),
  problem: z.string().nullable(),
})

async function choicesOf({ program }: AgentsWorld, agent: string, query: string) {
  return Choices.parse(await program.call('GET', `/external-agents/${agent}/choices${query}`))
}

/** A picture of 64 times 64 pixels, all red. */
const RED =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAeUlEQVR4nO3PQQkAMAzAwCqpfymTNRF7HINABFzm7H7dcEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFj13Kp0DxHeM4GQAAAABJRU5ErkJggg=='

const AGENTS = [
  ['opencode', { other: 'plan', model: 'holdfast-openai-responses/gpt-5.2', provider: 'openai' }],
  ['gemini', { other: 'plan', model: OTHER_GEMINI, provider: 'google' }],
] as const

test.each(inTurn(AGENTS, 1))(
  '[AGENT51, AGENT55] %s tells what it offers, works in the mode and model that a person chose, also after a kill -9, and all of it is paid here',
  async (agent, { other, model, provider: payer }) => {
    world = await openAgentsWorld(bin, says('Done.'))
    const { provider } = world
    const found = await choicesOf(world, agent, '')
    expect(found).toMatchObject({ paidBy: 'providers', usualPayer: 'providers', problem: null, takesImages: true })
    expect(found.modes?.map(({ id }) => id)).toContain(other)
    expect(found.modes?.find(({ id }) => id === found.askMode)).toMatchObject({ asksFirst: true })
    expect(found.models.map(({ id }) => id)).toContain(model)
    expect(found.usualModel).not.toBe(model)
    expect(provider.requests.filter(({ operation }) => operation === 'generate' || operation === 'stream')).toEqual([])
    expect(await world.agentPids()).toEqual([])

    const talk = await world.open(`external:${agent}`)
    expect(await talk.turn('Say done.')).toMatchObject({ outcome: 'completed' })
    await talk.change({ externalMode: other, externalModel: model })
    expect(await talk.turn('Say it again.')).toMatchObject({ outcome: 'completed' })
    expect(modelsAsked(provider.requests, 'Say it again.')).toEqual([model.split('/').at(-1)])
    await world.killAndStart()
    expect(await talk.turn('And once more.')).toMatchObject({ outcome: 'completed' })
    expect(modelsAsked(provider.requests, 'And once more.')).toEqual([model.split('/').at(-1)])
    // Who pays is one provider now; its first model is taken.
    await talk.change({ paidBy: `provider:${payer}`, externalModel: null })
    expect(await talk.turn('And the last.')).toMatchObject({ outcome: 'completed' })
    const log = await talk.entries()
    const codes = log.flatMap((entry) => (entry.type === 'notice-raised' ? [entry['code']] : []))
    expect(codes).not.toContain('external-agent-mode')
    const payers = log.flatMap((entry) =>
      entry.type === 'usage-recorded' && entry['purpose'] === 'gateway' ? [entry['providerId']] : [],
    )
    expect(payers.at(-1)).toBe(payer)
    expect(await compareBill(provider, [log])).toMatchObject({ past: 0, differing: [], doubled: 0 })

    await talk.change({ externalModel: 'elsewhere' })
    expect(await talk.turn('Not at all.')).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('not one that is paid for here'),
    })
    await talk.change({ paidBy: 'provider:gone', externalModel: null })
    expect(await talk.turn('Not either.')).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('is not set up any more'),
    })
  },
)

test.each(inTurn(AGENTS, 0))(
  '[AGENT49] %s gets a picture as one, the words of a file as words, and a PDF',
  async (agent) => {
    world = await openAgentsWorld(bin, says('I see.'))
    const { provider } = world
    const talk = await world.open(`external:${agent}`)
    const files = [
      { name: 'red.png', type: 'image/png', content: Buffer.from(RED, 'base64') },
      { name: 'a.txt', type: 'text/plain', content: Buffer.from('the word is quince') },
      { name: 'p.pdf', type: 'application/pdf', content: Buffer.from(PDF) },
    ]
    const before = provider.requests.length
    const end = await talk.sendWith(files, 'What is this?')
    expect(end).toMatchObject({ outcome: 'completed' })
    const asked = provider.requests
      .slice(before)
      .map(({ rawBody }) => Buffer.from(rawBody).toString('utf8'))
      .join('\n')
    expect(asked).toContain('the word is quince')
    expect(asked).toContain(Buffer.from(PDF).toString('base64'))
    expect(asked).toMatch(/"(?:media_type|mimeType|mime_type)":"image\/(?:png|jpeg)"|data:image\/png/)
  },
)

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

/** The models of the requests with these words, each once. A title that an agent makes of an earlier turn has its own. */
function modelsAsked(requests: AgentsWorld['provider']['requests'], words: string): readonly unknown[] {
  const asked = requests.filter(({ rawBody }) => Buffer.from(rawBody).includes(words))
  return [...new Set(asked.map(({ model }) => model))]
}
