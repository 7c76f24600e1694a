import { readdir, readFile } from 'node:fs/promises'
import type { Scripted } from '@holdfast/conformance'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type AgentsWorld, openAgentsWorld, type TestedConversation } from './agents/agents-world.ts'
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

const says = (text: string): Scripted => ({ parts: [{ type: 'text', text }] })

const Memories = z.object({ memories: z.array(z.object({ memoryId: z.string(), text: z.string() })) })

const Settled = z.tuple([z.looseObject({ content: z.tuple([z.looseObject({ text: z.string() })]) })]).rest(z.unknown())
const Element = z.object({ id: z.string().min(1), version: z.number() })

async function memories(): Promise<z.infer<typeof Memories>['memories']> {
  return Memories.parse(await world?.program.call('GET', '/memories')).memories
}

/** Has the model call a house tool, by the name that the agent offers it under, at the first request that says `words`. */
function callsWhen(words: string, tool: string, input: Record<string, string>): void {
  let isCalled = false
  const offered = (body: unknown): string | undefined =>
    new RegExp(`"([a-z_]*holdfast_${tool})"`).exec(JSON.stringify(body))?.[1]
  world?.provider.when(
    ({ body }) => !isCalled && JSON.stringify(body).includes(words) && offered(body) !== undefined,
    ({ body }) => {
      isCalled = true
      return { parts: [{ type: 'tool-call', name: offered(body) ?? tool, input }] }
    },
  )
}

async function calls(talk: TestedConversation): Promise<readonly unknown[]> {
  return (await talk.ofType('tool-call-settled')).map(({ name, outcome }) => [name, outcome])
}

async function decide(talk: TestedConversation, decision: 'allow' | 'deny'): Promise<void> {
  const requestId = (await talk.ofType('permission-requested')).at(-1)?.['requestId']
  const body = { commandId: `decide-${Math.random()}`, decision, scope: 'call' }
  await world?.program.call('POST', `/conversations/${talk.id}/permissions/${String(requestId)}`, body)
}

/** Processes with a variable that begins so. */
async function pidsWith(variable: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')))
  return pids.filter((_, at) => environments[at]?.split('\0').some((one) => one.startsWith(variable)))
}

const AGENTS = ['opencode', 'gemini']

test.each(inTurn(AGENTS, 0))(
  '[AGENT41, AGENT42, AGENT44] %s draws on the canvas, keeps a memory and knows one, each as one call of ours',
  async (agent) => {
    world = await openAgentsWorld(bin, says('It is done.'))
    const { provider, program } = world
    await program.call('POST', '/memories', { text: 'The user grows quinces.' })
    const talk = await world.open(`external:${agent}`)
    callsWhen('Draw the harvest', 'canvas_add_card', { title: 'Harvest', figure: '42 kg' })
    callsWhen('Keep it', 'memory_save', { text: 'The user picks in October.' })

    expect(await talk.turn('Draw the harvest.')).toMatchObject({ outcome: 'completed' })
    expect(await talk.turn('Keep it.')).toMatchObject({ outcome: 'completed' })
    expect(await calls(talk)).toEqual([
      ['canvas_add_card', 'ok'],
      ['memory_save', 'ok'],
    ])
    expect(await talk.ofType('permission-requested')).toEqual([])
    expect((await talk.ofType('notice-raised')).map(({ code }) => code)).not.toContain('external-agent-tools')
    expect(await talk.ofType('canvas-changed')).toHaveLength(1)
    expect((await memories()).map(({ text }) => text)).toContain('The user picks in October.')
    const said = provider.requests.map(({ rawBody }) => rawBody.toString())
    const first = said.find((body) => body.includes('Draw the harvest'))
    expect(first).toContain('The user grows quinces.')
    // The agent is told what came of its call, and the next turn what stands on the canvas.
    const [
      {
        content: [answer],
      },
    ] = Settled.parse(await talk.ofType('tool-call-settled'))
    const { id } = Element.parse(JSON.parse(answer.text))
    expect(said.some((body) => body.includes(id) && !body.includes('Keep it'))).toBe(true)
    expect(said.find((body) => body.includes('Keep it'))).toContain('Harvest')
    expect(await compareBill(provider, [await talk.entries()])).toMatchObject({ past: 0, differing: [], doubled: 0 })
  },
)

test.each(inTurn(AGENTS, 1))(
  '[AGENT42, AGENT43] %s asks once, in our card; a yes runs the call, a stop and a kill -9 of Holdfast leave it settled',
  async (agent) => {
    world = await openAgentsWorld(bin, says('It is done.'))
    for (const text of ['One fact.', 'Another fact.', 'A third fact.'])
      await world.program.call('POST', '/memories', { text })
    const [one, another, third] = await memories()
    const talk = await world.open(`external:${agent}`)

    callsWhen('Forget one', 'memory_delete', { id: one?.memoryId ?? '' })
    await talk.send('Forget one.')
    await talk.until('permission-requested', 1)
    await decide(talk, 'allow')
    expect(await talk.turnEnd(1)).toMatchObject({ outcome: 'completed' })
    expect(await calls(talk)).toEqual([['memory_delete', 'ok']])
    expect((await memories()).map(({ memoryId }) => memoryId)).not.toContain(one?.memoryId)

    callsWhen('Forget another', 'memory_delete', { id: another?.memoryId ?? '' })
    await talk.send('Forget another.')
    await talk.until('permission-requested', 2)
    await talk.stop()
    expect(await talk.turnEnd(2)).toMatchObject({ outcome: 'stopped' })
    expect((await calls(talk)).at(-1)).toEqual(['memory_delete', 'not-started'])

    callsWhen('Forget a third', 'memory_delete', { id: third?.memoryId ?? '' })
    await talk.send('Forget a third.')
    await talk.until('permission-requested', 3)
    await world.killAndStart()
    await decide(talk, 'allow')
    expect(await talk.turnEnd(3)).toMatchObject({ outcome: 'completed' })
    expect((await calls(talk)).at(-1)).toEqual(['memory_delete', 'ok'])
    expect((await memories()).map(({ memoryId }) => memoryId)).toEqual([another?.memoryId])
    expect(await talk.ofType('permission-requested')).toHaveLength(3)
    expect(await talk.turn('Go on.')).toMatchObject({ outcome: 'completed' })
  },
)

test('[AGENT41] an agent that speaks MCP over pipes alone is led to them by a program of ours, which ends with it', async () => {
  world = await openAgentsWorld(bin, says('It is done.'))
  const talk = await world.open('external:piped')
  await talk.turn('CALL canvas_add_card {"title":"Piped"}')
  expect(await talk.answers()).toMatch(/^\d+ tools; done: \{"id"/)
  expect(await calls(talk)).toEqual([['canvas_add_card', 'ok']])
  await talk.turn('CALL canvas_add_card {"title":7}')
  expect(await talk.answers()).toContain('failed: ')
  const door = `HOLDFAST_HOUSE_URL=${world.program.url}/`
  expect(await pidsWith(door)).toHaveLength(1)
  await world.killAndStart()
  expect(await pidsWith(door)).toEqual([])
  await talk.turn('CALL memory_list {}')
  expect(await talk.answers()).toContain('done: Nothing is remembered')
})
