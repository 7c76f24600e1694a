import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import {
  createEngineOn,
  createInProcessBus,
  createMemories,
  createMemoriesFact,
  type Engine,
  type LiveBus,
} from '@holdfast/engine'
import { createInterop } from '@holdfast/interop'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { type Accounts, openAccounts } from '../../src/accounts/open-accounts.ts'
import { type AgentDirectory, createAgentDirectory, type FileAgent } from '../../src/agents/agent-directory.ts'
import { createServer } from '../../src/create-server.ts'
import { createStartUpToken } from '../../src/door/start-up-token.ts'
import type { LineLimits } from '../../src/live/outlet.ts'
import { createPresetDirectory } from '../../src/presets/preset-directory.ts'
import type { ScheduleDirectory } from '../../src/schedules/schedule-directory.ts'
import type { ServerDeps } from '../../src/server-deps.ts'
import { realClock, realIds, realRandom, sha256 } from './real-ports.ts'
import { scheduleParts } from './schedule-bench.ts'
import { createScriptedModel, type ScriptedModel } from './scripted-model.ts'

/** The one tool there is; without a workspace it asks. */
const lookTool = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({ path: z.string() }),
  category: 'read',
  run: () => Promise.resolve('seen'),
})

export const TOKEN = 'a-start-up-token'

const SECRET = new Uint8Array(32).fill(7)

/** A real server on a real engine and the memory store, with a scripted model. */
export interface Served {
  readonly url: string
  readonly host: string
  readonly store: EntryStore
  readonly records: Records
  readonly bus: LiveBus
  readonly engine: Engine
  readonly model: ScriptedModel
  readonly logged: readonly string[]
  /** Null in token mode. */
  readonly accounts: Accounts | null
  readonly agents: AgentDirectory
  readonly schedules: ScheduleDirectory
  /** Calls a route with the token. */
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>
  /** A conversation of the local user. */
  newConversation(): Promise<string>
  /** The server is about to end. */
  stopAccepting(): void
  close(): Promise<void>
}

export interface ServeOptions {
  readonly webRoot: string | null
  readonly limits?: LineLimits
  readonly headLimits?: NonNullable<ServerDeps['headLimits']>
  /** Whether people have accounts. */
  readonly withAccounts?: boolean
  readonly network?: NonNullable<ServerDeps['network']>
  readonly rateLimits?: NonNullable<ServerDeps['rateLimits']>
  readonly storageLimits?: NonNullable<ServerDeps['storageLimits']>
  readonly freeBytes?: NonNullable<ServerDeps['freeBytes']>
  readonly providers?: NonNullable<ServerDeps['providers']>
  readonly voice?: (records: Records) => NonNullable<ServerDeps['voice']>
  readonly replicas?: NonNullable<ServerDeps['replicas']>
  readonly storeFacts?: NonNullable<ServerDeps['storeFacts']>
  readonly openMedia?: NonNullable<ServerDeps['openMedia']>
  readonly settings?: NonNullable<ServerDeps['settings']>
  readonly terminals?: NonNullable<ServerDeps['terminals']>
  readonly workspaces?: NonNullable<ServerDeps['workspaces']>
  /** The models that are listed; none where it is absent. */
  readonly models?: ServerDeps['models']
  /** Tools beside the one that looks. */
  readonly moreTools?: readonly Tool[]
  /** Agents of the operator's file. */
  readonly fileAgents?: readonly FileAgent[]
  /** Told of every function of the store and of its records that is called, by name. */
  readonly onStoreCall?: (name: string) => void
  /** The time of all parts of the server; the machine's where it is absent. */
  readonly clock?: Clock
  /** Opens what the server keeps things in; a store in memory where it is absent. */
  readonly openStore?: (clock: Clock) => Promise<{ readonly store: EntryStore; readonly records: Records }>
  /** What stands between the engine and its store, such as a disk that answers late. */
  readonly throughStore?: (store: EntryStore) => EntryStore
  /** The address to listen on. */
  readonly listenHost?: string
}

export async function serve(options: ServeOptions): Promise<Served> {
  const {
    withAccounts,
    listenHost,
    fileAgents: _,
    onStoreCall = () => {},
    throughStore,
    openStore,
    moreTools = [],
    voice,
    ...given
  } = options
  const clock = options.clock ?? realClock
  const tools = [lookTool, ...moreTools]
  const opened = openStore === undefined ? createMemoryStore({ clock }) : await openStore(clock)
  const store = told(throughStore === undefined ? opened.store : throughStore(opened.store), onStoreCall)
  const records = told(opened.records, onStoreCall)
  const bus = createInProcessBus()
  const importsFolder = await mkdtemp(join(tmpdir(), 'holdfast-imports-'))
  const model = createScriptedModel()
  const logged: string[] = []
  const note = (message: string) => void logged.push(message)
  const presets = createPresetDirectory({
    records,
    clock,
    ids: realIds,
    contradiction: () => [],
    hasSandbox: () => false,
  })
  const agents = createAgentDirectory({
    presets,
    records,
    clock,
    ids: realIds,
    fromFile: options.fileAgents ?? [],
    people: () => accounts?.people.list() ?? null,
  })
  const memories = createMemories({ records, clock, ids: realIds, isShared: false })
  const engine = createEngineOn(
    {
      store,
      records,
      bus,
      clock,
      ids: realIds,
      random: realRandom,
      sha256,
      sha256Both: ({ text, more }) => ({ ofText: sha256(text), ofAll: sha256(`${text}${more}`) }),
      models: () => [
        { modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port: model.port, facts: UNKNOWN_MODEL },
      ],
      toolsOf: () => tools,
      permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' },
      agents,
      presets,
      facts: [createMemoriesFact(memories)],
      people: { refusalOf: async (userId) => (await accounts?.people.refusalOf(userId)) ?? null },
      userBudgets: { budgetOf: async (userId, now) => (await accounts?.budgets.budgetOf(userId, now)) ?? null },
      holder: realIds.next('run'),
      isAlone: true,
    },
    { onFault: ({ error }) => logged.push(String(error)) },
  )
  const startupToken = createStartUpToken({ token: TOKEN, clock })
  const log = { info: note, warn: note, error: note }
  const page = {
    basePath: options.network?.basePath ?? '',
    isSecure: options.network?.publicUrl?.protocol === 'https:',
  }
  const deps = { records, store, clock, log, secret: SECRET, startupToken, page }
  const accounts = withAccounts === true ? await openAccounts(deps) : null
  const schedules = scheduleParts({
    store,
    records,
    bus,
    engine,
    clock,
    madeWith: { agents, presets, hasWorkspace: () => false },
    onFault: (error) => note(String(error)),
  })
  await schedules.scheduler.start()
  const server = await createServer({
    models: () => ({
      defaultModelId: null,
      permissionMode: 'ask',
      silence: { firstEventMs: 120_000, betweenEventsMs: 300_000 },
      providers: [],
    }),
    engine,
    bus,
    store,
    records,
    memories,
    ids: realIds,
    log,
    version: '0.0.0-test',
    serverId: realIds.next('run'),
    startupToken,
    importsFolder,
    agents,
    presets,
    schedules,
    mounts: createInterop({ bus }).mounts,
    ...(accounts ? { accounts } : {}),
    ...(voice ? { voice: voice(records) } : {}),
    ...given,
    clock,
  })
  const { url } = await server.listen({ host: listenHost ?? '127.0.0.1', port: 0 })

  async function call(method: string, path: string, body?: unknown) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }

  let created = 0
  return {
    url,
    host: new URL(url).host,
    store,
    records,
    bus,
    engine,
    model,
    logged,
    accounts,
    agents,
    schedules,
    call,
    async newConversation() {
      created += 1
      const { conversationId } = await engine.createConversation({
        commandId: `create_${created}`,
        actor: { type: 'person', userId: 'local' },
        ownerId: 'local',
        title: null,
        modelId: null,
      })
      return conversationId
    },
    stopAccepting: () => server.stopAccepting(),
    async close() {
      await schedules.scheduler.close()
      await engine.close()
      await server.close()
      await store.close()
      await rm(importsFolder, { recursive: true })
    },
  }
}

/** The same object, which says what of it is used. */
function told<Target extends object>(target: Target, onUse: (name: string) => void): Target {
  return new Proxy(target, {
    get(_, name, receiver) {
      onUse(String(name))
      return Reflect.get(target, name, receiver)
    },
  })
}
