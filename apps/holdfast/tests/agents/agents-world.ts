import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import {
  createModel,
  createStrictProvider,
  type Scripted,
  STRICT_MODELS,
  type StrictProvider,
} from '@holdfast/conformance'
import * as z from 'zod'
import { type Program, startProgram } from '../support/program.ts'

/** An entry as the tests read it. */
export type SeenEntry = z.infer<typeof Entry>

/** The built program with real agents, and a provider that writes down what it is asked. */
export interface AgentsWorld {
  readonly provider: StrictProvider
  readonly program: Program
  /** The folder that conversations work in. */
  readonly project: string
  /** A conversation of an agent; null for ours, with what is chosen for it. */
  open(agentId: string | null, chosen?: Readonly<Record<string, string>>): Promise<TestedConversation>
  /** One that there is. */
  at(conversationId: string): TestedConversation
  /** As a lost machine: nothing of it is told. Resolves when the next one has started. */
  killAndStart(): Promise<void>
  /** Processes whose command names the folder of the agents, zombies left out. */
  agentPids(): Promise<readonly number[]>
  close(): Promise<void>
}

/** A file as a browser sends it. */
export interface SentFile {
  readonly name: string
  readonly type: string
  readonly content: Buffer<ArrayBuffer>
}

/** One conversation of a world. */
export interface TestedConversation {
  readonly id: string
  send(text: string): Promise<void>
  /** Sends files with words, and resolves when the turn has ended. */
  sendWith(files: readonly SentFile[], text: string): Promise<SeenEntry>
  /** Changes settings of the conversation. */
  change(settings: Readonly<Record<string, unknown>>): Promise<void>
  stop(): Promise<void>
  entries(): Promise<readonly SeenEntry[]>
  ofType(type: string): Promise<readonly SeenEntry[]>
  /** Resolves when the log holds so many of a type. */
  until(type: string, count: number): Promise<void>
  /** The end of the turn with this number, 1 for the first. */
  turnEnd(count: number): Promise<SeenEntry>
  /** Sends, and resolves when the turn has ended. */
  turn(text: string): Promise<SeenEntry>
  /** All text of its answers. */
  answers(): Promise<string>
}

const Entry = z.looseObject({ seq: z.number(), type: z.string() })
const Page = z.looseObject({ entries: z.array(Entry) })
const Started = z.looseObject({ id: z.string() })
const Finished = z.looseObject({ blocks: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) })

/** An agent that speaks MCP over pipes alone. */
const PIPED = join(import.meta.dirname, 'piped-agent.mjs')

const UNTIL_MS = 150_000
const PAUSE_MS = 25

/** Starts a world; the programs of the agents lie in `bin`. */
export async function openAgentsWorld(bin: string, otherwise: Scripted): Promise<AgentsWorld> {
  const base = await mkdtemp(join(tmpdir(), 'holdfast-agents-'))
  const provider = await createStrictProvider({ models: [...STRICT_MODELS, createModel({ id: OTHER_GEMINI })] })
  provider.otherwise(otherwise)
  const [home, project, config] = [join(base, 'home'), join(base, 'project'), join(base, 'holdfast.json')]
  await Promise.all([mkdir(home), mkdir(project)])
  await writeFile(join(project, 'README.md'), '# A project\n')
  // As a person says it in Gemini CLI, which starts no MCP server in a folder that it does not trust.
  await mkdir(join(home, '.gemini'))
  await writeFile(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify({ [project]: 'TRUST_FOLDER' }))
  const { anthropic, openai, gemini } = provider.urls
  const providers = [
    {
      type: 'anthropic',
      id: 'anthropic',
      apiKey: KEY,
      baseUrl: anthropic,
      models: [{ id: 'claude-sonnet-5-5', price: PRICE }],
    },
    { type: 'openai-responses', id: 'openai', apiKey: KEY, baseUrl: openai, models: [{ id: 'gpt-5.2' }] },
    {
      type: 'google',
      id: 'google',
      apiKey: KEY,
      baseUrl: gemini,
      models: [{ id: 'gemini-3-pro' }, { id: OTHER_GEMINI }],
    },
  ]
  const externalAgents = [{ id: 'piped', name: 'Piped', command: process.execPath, args: [PIPED] }]
  await writeFile(config, JSON.stringify({ providers, externalAgents, settings: { agentModels: 'providers' } }))
  const PATH = [dirname(process.execPath), bin, process.env['PATH'] ?? ''].join(delimiter)
  const start = () =>
    startProgram(join(base, 'data'), { HOLDFAST_CONFIG: config, HOME: home, PATH }, ['--workspace', project])
  let program = await start()

  return {
    provider,
    get program() {
      return program
    },
    project,
    async open(agentId, chosen) {
      const begun = { commandId: `open-${Math.random()}`, ...(agentId === null ? {} : { agentId }), ...chosen }
      const answer = await program.call('POST', '/conversations', begun)
      return conversation(Started.parse(answer).id, () => program)
    },
    at: (conversationId) => conversation(conversationId, () => program),
    async killAndStart() {
      await program.kill()
      program = await start()
    },
    agentPids: () => pidsOf(home),
    async close() {
      await program.stop()
      await provider.close()
      await rm(base, { recursive: true, force: true })
    },
  }
}

/** What the first provider asks for a million tokens of any kind, in US dollars. */
const PRICE = {
  inputUsdPerMillion: 3,
  outputUsdPerMillion: 15,
  cacheReadUsdPerMillion: 0.3,
  cacheCreation5mUsdPerMillion: 3.75,
  cacheCreation1hUsdPerMillion: 6,
}

/** A second model of one provider. */
export const OTHER_GEMINI = 'gemini-2.5-pro'

/** The provider's key, which no agent may ever see. */
export const KEY = 'the-key-of-the-provider-5c1d'

function conversation(id: string, program: () => Program): TestedConversation {
  const call = (method: string, path: string, body?: unknown) =>
    program().call(method, `/conversations/${id}${path}`, body)
  const commandId = (): string => `test-${Math.random()}`
  const seen: SeenEntry[] = []
  /** What was read stays as it is: only what came since is read. */
  async function entries(): Promise<readonly SeenEntry[]> {
    for (;;) {
      const after = seen.at(-1)?.seq ?? 0
      const page = Page.parse(await call('GET', `/entries?after=${after}&limit=500`))
      // Two may read at once.
      seen.push(...page.entries.filter(({ seq }) => seq > (seen.at(-1)?.seq ?? 0)))
      if (page.entries.length < 500) return seen.slice()
    }
  }
  const ofType = async (type: string) => (await entries()).filter((entry) => entry.type === type)
  const typesOf = async (): Promise<string> =>
    (await entries())
      .map((entry) => entry.type)
      .slice(-60)
      .join(' ')
  async function until(type: string, count: number): Promise<void> {
    const limit = Date.now() + UNTIL_MS
    for (;;) {
      const found = await ofType(type)
      if (found.length >= count) return
      if (Date.now() > limit)
        throw new Error(`The log of ${id} holds ${found.length} of ${count} ${type}: ${await typesOf()}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  async function sendAll(content: readonly unknown[]): Promise<void> {
    await call('POST', '/inputs', { commandId: commandId(), content, lane: 'turn' })
  }
  const send = (text: string): Promise<void> => sendAll([{ type: 'text', text }])
  async function upload({ name, type, content }: SentFile) {
    const form = new FormData()
    form.append('file', new File([content], name, { type }))
    const { url, token } = program()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${url}/api/v1/attachments`, { method: 'POST', headers, body: form })
    const { id } = Started.parse(await answer.json())
    return { type: type.startsWith('image/') ? 'image' : 'file', attachmentId: id }
  }
  /** Runs of titles are none. */
  async function turnsOf(type: string): Promise<readonly SeenEntry[]> {
    const all = await entries()
    const turns = all.flatMap((entry) =>
      entry.type === 'run-started' && entry['purpose'] === 'turn' ? [entry['runId']] : [],
    )
    return all.filter((entry) => entry.type === type && turns.includes(entry['runId']))
  }
  async function turnEnd(count: number): Promise<SeenEntry> {
    const limit = Date.now() + UNTIL_MS
    for (;;) {
      const end = (await turnsOf('run-finished'))[count - 1]
      if (end !== undefined) return end
      if (Date.now() > limit) throw new Error(`Turn ${count} of ${id} has no end: ${await typesOf()}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  return {
    id,
    send,
    async change(settings) {
      const answer = await call('PATCH', '', { commandId: commandId(), settings })
      if (!Started.safeParse(answer).success) throw new Error(`The settings were refused: ${JSON.stringify(answer)}`)
    },
    stop: async () => void (await call('POST', '/stop', { commandId: commandId() })),
    entries,
    ofType,
    until,
    turnEnd,
    async turn(text) {
      const before = (await turnsOf('run-started')).length
      await send(text)
      return turnEnd(before + 1)
    },
    async sendWith(files, text) {
      const before = (await turnsOf('run-started')).length
      await sendAll([...(await Promise.all(files.map(upload))), { type: 'text', text }])
      return turnEnd(before + 1)
    },
    async answers() {
      const steps = (await ofType('step-finished')).map((step) => Finished.parse(step))
      return steps.flatMap(({ blocks }) => blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : []))).join('')
    },
  }
}

/** Every process that has this home: agents and all that they started. */
async function pidsOf(home: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [environment, command] = await Promise.all([
        readFile(`/proc/${name}/environ`, 'latin1'),
        readFile(`/proc/${name}/cmdline`, 'latin1'),
      ])
      if (environment.split('\0').includes(`HOME=${home}`) && !command.includes('holdfast.js')) found.push(Number(name))
    } catch {
      // It has gone meanwhile, or is a zombie or of somebody else.
    }
  }
  return found
}
