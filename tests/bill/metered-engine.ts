import {
  createModel,
  createStrictProvider,
  type RequestRecord,
  STRICT_MODELS,
  type StrictProvider,
} from '@holdfast/conformance'
import {
  type ConversationSettings,
  type Entry,
  type EntryOf,
  type EntryStore,
  isParked,
  type Overview,
} from '@holdfast/conversation'
import {
  createEngineOn,
  createInProcessBus,
  type Engine,
  type EnginePorts,
  type FactSource,
  type LiveMessage,
  readOverview,
} from '@holdfast/engine'
import { sha256, sha256Both, systemIds, systemRandom } from '@holdfast/engine/system'
import { freePrice, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, type Tool } from '@holdfast/tool'
import { createSubAgentTool } from '@holdfast/workbench'
import { until } from '../states/until.ts'
import type { WireFormat } from '../states/wire-formats.ts'
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts'

/** Who owns the conversation. */
const OWNER_ID = 'user_1'
export const PERSON = { type: 'person', userId: OWNER_ID } as const

/** The second model of a conversation: the provider's own under another name. */
export function otherModelOf({ modelId }: WireFormat): string {
  return `${modelId}-mini`
}

/** How a metered conversation is set up. */
export interface MeteredOptions {
  readonly format: WireFormat
  readonly windowTokens: number
  readonly maxOutputTokens: number
  readonly settings: ConversationSettings
  readonly tools: readonly Tool[]
  /** Names of tools that nobody is asked about. */
  readonly allowedTools: readonly string[]
  readonly facts: readonly FactSource[]
  readonly autoTitles: boolean
}

/** A request as both sides have it: our record of its usage, and what the provider counted. */
export interface MeteredRequest {
  readonly step: EntryOf<'step-started'>
  readonly usage: EntryOf<'usage-recorded'>
  readonly counted: RequestRecord
}

/** One conversation of the real engine with a real adapter, over HTTP, and a provider that counts for itself. */
export interface Metered {
  readonly engine: Engine
  readonly provider: StrictProvider
  readonly store: EntryStore
  readonly clock: ShiftedClock
  readonly conversationId: string
  /** What went wrong that no run's end tells. */
  readonly faults: readonly unknown[]
  overview(): Promise<Overview>
  log(): Promise<readonly Entry[]>
  send(text: string): Promise<void>
  /** Hears of what is published from now on; call what it returns to stop hearing. */
  hear(listener: (message: LiveMessage) => void): () => void
  /** Waits until nothing runs and nothing waits that would start by itself. A parked run counts as quiet. */
  untilQuiet(): Promise<Overview>
  /** Every request so far on both sides, of sub-agents too, in the order in which they were made. */
  requests(): Promise<readonly MeteredRequest[]>
  /** A name that no command had yet. */
  nextCommand(): string
  close(): Promise<void>
}

/** Opens a conversation that is metered on both sides. */
export async function openMetered(options: MeteredOptions): Promise<Metered> {
  const { format, tools, windowTokens, maxOutputTokens } = options
  const clock = createShiftedClock()
  const { modelId } = format
  const models = STRICT_MODELS.flatMap((model) =>
    model.id === modelId ? [model, createModel({ ...model, id: otherModelOf(format) })] : [],
  )
  const provider = await createStrictProvider({ clock: clock.provider, models })
  const { store, records } = createMemoryStore({ clock: clock.engine })
  const bus = createInProcessBus()
  const steps: EntryOf<'step-started'>[] = []
  const listeners = new Set<(message: LiveMessage) => void>()
  const faults: unknown[] = []
  const facts = withOverride(UNKNOWN_MODEL, {
    contextWindowTokens: windowTokens,
    maxOutputTokens,
    price: freePrice('local'),
    capabilities: { promptCache: true },
  })
  const port = format.open(provider.urls)
  const choices = models.map(({ id }) => ({ modelId: id, providerModelId: id, name: id, port, facts }))
  const ports: EnginePorts = {
    store,
    records,
    sha256,
    sha256Both,
    clock: clock.engine,
    ids: systemIds,
    random: systemRandom,
    bus: {
      ...bus,
      publish(message) {
        // What is published first was written first, in whichever conversation: requests keep their order.
        if (message.type === 'entries') steps.push(...message.entries.filter(isStep))
        bus.publish(message)
        for (const listener of listeners) listener(message)
      },
    },
    models: () => choices,
    toolsOf: (parent) => [...tools, createSubAgentTool({ engine, ports, parent })],
    permissions: createPermissionRules({
      defaultPolicy: 'ask',
      rules: ['run_agent', ...options.allowedTools].map((tool) => ({ effect: 'allow', tool })),
    }).policy,
    facts: options.facts,
    ...(options.autoTitles ? { autoTitles: true } : {}),
    holder: systemIds.next('run'),
  }
  const engine: Engine = createEngineOn(ports, { onFault: ({ error }) => faults.push(error) })
  const { conversationId } = await engine.createConversation({
    commandId: 'create',
    actor: PERSON,
    ownerId: OWNER_ID,
    title: null,
    modelId: null,
    settings: options.settings,
  })
  let commands = 0
  const nextCommand = (): string => `command-${++commands}`

  async function logOf(id: string): Promise<readonly Entry[]> {
    const entries: Entry[] = []
    for (;;) {
      const page = await store.read({ conversationId: id, after: entries.length, limit: 500 })
      entries.push(...page.entries)
      if (entries.length >= page.head) return entries
    }
  }

  async function overview(): Promise<Overview> {
    return (await readOverview(store, conversationId)).state
  }

  return {
    engine,
    provider,
    store,
    clock,
    conversationId,
    faults,
    overview,
    nextCommand,
    log: () => logOf(conversationId),
    async send(text) {
      const content = [{ type: 'text' as const, text }]
      await engine.sendMessage({ commandId: nextCommand(), actor: PERSON, conversationId, content, lane: 'turn' })
    },
    hear(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    untilQuiet: () =>
      until('nothing runs and nothing waits', async () => {
        const state = await overview()
        const { exclusive, side } = state.runState
        if (side.length > 0) return null
        const rests = exclusive === null ? state.queue.held || state.queue.inputs.length === 0 : isParked(exclusive)
        return rests ? state : null
      }),
    async requests() {
      const logs = await Promise.all([...new Set(steps.map((step) => step.conversationId))].map(logOf))
      const entries = logs.flat()
      const unsent = unsentSteps(entries)
      const usages = new Map(entries.flatMap((entry) => (isUsage(entry) ? [[entry.stepId, entry] as const] : [])))
      const counted = provider.requests.filter(({ operation }) => operation === 'stream' || operation === 'generate')
      const sent = counted.length === steps.length ? steps : steps.filter(({ stepId }) => !unsent.has(stepId))
      if (counted.length !== sent.length)
        throw new Error(`The engine made ${steps.length} requests and the provider saw ${counted.length}`)
      return sent.map((step, index) => {
        const usage = usages.get(step.stepId)
        const seen = counted[index]
        if (!usage || !seen) throw new Error(`Request ${step.stepId} has no record of its usage`)
        return { step, usage, counted: seen }
      })
    },
    async close() {
      await engine.close()
      await provider.close()
    },
  }
}

/** Steps without an answer whose connection broke: on a busy machine a kept connection may end before it is used again. */
function unsentSteps(entries: readonly Entry[]): ReadonlySet<string> {
  const answered = new Set(entries.flatMap((entry) => (entry.type === 'step-finished' ? [entry.stepId] : [])))
  return new Set(
    entries.flatMap((entry) => {
      const isUnsent = entry.type === 'step-failed' && entry.error.code === 'network' && !answered.has(entry.stepId)
      return isUnsent ? [entry.stepId] : []
    }),
  )
}

function isStep(entry: Entry): entry is EntryOf<'step-started'> {
  return entry.type === 'step-started'
}

function isUsage(entry: Entry): entry is EntryOf<'usage-recorded'> {
  return entry.type === 'usage-recorded'
}
