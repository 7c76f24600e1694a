import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Clock, Entry, InputPart } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type Engine, type LiveMessage } from '@holdfast/engine'
import { systemClock, systemIds } from '@holdfast/engine/system'
import {
  createExternalAgents,
  type ExternalAgent,
  type ExternalAgents,
  type ExternalAgentsDeps,
} from '@holdfast/external-agent'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'
import type { PermissionMode, Tool } from '@holdfast/tool'
import { vi } from 'vitest'

const FAKE = fileURLToPath(new URL('fake-agent.mjs', import.meta.url))

const person = { type: 'person', userId: 'user_1' } as const

/** A real engine on a memory store whose conversation an agent of the tests answers. */
export interface AgentBench {
  readonly engine: Engine
  readonly agents: ExternalAgents
  readonly agent: ExternalAgent
  readonly conversationId: string
  readonly folder: string
  readonly faults: unknown[]
  readonly store: MemoryStore
  send(text: string): Promise<void>
  /** Sends, and waits for the end of the turn. */
  turn(text: string): Promise<void>
  /** Chooses for the conversation what a person chooses; null goes back. */
  choose(settings: Readonly<Record<string, string | null>>): Promise<void>
  /** Sends a file or picture with words, and waits for the end of the turn. */
  attach(
    file: { readonly mediaType: string; readonly content: string; readonly name: string },
    words: string,
  ): Promise<void>
  stop(): Promise<void>
  log(): Promise<readonly Entry[]>
  ofType<Type extends Entry['type']>(type: Type): Promise<readonly Extract<Entry, { type: Type }>[]>
  until(type: Entry['type'], count: number): Promise<void>
  untilPublished(text: string): Promise<void>
  /** All text of the answers in the log. */
  answers(): Promise<string>
  /** What the agent noted of itself, a line for each event. */
  record(): readonly string[]
  /** As after an end of this process. */
  restart(): Promise<AgentBench>
  /** As after a kill of this process: the next one finds what was durable then. */
  kill(): Promise<AgentBench>
  close(): Promise<void>
}

/** What is not the same in every bench. */
export interface BenchOptions {
  readonly flags?: readonly string[]
  readonly mode?: PermissionMode
  readonly openGateway?: ExternalAgentsDeps['openGateway']
  readonly environment?: ExternalAgentsDeps['environment']
  readonly agent?: Partial<ExternalAgent>
  /** What looks at the folder around calls. */
  readonly watched?: (tool: Tool) => Tool
  /** Tools of Holdfast that the agent may call. */
  readonly house?: readonly Tool[]
  readonly openHouse?: ExternalAgentsDeps['openHouse']
  /** How conversations name it. */
  readonly agentId?: string
  readonly clock?: Clock
  /** Whether its program is installed now; usually it is. */
  readonly isThere?: () => boolean
  readonly rules?: Parameters<typeof createEngineOn>[0]['permissions']['rules']
  readonly mayUse?: (userId: string) => boolean
}

/** Opens one. */
export async function openAgentBench(options: BenchOptions): Promise<AgentBench> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-agent-'))
  const store = createMemoryStore({ clock: systemClock })
  const bench = build(options, { folder, store })
  await bench.engine.createConversation({
    commandId: 'create',
    actor: person,
    ownerId: 'user_1',
    title: null,
    modelId: null,
    agentId: options.agentId ?? 'external:fake',
  })
  return bench
}

/** Where the fake agent notes what it hears. */
function recordOf(folder: string): string {
  return `${folder}.record`
}

/** The fake agent as one that somebody added. */
export function fakeAgent(folder: string, { flags, agent }: BenchOptions): ExternalAgent {
  const args = [FAKE, `--record=${recordOf(folder)}`, ...(flags ?? []).map((flag) => `--${flag}`)]
  return { id: 'fake', name: 'Fake', command: process.execPath, args, env: {}, ...agent }
}

function build(
  options: BenchOptions,
  { folder, store: memory }: { readonly folder: string; readonly store: MemoryStore },
): AgentBench {
  const bus = createInProcessBus()
  const faults: unknown[] = []
  const fake = fakeAgent(folder, options)
  const agents = createExternalAgents({
    clock: options.clock ?? systemClock,
    environment: options.environment ?? process.env,
    register: null,
    agents: () => (options.isThere?.() === false ? [] : [fake]),
    mayUse: options.mayUse ?? (() => true),
    folderOf: () => folder,
    emptyFolder: () => folder,
    settingsFolder: () => folder,
    nextCallId: () => systemIds.next('call'),
    engine: () => engine,
    onFault: (error) => faults.push(error),
    ...(options.openGateway ? { openGateway: options.openGateway } : {}),
    ...(options.openHouse ? { openHouse: options.openHouse } : {}),
  })
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
  const mode = options.mode ?? 'ask'
  const watched = options.watched ?? ((tool: Tool): Tool => tool)
  const engine = createEngineOn(
    {
      store: memory.store,
      records: memory.records,
      bus,
      clock: systemClock,
      ids: systemIds,
      random: { next: () => 0.5 },
      sha256,
      sha256Both: ({ text, more }) => ({ ofText: sha256(text), ofAll: sha256(`${text}${more}`) }),
      models: agents.models,
      toolsOf: (query) => agents.toolsOf(query, { watched, house: options.house ?? [] }) ?? [],
      agents: {
        find: async ({ agentId }) =>
          agentId === (options.agentId ?? 'external:fake')
            ? {
                agentId,
                name: 'Fake',
                avatar: null,
                version: 1,
                settings: { modelId: agentId },
                origin: 'operator',
                sharedBy: null,
              }
            : null,
        list: async () => [],
      },
      permissions: { defaultPolicy: 'ask', rules: options.rules ?? [], hardDenials: [], workspaceRoot: folder, mode },
      holder: systemIds.next('run'),
      isAlone: true,
    },
    { onFault: ({ error }) => faults.push(error) },
  )
  const conversationId = engine.conversationIdFor('user_1', 'create')
  const messages: LiveMessage[] = []
  bus.subscribe(conversationId, (message) => {
    messages.push(message)
    agents.heard(message)
  })
  let sent = 0
  const log = async (): Promise<readonly Entry[]> =>
    (await memory.store.read({ conversationId, after: 0, limit: 1_000 })).entries
  const ofType: AgentBench['ofType'] = async (type) =>
    (await log()).filter((entry): entry is Extract<Entry, { type: typeof type }> => entry.type === type)
  const until: AgentBench['until'] = async (type, count) => {
    await vi.waitFor(
      async () => {
        const found = (await log()).filter((entry) => entry.type === type).length
        if (found < count)
          throw new Error(
            `The log holds ${found} of ${count} ${type}: ${(await log()).map((entry) => entry.type).join(' ')}`,
          )
      },
      { timeout: 20_000, interval: 10 },
    )
  }
  const sendAll = async (content: readonly InputPart[]): Promise<void> => {
    sent += 1
    const commandId = `send-${sent}-${Math.random()}`
    await engine.sendMessage({ commandId, actor: person, conversationId, content: [...content], lane: 'turn' })
  }
  const send = (text: string): Promise<void> => sendAll([{ type: 'text', text }])
  const afterEnd = async (sending: () => Promise<void>): Promise<void> => {
    const before = (await ofType('run-finished')).length
    await sending()
    await until('run-finished', before + 1)
  }
  const bench: AgentBench = {
    engine,
    agents,
    agent: fake,
    conversationId,
    folder,
    faults,
    store: memory,
    send,
    log,
    ofType,
    until,
    turn: (text) => afterEnd(() => send(text)),
    async choose(changes) {
      const commandId = `choose-${Math.random()}`
      await engine.changeSettings({ commandId, actor: person, conversationId, changes })
    },
    async attach({ mediaType, content, name }, words) {
      const uploadId = `upload-${Math.random()}`
      const upload = { uploadId, ownerId: 'user_1', conversationId: null, mediaType, at: systemClock.now() }
      const blob = await memory.store.putBlob({ ...upload, content: Readable.from([Buffer.from(content)]) })
      const type = mediaType.startsWith('image/') ? ('image' as const) : ('file' as const)
      const part = { type, attachmentId: uploadId, blob, name }
      await afterEnd(() => sendAll([part, { type: 'text', text: words }]))
    },
    async stop() {
      await engine.stopRun({
        commandId: `stop-${Math.random()}`,
        actor: person,
        conversationId,
        runId: null,
        force: false,
      })
    },
    async untilPublished(text) {
      await vi.waitFor(
        () => {
          const published = messages.map((message) => (message.type === 'delta' ? message.delta.text : '')).join('')
          if (!published.includes(text)) throw new Error(`Published so far: ${published}`)
        },
        { timeout: 20_000, interval: 5 },
      )
    },
    async answers() {
      const steps = await ofType('step-finished')
      return steps
        .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
        .join('')
    },
    record() {
      try {
        return readFileSync(recordOf(folder), 'utf8').trim().split('\n')
      } catch {
        return []
      }
    },
    async restart() {
      await agents.close()
      await engine.close()
      const next = build(options, { folder, store: memory })
      await memory.store.endLeases()
      await next.engine.recover()
      return next
    },
    async kill() {
      const left = await memory.reopen()
      await agents.close()
      await engine.close()
      const next = build(options, { folder, store: left })
      await left.store.endLeases()
      await next.engine.recover()
      return next
    },
    async close() {
      await engine.close()
      await agents.close()
      rmSync(folder, { recursive: true, force: true })
      rmSync(recordOf(folder), { force: true })
    },
  }
  return bench
}
