import { receiptText } from '@holdfast/context'
import { type Json, settingsOver, USUAL_SETTINGS } from '@holdfast/conversation'
import {
  createCallIds,
  type ModelPort,
  type ModelRequest,
  ProviderError,
  type StreamPorts,
  UNKNOWN_MODEL,
  withOverride,
} from '@holdfast/provider'
import type { ToolContext } from '@holdfast/tool'
import { createSubAgentTool } from '@holdfast/workbench'
import { CanvasRefusedError } from '../../../src/api/canvas-engine.ts'
import type { Engine } from '../../../src/api/engine.ts'
import type { EnginePorts, ModelChoice } from '../../../src/api/ports.ts'
import { createEngineOn } from '../../../src/process/create-engine.ts'
import type { OwnReplica } from '../../../src/process/own-replica.ts'
import { createCanvasFact } from '../../../src/request/facts/canvas-fact.ts'
import { agentWish } from '../people/canvas-people.ts'
import { CANVAS_ELEMENTS } from '../rules/canvas-rules.ts'
import { processOf, type World } from '../world.ts'
import { type AtWork, createBeatingReplica } from './beating-replica.ts'
import type { Beside } from './beside.ts'
import { type ModelScript, makeScript } from './model-script.ts'
import type { SimulatedProcess } from './scheduler.ts'
import { sha256 } from './sha256.ts'
import { createSimulatedModel } from './simulated-model.ts'
import { SUB_AGENT_TOOL, simulatedTools, type ToolRun } from './simulated-tools.ts'
import { createStoreLine, type StoreLine } from './store-line.ts'

/** One process that runs the engine. */
export interface Replica {
  readonly process: SimulatedProcess
  readonly engine: Engine
  readonly line: StoreLine
  /** Its beats; null where each lease is renewed. */
  readonly own: OwnReplica | null
  /** What runs beside the engine; null for nothing. */
  readonly beside: Beside | null
  /** Whether it is shutting down by itself: it takes no command. */
  isClosing: boolean
  /** Whether what it still runs is to end now. */
  isEnding: boolean
}

/** The owner of every conversation. */
export const OWNER = 'user_1'

/** A model of a world, and what its provider wants back with thinking. */
interface ModelKind {
  readonly modelId: string
  readonly providerId: string
  readonly providerModelId: string
  readonly thinking: ((text: string, request: ModelRequest, number: number) => Json) | null
}

/** How deep sub-agents may call sub-agents, as in the program. */
const MOST_DEPTH = 2

/** What a sub-agent does is decided call by call, where it does it. */
const DELEGATES = { id: 'built-in:run-agent', effect: 'allow', tool: SUB_AGENT_TOOL } as const

/** What an agent draws is the conversation's own. [PERM7] */
const DRAWS = { id: 'built-in:draw', effect: 'allow', tool: 'draw' } as const

/** What makes the signature of a thinking block: its text, and the signature of the thinking before it. */
export type SealThinking = (text: string, request: ModelRequest) => Json

/** The models of every world, by what their providers want. */
export function modelKinds(seal: SealThinking): readonly ModelKind[] {
  return [
    { modelId: 'signing', providerId: 'anthropic', providerModelId: 'claude-sonnet-4-5', thinking: seal },
    {
      modelId: 'replaying',
      providerId: 'moonshot',
      providerModelId: 'kimi-k2-thinking',
      thinking: () => ({ type: 'openai-chat.reasoning' }),
    },
    { modelId: 'plain', providerId: 'openai', providerModelId: 'gpt-4.1', thinking: null },
  ]
}

const PRICE = { usdPerMillion: 10, tiers: [] }
const FACTS = withOverride(UNKNOWN_MODEL, {
  maxOutputTokens: 4_096,
  price: {
    input: PRICE,
    output: PRICE,
    cacheRead: PRICE,
    cacheCreation5m: PRICE,
    cacheCreation1h: PRICE,
    reference: 'simulated',
  },
})

/** The models, behind ports that are given. */
export function modelsOf(kinds: readonly ModelKind[], portOf: (kind: ModelKind) => ModelPort): readonly ModelChoice[] {
  return kinds.map((kind) => {
    const { modelId, providerModelId } = kind
    return { modelId, providerModelId, name: modelId, facts: FACTS, port: portOf(kind) }
  })
}

/** Starts a process with the engine in it. What it does first is under way when this returns. */
export function startReplica(
  world: World,
  kinds: readonly ModelKind[],
  { endsLeases }: { readonly endsLeases: boolean },
): Replica {
  const { chance, scheduler, parts } = world
  const { planted } = parts
  const name = `r${world.number()}`
  const running = new Set<ToolRun>()
  const answers = new Map<ModelRequest, AtWork>()
  const process = processOf(name, world.wall)
  const line = createStoreLine({
    machine: world.machine,
    scheduler,
    chance,
    process,
    isRough: () => world.isRough,
    onLost: () => world.count('lost-call'),
    witness: {
      onAppended({ conversationId }, { entries }) {
        const durable = world.machine().durable
        for (const entry of entries)
          if (entry.type === 'run-finished') checkRunning(world, { running, conversationId, runId: entry.runId, name })
        for (const entry of entries) {
          const [stored] = durable.entries(conversationId, entry.seq - 1)
          if (JSON.stringify(stored) !== JSON.stringify(entry))
            world.violate(
              'LOG8',
              `${entry.type} at ${entry.seq} of ${conversationId} was acknowledged and is not durable`,
            )
        }
      },
    },
  })
  const ownBus = world.bus.endOf(process, (message) => {
    world.look()
    world.watchOf(message.conversationId).onPublished(name, message)
  })
  const bus = planted?.bus ? planted.bus(ownBus) : ownBus
  const ownClock = scheduler.clockOf(process)
  const clock = planted?.clock ? planted.clock(ownClock) : ownClock
  const soil = { chance, bus, clock, replicas: line.replicas, records: line.records }
  const plantedStore = planted?.store ? planted.store(line.store, soil) : line.store
  const store = parts.leases === 'by-beats' ? world.owners.witnessed(name, plantedStore) : plantedStore
  const beating =
    parts.leases === 'by-beats'
      ? createBeatingReplica(world, {
          name,
          clock,
          atWork: () => [...running, ...answers.values()],
          replicas: line.replicas,
          onFault: (error) => onFault(world, `${name} beating`, error),
        })
      : null
  let made = 0
  const heard = new WeakMap<ModelRequest, () => void>()
  const models = modelsOf(kinds, (kind) => {
    return createSimulatedModel({
      providerId: kind.providerId,
      scheduler,
      process,
      onRequest: (request, ports) => {
        if (replica.isEnding) world.violate('RUN14', `${name} asked a model after it was told to close`)
        return answerTo(world, { kind, request, ports, heard, replica: name, answers })
      },
      onEvent: (request) => heard.get(request)?.(),
      onEnd: (request) => void answers.delete(request),
    })
  })
  const tools = new Map<string, ReturnType<typeof simulatedTools>>()
  const permissions: EnginePorts['permissions'] = {
    mode: 'ask',
    defaultPolicy: 'ask',
    rules: [DRAWS, ...(parts.subAgents ? [DELEGATES] : [])],
    hardDenials: [],
    workspaceRoot: '/folder',
  }
  const ownEngine = createEngineOn(
    {
      store,
      records: line.records,
      bus,
      clock,
      random: chance,
      sha256,
      sha256Both: ({ text, more }) => ({ ofText: sha256(text), ofAll: sha256(`${text}${more}`) }),
      ids: { next: (prefix) => `${prefix}_${name}_${++made}` },
      models: () => models,
      toolsOf: (parent) => {
        const { conversationId, depth } = parent
        const known = tools.get(conversationId)
        if (known) return known
        const own = simulatedTools(
          {
            chance,
            scheduler,
            process,
            faults: () => world.isRough,
            clients: parts.clients,
            onEnd: (run) => void running.delete(run),
            onRun: (run) => {
              running.add(run)
              world.look()
              world.watchOf(conversationId).onToolRun(name, run)
            },
            draw: (call) => drawn(world, { engine, conversationId }, call),
            subAgent:
              parts.subAgents && depth < MOST_DEPTH
                ? createSubAgentTool({ engine, ports: { store, bus, clock, permissions }, parent })
                : null,
          },
          conversationId,
        )
        const given = planted?.tool ? own.map(planted.tool) : own
        tools.set(conversationId, given)
        return given
      },
      permissions,
      facts: [createCanvasFact()],
      autoTitles: true,
      // One alone ends all leases when it starts.
      ...(endsLeases ? { isAlone: true } : {}),
      ...(beating ? { beats: beating.beats } : {}),
      settings: () => settingsOver(USUAL_SETTINGS, { canvasElements: CANVAS_ELEMENTS }),
      holder: name,
    },
    { onFault: ({ conversationId, error }) => onFault(world, `${name} ${conversationId}`, error) },
  )
  const engine = planted?.engine ? planted.engine(ownEngine, line.store) : ownEngine
  const beside = parts.beside?.({ ...soil, name, store, engine, violate: world.violate }) ?? null
  const own = beating?.own ?? null
  const replica: Replica = { process, engine, line, own, beside, isClosing: false, isEnding: false }
  void begin(world, replica, endsLeases)
  return replica
}

/** Nothing works on for a run that this replica has ended itself: what it began has heard of the end. [STOP5] */
function checkRunning(
  world: World,
  ended: {
    readonly running: ReadonlySet<ToolRun>
    readonly conversationId: string
    readonly runId: string
    readonly name: string
  },
): void {
  const { running, conversationId, runId, name } = ended
  const started = world.watchOf(conversationId).entries.filter((entry) => entry.type === 'tool-call-started')
  for (const run of running) {
    if (run.conversationId !== conversationId || run.signal.aborted) continue
    if (started.some((entry) => entry.callId === run.callId && entry.runId === runId))
      world.violate('STOP5', `${name} ended run ${runId}, and call ${run.callId} of ${run.name} works on unstopped`)
  }
}

/** Changes the canvas as its tools do: once for a call, and with an answer that is a refusal where it cannot be. */
async function drawn(
  { chance, watchOf }: World,
  { engine, conversationId }: { readonly engine: Engine; readonly conversationId: string },
  { callId, signal }: Pick<ToolContext, 'callId' | 'signal'>,
): Promise<string> {
  const wish = agentWish(chance, watchOf(conversationId).canvas)
  const actor = { type: 'engine' } as const
  const command = { commandId: `canvas:${conversationId}:${callId}`, actor, conversationId, wish }
  try {
    return JSON.stringify(await engine.changeCanvas({ ...command, call: { callId, signal } }))
  } catch (error) {
    if (error instanceof CanvasRefusedError) return error.message
    throw error
  }
}

/** What a process does when it starts, as the program does it. A store that fails then ends it. */
async function begin(
  world: World,
  { engine, line, process, own, beside }: Replica,
  endsLeases: boolean,
): Promise<void> {
  try {
    if (own) await own.start()
    if (endsLeases) await line.store.endLeases()
    await engine.recover()
    const rows = await line.store.listConversations({ ownerId: OWNER, archived: false, limit: 100 })
    for (const { conversationId, queuedCount } of rows) if (queuedCount > 0) await engine.resume(conversationId)
    if (beside) await beside.start()
  } catch (error) {
    onFault(world, `${process.name} starting`, error)
    process.state = 'dead'
    world.scheduler.bury(process)
  }
}

/** Codes of what may go wrong without anybody being wrong: a store that fails, a lease that was taken over. */
const EXPECTED: ReadonlySet<string> = new Set([
  ...['disk-full', 'not-writable', 'busy', 'disk-error', 'unreachable', 'closed'],
  ...['unreadable', 'store-unreadable', 'stale-epoch'],
])

/** Whether an error is the store's or the lease's, and nobody's mistake. */
export function isExpected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'StoreReadError' || error.name === 'StoreWriteError') return true
  return 'code' in error && typeof error.code === 'string' && EXPECTED.has(error.code)
}

function onFault(world: World, where: string, error: unknown): void {
  if (!isExpected(error))
    world.violate('RUN4', `${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}

interface Asked {
  readonly kind: ModelKind
  readonly request: ModelRequest
  readonly ports: Pick<StreamPorts, 'signal' | 'turn'>
  /** What is to be called when something comes in answer to a request. */
  readonly heard: WeakMap<ModelRequest, () => void>
  readonly replica: string
  /** What models answer in the replica, by their requests. */
  readonly answers: Map<ModelRequest, AtWork>
}

/** Finds the step that announced a request, checks both, and makes up the answer. */
function answerTo(world: World, { kind, request, ports, heard, replica, answers }: Asked): ModelScript {
  world.look()
  const { chance } = world
  const { signal, turn } = ports
  const made = { request, replica, hash: sha256(receiptText(request)) }
  const found = world.watches.flatMap((watch) => {
    const step = watch.requests.announced(made)
    return step ? [{ watch, step }] : []
  })
  // Two conversations may ask the same: who asks for a turn says for which.
  const first =
    found.find(({ watch }) => watch.conversationId === turn?.conversationId) ??
    found.find(({ step }) => step.stepId.includes(`_${replica}_`)) ??
    found[0]
  if (!first) world.violate('REQ1', `${replica} made a request that no step announces`)
  else {
    const { watch, step } = first
    heard.set(request, () => watch.requests.heard(step.stepId))
    watch.requests.heard(step.stepId)
    answers.set(request, { conversationId: watch.conversationId, name: `step ${step.stepId}`, signal })
    void watch.requests.made(step.stepId, made)
    if (watch.knowsStop(replica, step.runId) || signal.aborted)
      world.violate('STOP2', `Step ${step.stepId} asked its model after the stop was known`)
  }
  if (world.parts.formats.refusesThinking(request)) return refusedThinking()
  const ids = createCallIds({ messages: request.messages, next: () => `call_${replica}_${world.number()}` })
  const script = makeScript({
    chance,
    request,
    faults: world.isRough,
    clients: world.parts.clients,
    subAgents: request.tools.some((tool) => tool.name === SUB_AGENT_TOOL),
    callId: (sent) => ids.give(sent),
    thinkingState: kind.thinking && ((text) => kind.thinking?.(text, request, world.number()) ?? null),
  })
  if (script.ignoresSignal || script.acts.some(({ type }) => type !== 'part')) world.count('provider-fault')
  return script
}

function refusedThinking(): ModelScript {
  const detail = 'thinking-parameters' as const
  const error = new ProviderError('bad-request', 'Expected thinking in the last answer', { status: 400, detail })
  return { acts: [{ type: 'fail', error }], ignoresSignal: false }
}
