import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scripted, SeenRequest } from '@holdfast/conformance'
import * as z from 'zod'
import { type AgentsWorld, openAgentsWorld, type TestedConversation } from './agents-world.ts'
import { compareBill } from './bill.ts'

/** What one agent was driven through: for each act `ok`, or what was wrong. */
export type Driven = Readonly<Record<string, string>>

/** What the model of an agent has it do. */
interface ToolUse {
  readonly name: string
  /** Codex has the tools of a server in one. */
  readonly namespace?: string
  readonly input: Readonly<Record<string, unknown>>
}

const says = (text: string): Scripted => ({ parts: [{ type: 'text', text }] })

/** The agents' own names for a command, by agent. */
const COMMANDS: Readonly<Record<string, (command: string) => ToolUse>> = {
  opencode: (command) => ({ name: 'bash', input: { command, description: 'Makes a file' } }),
  gemini: (command) => ({ name: 'run_shell_command', input: { command, description: 'Makes a file' } }),
  claude: (command) => ({ name: 'Bash', input: { command, description: 'Makes a file' } }),
  codex: (command) => ({
    name: 'exec_command',
    input: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'It makes a file.' },
  }),
}

/** A turn, a command that asks, a stop in an answer, a kill of Holdfast, a house tool and the bill, one after the other. */
export async function driveAgent(bin: string, agent: string): Promise<Driven> {
  const world = await openAgentsWorld(bin, says('The word is quince.'))
  const driven: Record<string, string> = {}
  try {
    const talk = await world.open(`external:${agent}`)
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      turn: () => completes(talk, 'What is the word?'),
      command: () => runsCommand(world, talk, agent),
      stop: () => stopsInAnswer(world, talk),
      kill: () => outlivesKill(world, talk),
      house: () => draws(world, talk),
      question: () => forgets(world, talk),
      bill: () => isBilled(world, talk),
    }
    for (const [name, act] of Object.entries(acts)) {
      try {
        await act()
        driven[name] = 'ok'
      } catch (error) {
        driven[name] = error instanceof Error ? error.message : String(error)
      }
    }
    return driven
  } finally {
    await world.close()
  }
}

function hold(isSo: boolean, text: string): void {
  if (!isSo) throw new Error(text)
}

async function completes(talk: TestedConversation, text: string): Promise<void> {
  const end = await talk.turn(text)
  hold(end['outcome'] === 'completed', `The turn ended as ${JSON.stringify(end)}`)
}

/** Has the model call something once, at the first request with these words that offers it. */
function callOnce(
  { provider }: AgentsWorld,
  words: string,
  callOf: (request: SeenRequest) => ToolUse | null,
): { readonly isMade: () => boolean } {
  let isMade = false
  provider.when(
    (request) => !isMade && JSON.stringify(request.body).includes(words) && callOf(request) !== null,
    (request) => {
      isMade = true
      const call = callOf(request)
      if (call === null) throw new Error(`Request ${request.number} offers no tool for ${words}`)
      return { parts: [{ type: 'tool-call', ...call }] }
    },
  )
  return { isMade: () => isMade }
}

async function runsCommand(world: AgentsWorld, talk: TestedConversation, agent: string): Promise<void> {
  const call = COMMANDS[agent]?.('touch made-here')
  if (call === undefined) throw new Error(`It is not known how ${agent} runs a command`)
  const words = 'Make the file'
  const { isMade } = callOnce(world, words, ({ body }) =>
    JSON.stringify(body).includes(`"${call.name}"`) ? call : null,
  )
  const turns = (await talk.ofType('run-finished')).length
  const ended = talk.turn(`${words}.`)
  const first = await Promise.race([ended, talk.until('permission-requested', 1).then(() => null)])
  hold(isMade(), `No request offered ${call.name}: ${offeredBy(world)}`)
  hold(first === null, `Nobody was asked: ${JSON.stringify(await talk.ofType('tool-call-settled'))}`)
  const there = () =>
    access(join(world.project, 'made-here')).then(
      () => true,
      () => false,
    )
  hold(!(await there()), 'The command ran before it was allowed')
  const requestId = (await talk.ofType('permission-requested')).at(-1)?.['requestId']
  const body = { commandId: `allow-${turns}`, decision: 'allow', scope: 'call' }
  await world.program.call('POST', `/conversations/${talk.id}/permissions/${String(requestId)}`, body)
  const end = await ended
  hold(end['outcome'] === 'completed', `The turn ended as ${JSON.stringify(end)}`)
  hold(await there(), `It did not run: ${JSON.stringify(await talk.ofType('tool-call-settled'))}`)
}

/** The names of the tools of the last request that had some. */
function offeredBy({ provider }: AgentsWorld): string {
  const bodies = provider.requests.map(({ rawBody }) => Buffer.from(rawBody).toString())
  const last = bodies.findLast((body) => body.includes('"tools"')) ?? ''
  return [...new Set([...last.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name))].join(', ')
}

async function stopsInAnswer({ provider }: AgentsWorld, talk: TestedConversation): Promise<void> {
  provider.otherwise({ parts: [{ type: 'text', text: 'slowly '.repeat(4_000) }], deltasPerSecond: 30 })
  const asked = provider.requests.length
  const ends = (await talk.ofType('run-finished')).length
  const ended = talk.turn('Tell a long story.')
  await inAnswer(provider, asked)
  const at = performance.now()
  await talk.stop()
  const end = await ended
  const tookMs = Math.round(performance.now() - at)
  hold(end['outcome'] === 'stopped', `It ended as ${JSON.stringify(end)}`)
  hold(tookMs < 6_000, `It took ${tookMs} ms`)
  hold((await talk.answers()).includes('slowly'), 'Nothing of the cut answer is kept')
  provider.otherwise(({ body }) =>
    JSON.stringify(body).includes('quince') ? { parts: [{ type: 'text', text: 'It was quince.' }] } : FORGOT,
  )
  await completes(talk, 'What was the word?')
  hold((await talk.answers()).endsWith('It was quince.'), 'It forgot what was said')
  hold((await talk.ofType('run-finished')).length >= ends + 2, 'A turn has no end')
}

const FORGOT = { parts: [{ type: 'text', text: 'I forgot.' }] } as const

async function outlivesKill(world: AgentsWorld, talk: TestedConversation): Promise<void> {
  const { provider } = world
  provider.otherwise({ parts: [{ type: 'text', text: 'slowly '.repeat(4_000) }], deltasPerSecond: 30 })
  const asked = provider.requests.length
  const before = (await talk.ofType('run-finished')).length
  await talk.send('Tell another story.')
  await inAnswer(provider, asked)
  const left = await world.agentPids()
  provider.otherwise(({ body }) =>
    JSON.stringify(body).includes('quince') ? { parts: [{ type: 'text', text: 'Still quince.' }] } : FORGOT,
  )
  await world.killAndStart()
  const survivors = (await world.agentPids()).filter((pid) => left.includes(pid))
  hold(survivors.length === 0, `${survivors.length} processes outlived it`)
  await talk.until('run-finished', before + 1)
  await completes(talk, 'What was the word, once more?')
  hold((await talk.answers()).endsWith('Still quince.'), 'It forgot what was said')
}

/** Resolves in the middle of the answer to what was asked last. */
async function inAnswer({ requests }: AgentsWorld['provider'], after: number): Promise<void> {
  await sees(() => requests.slice(after).some(({ deltaMs }) => deltaMs.length > 30), 'No answer began')
}

async function draws(world: AgentsWorld, talk: TestedConversation): Promise<void> {
  world.provider.otherwise(says('It is done.'))
  const words = 'Draw the harvest'
  const [asked, settled] = [await talk.ofType('permission-requested'), await talk.ofType('tool-call-settled')]
  const { isMade } = callHouse(world, words, 'canvas_add_card', { title: 'Harvest', figure: '42 kg' })
  await completes(talk, `${words}.`)
  hold(isMade(), `No request offered the canvas: ${offeredBy(world)}`)
  await isOneCall(talk, 'canvas_add_card', settled.length)
  hold((await talk.ofType('permission-requested')).length === asked.length, 'A card is nothing to ask about')
  hold((await talk.ofType('canvas-changed')).length === 1, 'The canvas did not change')
}

/** A house tool that asks does so once, in our card. */
async function forgets(world: AgentsWorld, talk: TestedConversation): Promise<void> {
  const { program } = world
  const words = 'Forget the fact'
  await program.call('POST', '/memories', { text: 'A fact.' })
  const [memory] = Memories.parse(await program.call('GET', '/memories')).memories
  const [asked, settled] = [await talk.ofType('permission-requested'), await talk.ofType('tool-call-settled')]
  const { isMade } = callHouse(world, words, 'memory_delete', { id: memory.memoryId })
  const ended = talk.turn(`${words}.`)
  await Promise.race([ended, talk.until('permission-requested', asked.length + 1)])
  hold(isMade(), `No request offered the memories: ${offeredBy(world)}`)
  const question = (await talk.ofType('permission-requested')).at(-1)
  hold(question?.['tool'] === 'memory_delete', `It was asked about ${JSON.stringify(question)}`)
  const body = { commandId: 'allow-memory', decision: 'allow', scope: 'call' }
  await program.call('POST', `/conversations/${talk.id}/permissions/${String(question?.['requestId'])}`, body)
  hold((await ended)['outcome'] === 'completed', 'The turn did not complete')
  await isOneCall(talk, 'memory_delete', settled.length)
  hold((await talk.ofType('permission-requested')).length === asked.length + 1, 'It was asked about twice')
  const { memories } = z.object({ memories: z.array(z.unknown()) }).parse(await program.call('GET', '/memories'))
  hold(memories.length === 0, 'The memory is still there')
}

const Memories = z.object({ memories: z.tuple([z.object({ memoryId: z.string() })]) })

/** The log holds one call more that is no search for tools, by its real name. */
async function isOneCall(talk: TestedConversation, name: string, after: number): Promise<void> {
  const calls = (await talk.ofType('tool-call-settled')).slice(after).map((call) => [call['name'], call['outcome']])
  const told = JSON.stringify(calls)
  const own = calls.filter(([called]) => called === name)
  const beside = calls.filter(([called]) => called !== name)
  hold(own.length === 1 && own[0]?.[1] === 'ok', `The log holds ${told}`)
  hold(beside.length === 0 || beside.every(([called]) => called === 'agent_other'), `The log holds ${told}`)
}

/** Has the model call a house tool once; Claude Code has its model look tools of servers up before it calls one. */
function callHouse(world: AgentsWorld, words: string, tool: string, input: Readonly<Record<string, unknown>>) {
  const found = (body: unknown): ToolUse | null => {
    const named = houseTool(body, tool)
    return named === null ? null : { ...named, input }
  }
  callOnce(world, words, ({ body }) => {
    const isOffered = JSON.stringify(body).includes('"name":"ToolSearch"') && found(body) === null
    const query = `select:mcp__holdfast__${tool}`
    return isOffered ? { name: 'ToolSearch', input: { query, max_results: 1 } } : null
  })
  return callOnce(world, words, ({ body }) => found(body))
}

/** A house tool by the name that the request offers it under; null where it does not. */
function houseTool(body: unknown, tool: string): Omit<ToolUse, 'input'> | null {
  const text = JSON.stringify(body)
  const name = new RegExp(`"name":"([A-Za-z_]*holdfast_+${tool})"`).exec(text)?.[1]
  if (name !== undefined) return { name }
  const namespace = /"type":"namespace","name":"([A-Za-z_]*holdfast)"/.exec(text)?.[1]
  return namespace === undefined ? null : { name: tool, namespace }
}

async function isBilled({ provider }: AgentsWorld, talk: TestedConversation): Promise<void> {
  const bill = await compareBill(provider, [await talk.entries()])
  const isRight = bill.past === 0 && bill.doubled === 0 && bill.differing.length === 0
  hold(isRight && bill.requests > 5, JSON.stringify(bill))
}

const SEES_MS = 60_000

async function sees(isSo: () => boolean, otherwise: string): Promise<void> {
  const limit = Date.now() + SEES_MS
  while (!isSo()) {
    if (Date.now() > limit) throw new Error(otherwise)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
