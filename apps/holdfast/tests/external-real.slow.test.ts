import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type AgentsWorld, KEY, openAgentsWorld } from './agents/agents-world.ts'
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

const AGENTS = [
  ['opencode', 'bash', { command: 'sleep 600', description: 'Waits' }],
  ['gemini', 'run_shell_command', { command: 'sleep 600', description: 'Waits' }],
] as const

const says = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

test.each(inTurn(AGENTS, 0))(
  "[AGENT35, AGENT39] %s asks through the gateway alone: analyse, bypass, a tool, Stop, go on, and the ledger is the provider's record to the token",
  async (agent, tool, input) => {
    world = await openAgentsWorld(bin, says('The project has a README.'))
    const { provider } = world
    const talk = await world.open(`external:${agent}`)
    expect(await talk.turn('Analyse the project.')).toMatchObject({ outcome: 'completed' })
    await talk.change({ permissionMode: 'bypass' })
    let isCalled = false
    provider.when(
      ({ body }) => !isCalled && JSON.stringify(body).includes('Wait ten minutes'),
      () => {
        isCalled = true
        return { parts: [{ type: 'tool-call', name: tool, input }] }
      },
    )
    await talk.send('Wait ten minutes.')
    await talk.until('tool-call-started', 1)
    await talk.stop()
    expect(await talk.turnEnd(2)).toMatchObject({ outcome: 'stopped' })
    provider.otherwise(({ body }) =>
      says(JSON.stringify(body).includes('Analyse the project') ? 'I know what was said.' : 'I know nothing.'),
    )

    expect(await talk.turn('Go on.')).toMatchObject({ outcome: 'completed' })
    expect(await talk.answers()).toMatch(/I know what was said\.$/)
    await talk.until('title-changed', 1)
    const held = { heldBy: 'agent', measured: true, usedTokens: expect.any(Number) }
    const context = await world.program.call('GET', `/conversations/${talk.id}/context`)
    expect(context).toMatchObject(held)
    expect(context).not.toMatchObject({ usedTokens: 0 })
    const log = await talk.entries()
    expect(log.filter(({ type, code }) => type === 'notice-raised' && code === 'external-agent-replaced')).toEqual([])
    const bill = await compareBill(provider, [log])
    expect(bill).toMatchObject({ past: 0, differing: [], doubled: 0 })
    expect(bill.requests).toBeGreaterThan(3)
    const pids = await world.agentPids()
    expect(pids.length).toBeGreaterThan(0)
    for (const pid of pids) expect(await readFile(`/proc/${pid}/environ`, 'latin1')).not.toContain(KEY)
  },
)

test.each(inTurn(AGENTS, 1))(
  '[AGENT37] %s is ended with its group after a kill -9 of Holdfast, and told the conversation when it goes on',
  async (agent) => {
    world = await openAgentsWorld(bin, says('The word is quince.'))
    const { provider } = world
    const talk = await world.open(`external:${agent}`)
    await talk.turn('What is the word?')
    provider.otherwise({ ...says('slow '.repeat(4_000)), deltasPerSecond: 20 })
    const before = provider.requests.length
    await talk.send('Tell me a long story.')
    await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBeGreaterThan(before)
    const left = await world.agentPids()
    expect(left.length).toBeGreaterThan(0)
    // One that goes on hears that its line is closed, and ends by itself: Gemini CLI before the next start. One that stands still does not.
    for (const pid of left) process.kill(pid, 'SIGSTOP')
    provider.otherwise(({ body }) => says(JSON.stringify(body).includes('quince') ? 'It was quince.' : 'I forgot.'))
    await world.killAndStart()
    expect((await world.agentPids()).filter((pid) => left.includes(pid))).toEqual([])
    await talk.turnEnd(2)
    expect(await talk.turn('What was the word?')).toMatchObject({ outcome: 'completed' })
    expect(await talk.answers()).toMatch(/It was quince\.$/)
    // And of the agent itself.
    const detached = (await talk.ofType('agent-detached')).length
    for (const pid of await world.agentPids()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
    }
    await talk.until('agent-detached', detached + 1)
    expect(await talk.turn('And once more?')).toMatchObject({ outcome: 'completed' })
    expect(await talk.answers()).toMatch(/It was quince\.$/)
    expect(await readFile(join(world.project, 'README.md'), 'utf8')).toBe('# A project\n')
  },
)
