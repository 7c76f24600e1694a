import { afterEach, describe, expect, it } from 'vitest'
import type { BenchOptions } from './support/agent-bench.ts'
import { type HouseBench, openHouseBench } from './support/house-bench.ts'

let bench: HouseBench | null = null

const ALLOW: NonNullable<BenchOptions['rules']> = [{ id: 'harmless', effect: 'allow', tool: 'canvas_add_card' }]
const CARD = 'canvas_add_card {"title":"A"}'
const OTHER = 'canvas_add_card {"title":"B"}'

async function open(options: BenchOptions): Promise<HouseBench> {
  bench = await openHouseBench({ rules: ALLOW, ...options })
  return bench
}

async function answer(decision: 'allow' | 'deny'): Promise<void> {
  if (bench === null) throw new Error('No bench is open')
  const requests = await bench.ofType('permission-requested')
  await bench.engine.answerPermission({
    commandId: decision,
    actor: { type: 'person', userId: 'user_1' },
    conversationId: bench.conversationId,
    requestId: requests.at(-1)?.requestId ?? '',
    decision,
    scope: 'call',
  })
}

afterEach(async () => {
  expect(bench?.faults ?? []).toEqual([])
  await bench?.close()
  bench = null
})

describe('an external agent with house tools', () => {
  it.each([
    ['over HTTP where it takes that', ['http'], { type: 'http', name: 'holdfast', url: expect.any(String) }],
    ['over the pipes of a program where it does not', [], { name: 'holdfast', command: 'holdfast' }],
  ])('[AGENT41] is offered them %s', async (_, flags, server) => {
    const { turn, record } = await open({ flags })
    await turn('say Hi.')
    const told = record().find((line) => line.startsWith('servers '))
    expect(JSON.parse(told?.slice(8) ?? '')).toEqual([expect.objectContaining(server)])
  })

  it('[AGENT41] is said not to have taken them, once, with what helps', async () => {
    const { turn, ofType, agents, conversationId } = await open({ agent: { id: 'gemini' }, agentId: 'external:gemini' })
    await turn('say Hi.')
    await turn('say Hi again.')
    await bench?.until('notice-raised', 1)
    const said = (await ofType('notice-raised')).filter(({ code }) => code === 'external-agent-tools')
    expect(said.map(({ text }) => text)).toEqual([expect.stringContaining('folders that it trusts')])
    expect(agents.house.definitionsOf(conversationId).map(({ name }) => name)).toEqual([
      'canvas_add_card',
      'memory_save',
    ])
  })

  it('[AGENT41, AGENT42] calls one as one call of the log, by its real name, and is told what came of it', async () => {
    const { turn, ofType, drawn, record, answers } = await open({})
    await turn(`say I draw.\nhouse 1 holdfast_canvas_add_card ${CARD}\nsay Drawn.`)
    const started = await ofType('tool-call-started')
    expect(started).toMatchObject([{ name: 'canvas_add_card', input: { title: 'A' } }])
    expect(started[0]?.decision).toMatchObject({ source: 'allow-rule', ruleIds: ['harmless'] })
    expect(await ofType('tool-call-settled')).toMatchObject([
      { name: 'canvas_add_card', outcome: 'ok', content: [{ type: 'text', text: 'card 1' }] },
    ])
    expect(drawn).toEqual([{ title: 'A' }])
    expect(record()).toContain('house canvas_add_card {"text":"card 1","isError":false}')
    expect(await answers()).toBe('I draw.Drawn.')
  })

  it('[AGENT42] writes each of several calls at once, and none that is told of as well', async () => {
    const { turn, ofType, drawn } = await open({})
    const both = [`1 holdfast_canvas_add_card ${CARD}`, `2 mcp__holdfast__canvas_add_card ${OTHER}`]
    await turn(`house-together ${both.join(' & ')}\nhouse-quiet ${CARD}\nsay Drawn.`)
    expect((await ofType('tool-call-settled')).map(({ name, outcome }) => [name, outcome])).toEqual(
      Array.from({ length: 3 }, () => ['canvas_add_card', 'ok']),
    )
    expect(drawn).toHaveLength(3)
  })

  it('[AGENT42] asks the person once, with its own tool, and not about what a known agent asks itself', async () => {
    const { send, until, ofType, record, drawn } = await open({
      rules: [],
      agent: { id: 'gemini' },
      agentId: 'external:gemini',
    })
    await send(`house-asks 1 canvas_add_card~(holdfast~MCP~Server) ${CARD}\nsay Drawn.`)
    await until('permission-requested', 1)
    expect(record()).toContain('answer yes')
    expect(drawn).toEqual([])
    await answer('allow')
    await until('run-finished', 1)
    expect((await ofType('tool-call-settled')).map(({ name }) => name)).toEqual(['canvas_add_card'])
    expect(await ofType('permission-requested')).toHaveLength(1)
    expect(drawn).toEqual([{ title: 'A' }])
  })

  it('[AGENT42] asks once about a call of Codex, which tells of it as of a command, and asks about a command of that name', async () => {
    const { send, until, ofType, record, drawn } = await open({
      rules: [],
      agent: { id: 'codex' },
      agentId: 'external:codex',
    })
    await send(`house-codex 1 mcp.holdfast.canvas_add_card ${CARD}\nsay Drawn.`)
    await until('permission-requested', 1)
    expect(record()).toContain('answer yes')
    await answer('allow')
    await until('run-finished', 1)
    expect((await ofType('tool-call-settled')).map(({ name }) => name)).toEqual(['canvas_add_card'])
    expect(await ofType('permission-requested')).toHaveLength(1)
    expect(drawn).toEqual([{ title: 'A' }])

    await send('ask 2 execute mcp.holdfast.canvas_add_card')
    await until('permission-requested', 2)
    expect((await ofType('permission-requested')).at(-1)).toMatchObject({ tool: 'agent_execute' })
    await answer('deny')
    await until('run-finished', 2)
  })

  it('[AGENT42] asks about a call of an agent that is not known, for its title may be anybody’s words', async () => {
    const { send, until, ofType, record } = await open({})
    await send(`house-asks 1 canvas_add_card~(holdfast~MCP~Server) ${CARD}\nsay Drawn.`)
    await until('permission-requested', 1)
    expect((await ofType('step-finished'))[0]?.blocks).toMatchObject([{ name: 'agent_other' }])
    expect(record()).not.toContain('answer yes')
    await answer('allow')
    await until('run-finished', 1)
    expect((await ofType('tool-call-settled')).map(({ name }) => name)).toEqual(['agent_other', 'canvas_add_card'])
  })

  it('[AGENT42] tells the agent a no of a person, and what does not fit, as a model would be told', async () => {
    const { send, until, turn, record, drawn, ofType } = await open({ rules: [] })
    await send(`house 1 holdfast_canvas_add_card ${CARD}\nsay On.`)
    await until('permission-requested', 1)
    await answer('deny')
    await until('run-finished', 1)
    await turn('house 1 holdfast_canvas_add_card canvas_add_card {"title":7}')
    await turn('house-quiet agent_execute {"command":"rm"}')
    expect(drawn).toEqual([])
    const told = record().filter((line) => line.startsWith('house '))
    expect(told[0]).toContain('denied this call')
    expect(told[1]).toMatch(/title.*"isError":true/)
    expect(told[2]).toContain('There is no tool named agent_execute')
    expect(await ofType('tool-call-settled')).toHaveLength(2)
  })

  it('[AGENT42] shows a call that the agent tells of and nobody was called for', async () => {
    const { turn, ofType } = await open({})
    await turn('house-fails 1 holdfast_canvas_add_card\nsay On.')
    expect(await ofType('tool-call-settled')).toMatchObject([{ name: 'agent_other', outcome: 'error' }])
  })

  it('[AGENT42] lets a call of its own go on while the agent waits for a house tool', async () => {
    const { turn, ofType } = await open({})
    await turn(`call 1 execute sleep\nbegin 1 sleep 9\nhouse 2 holdfast_canvas_add_card ${CARD}\ndone 1 slept\nsay On.`)
    expect((await ofType('tool-call-settled')).map(({ name }) => name)).toContain('canvas_add_card')
    expect((await ofType('tool-call-settled')).at(-1)).toMatchObject({ name: 'agent_execute', outcome: 'ok' })
  })

  it('[AGENT43] settles a call that waits for a person when the turn is stopped, and answers the agent', async () => {
    const { send, stop, until, ofType, drawn, turn, record, answers } = await open({ rules: [] })
    await send(`house 1 holdfast_canvas_add_card ${CARD}\nsay On.`)
    await until('permission-requested', 1)
    await stop()
    await until('run-finished', 1)
    expect(await ofType('tool-call-settled')).toMatchObject([{ name: 'canvas_add_card', outcome: 'not-started' }])
    expect(drawn).toEqual([])
    await turn('say Again.')
    expect(record().find((line) => line.startsWith('house '))).toContain('stopped')
    expect(await answers()).toContain('Again.')
  })

  it('[AGENT43] takes back the question about what the agent gave up, and goes on', async () => {
    const { send, until, ofType, drawn, breakLines, answers } = await open({ rules: [] })
    await send(`house-loses ${CARD}\nsay On.`)
    await until('permission-requested', 1)
    await breakLines()
    await until('run-finished', 1)
    expect(drawn).toEqual([])
    expect(await ofType('permission-settled')).toMatchObject([{ outcome: 'denied', by: 'unattended' }])
    expect(await ofType('tool-call-settled')).toMatchObject([{ name: 'canvas_add_card', outcome: 'denied' }])
    expect(await answers()).toBe('On.')
  })

  it('[AGENT43] refuses a call while no reply runs, and gives the key back with the program', async () => {
    const { turn, agents, conversationId, drawn, log, close, revoked } = await open({})
    await turn('say Hi.')
    const before = await log()
    const { signal } = new AbortController()
    const call = { conversationId, name: 'canvas_add_card', input: { title: 'A' }, signal }
    expect(await agents.house.call(call)).toMatchObject({ isError: true, text: expect.stringContaining('No reply') })
    expect(await agents.house.call({ ...call, conversationId: 'another' })).toMatchObject({ isError: true })
    expect(await log()).toEqual(before)
    expect(drawn).toEqual([])
    expect(revoked).toEqual([])
    await agents.close()
    expect(revoked).toEqual([conversationId])
    await close()
    bench = null
  })

  it('[AGENT43] keeps the question over a kill of Holdfast, runs the call after a yes, and tells the next session', async () => {
    const first = await open({ rules: [] })
    await first.send(`house 1 holdfast_canvas_add_card ${CARD}\nsay On.`)
    await first.until('permission-requested', 1)
    bench = await first.restart()
    const { until, ofType, drawn, record, turn } = bench
    await answer('allow')
    await until('run-finished', 1)
    expect(await ofType('tool-call-settled')).toMatchObject([{ name: 'canvas_add_card', outcome: 'ok' }])
    expect(drawn).toEqual([{ title: 'A' }])
    await turn('say Next.')
    expect(record().join('\n')).toContain('card 1')
  })
})
