import { createHash } from 'node:crypto'
import type { Entry, EntryStore, Records } from '@holdfast/conversation'
import {
  createEngineOn,
  createInProcessBus,
  createOwnReplica,
  type Engine,
  type EnginePorts,
  type LiveMessage,
  type OwnReplica,
} from '@holdfast/engine'
import {
  createManualClock,
  createScriptedModel,
  type ManualClock,
  type ScriptedModel,
  type ScriptLine,
} from '@holdfast/engine/testing'
import {
  type BlobSource,
  freePrice,
  type ModelPart,
  type ModelRequest,
  UNKNOWN_MODEL,
  withOverride,
} from '@holdfast/provider'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'
import type { Tool } from '@holdfast/tool'
import { vi } from 'vitest'

const person = { type: 'person', userId: 'user_1' } as const

function factsOf(windowTokens: number | null) {
  return withOverride(UNKNOWN_MODEL, { price: freePrice('local'), contextWindowTokens: windowTokens })
}

/** An engine on a memory store, a manual clock and a scripted model, with one conversation. */
export interface Harness {
  readonly engine: Engine
  readonly clock: ManualClock
  readonly model: ScriptedModel
  readonly messages: readonly LiveMessage[]
  readonly faults: readonly unknown[]
  readonly conversationId: string
  readonly store: EntryStore
  readonly records: Records
  /** Its place among those that share the store; it does not beat before it is started. */
  readonly replica: OwnReplica
  /** Has the store refuse its beats, as behind a broken line, until it is called with false. */
  cutOff(isCut: boolean): void
  send(text: string, commandId: string): Promise<{ seq: number; inputId: string }>
  stop(commandId: string): Promise<{ runId: string | null; accepted: boolean }>
  log(): Promise<readonly Entry[]>
  types(): Promise<readonly string[]>
  /** Waits until the log holds an entry of this type, `count` times. */
  until(type: Entry['type'], count: number): Promise<void>
  /** Waits until this text has been published. */
  untilPublished(text: string): Promise<void>
  /** Another engine beside this one, on the same store, as another process would be. */
  beside(scripts: readonly (readonly ScriptLine[])[]): Harness
  /** Waits until the model has been asked so often. */
  untilRequests(count: number): Promise<void>
  /** Another engine on the same data, as after a kill: nothing of the old one is told. `changed` is not as it was. */
  restart(scripts: readonly (readonly ScriptLine[])[], changed?: HarnessOptions): Promise<Harness>
}

/** What is not the same in every harness. */
export interface HarnessOptions {
  readonly autoTitles?: true
  /** Leases hold by beats: each harness is a replica, which a test starts. */
  readonly beats?: true
  /** The clock that the test's own ports go by. */
  readonly clock?: ManualClock
  /** Stands before the store of the engine; the test itself reads the store behind it. */
  readonly lineTo?: (store: EntryStore) => EntryStore
  /** Ports that a test brings itself. */
  readonly ports?: Partial<
    Pick<
      EnginePorts,
      | 'workspaceOf'
      | 'strangersFiles'
      | 'changesLeftBy'
      | 'changeReviewer'
      | 'instructionsOf'
      | 'models'
      | 'onWindowLearnt'
      | 'facts'
      | 'bus'
      | 'agents'
      | 'presets'
      | 'presets'
      | 'userBudgets'
      | 'settings'
      | 'permissions'
      | 'isAlone'
    >
  >
  /** What the model says to a request, where scripts do not say it; `made` counts its turns so far. */
  readonly answer?: (request: ModelRequest, made: number) => readonly ScriptLine[]
}

/** What the model says, request by request, and the tools that it may call. */
export async function openHarness(
  scripts: readonly (readonly ScriptLine[])[],
  tools: readonly Tool[] = [],
  windowTokens: number | null = null,
  options: HarnessOptions = {},
): Promise<Harness> {
  const clock = options.clock ?? createManualClock()
  const memory = createMemoryStore({ clock })
  const harness = buildHarness({ clock, memory, scripts, tools, windowTokens, options, generation: 1 })
  await harness.engine.createConversation({
    commandId: 'create',
    actor: person,
    ownerId: 'user_1',
    title: null,
    modelId: null,
  })
  return harness
}

interface Parts {
  readonly clock: ManualClock
  readonly memory: MemoryStore
  readonly scripts: readonly (readonly ScriptLine[])[]
  readonly tools: readonly Tool[]
  readonly windowTokens: number | null
  readonly options: HarnessOptions
  readonly generation: number
}

function buildHarness({ clock, memory, scripts, tools, windowTokens, options, generation }: Parts): Harness {
  const { store } = memory
  const bus = createInProcessBus()
  const model = options.answer ? createAnsweringModel(options.answer) : createScriptedModel(scripts)
  const faults: unknown[] = []
  let made = 0
  let isCut = false
  const holder = `process_${generation}`
  const replica = createOwnReplica({
    replicas: {
      ...memory.replicas,
      async beat(beat) {
        if (isCut) throw new Error('The line is cut')
        return memory.replicas.beat(beat)
      },
    },
    clock,
    self: () => ({ replicaId: holder, host: 'machine', pid: generation, version: '1.0.0', url: null }),
    beatMs: 1_000,
    expiryMs: 3_000,
    onFault: (error) => faults.push(error),
  })
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
  const engine = createEngineOn(
    {
      store: options.lineTo?.(store) ?? store,
      records: memory.records,
      bus,
      clock,
      ids: { next: (prefix) => `${prefix}_${generation}_${++made}` },
      random: { next: () => 0.5 },
      sha256,
      sha256Both: ({ text, more }) => ({ ofText: sha256(text), ofAll: sha256(`${text}${more}`) }),
      models: () => [
        {
          modelId: 'scripted',
          providerModelId: 'scripted',
          name: 'Scripted',
          port: model,
          facts: factsOf(windowTokens),
        },
      ],
      toolsOf: () => tools,
      permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: '/folder', mode: 'ask' },
      ...(options.autoTitles ? { autoTitles: true } : {}),
      holder,
      ...(options.beats ? { beats: replica } : {}),
      ...options.ports,
    },
    { onFault: ({ error }) => faults.push(error) },
  )
  const conversationId = `conversation_${sha256('user_1\ncreate').slice(0, 24)}`
  const messages: LiveMessage[] = []
  bus.subscribe(conversationId, (message) => messages.push(message))
  const log = async (): Promise<readonly Entry[]> =>
    (await store.read({ conversationId, after: 0, limit: 1_000 })).entries
  return {
    engine,
    clock,
    model,
    messages,
    faults,
    conversationId,
    store,
    records: memory.records,
    replica,
    cutOff: (isCutNow) => {
      isCut = isCutNow
    },
    send: (text, commandId) =>
      engine.sendMessage({ commandId, actor: person, conversationId, content: [{ type: 'text', text }], lane: 'turn' }),
    stop: (commandId) => engine.stopRun({ commandId, actor: person, conversationId, runId: null, force: false }),
    log,
    types: async () => (await log()).map(({ type }) => type),
    async until(type, count) {
      await vi.waitFor(async () => {
        const found = (await log()).filter((entry) => entry.type === type).length
        if (found < count) throw new Error(`The log holds ${found} of ${count} ${type}`)
      })
    },
    async untilPublished(text) {
      await vi.waitFor(() => {
        const published = messages.map((message) => (message.type === 'delta' ? message.delta.text : '')).join('')
        if (!published.includes(text)) throw new Error(`Published so far: ${published}`)
      })
    },
    async untilRequests(count) {
      await vi.waitFor(() => {
        if (model.requests.length < count) throw new Error(`${model.requests.length} of ${count} requests are made`)
      })
    },
    beside: (next) =>
      buildHarness({ clock, memory, scripts: next, tools, windowTokens, options, generation: generation + 1 }),
    async restart(next, changed) {
      return buildHarness({
        clock,
        memory: await memory.reopen(),
        scripts: next,
        tools,
        windowTokens,
        options: { ...options, ...changed },
        generation: generation + 1,
      })
    },
  }
}

/** A model that decides what it says by what it is asked. */
function createAnsweringModel(answer: NonNullable<HarnessOptions['answer']>): ScriptedModel {
  const requests: ModelRequest[] = []
  const sources: BlobSource[] = []
  return {
    providerId: 'scripted',
    requests,
    sources,
    abortedCount: () => 0,
    proceed() {},
    async stream(request, { signal, blobs, onPart }) {
      sources.push(blobs)
      const made = request.messages.length === 0 ? 0 : turnsOf(requests)
      requests.push(request)
      for (const line of answer(request, made)) {
        if (line.type === 'throw') throw line.error
        if (isPart(line) && !signal.aborted) await onPart(line)
      }
    },
  }
}

function turnsOf(requests: readonly ModelRequest[]): number {
  return requests.filter(({ messages }) => !JSON.stringify(messages.at(-1)).includes('<summary-request>')).length
}

function isPart(line: ScriptLine): line is ModelPart {
  return line.type !== 'wait' && line.type !== 'break-off' && line.type !== 'throw'
}
