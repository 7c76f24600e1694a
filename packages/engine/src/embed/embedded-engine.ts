import {
  type Clock,
  type EntryStore,
  type Ids,
  type Random,
  type Records,
  type SomeSettings,
  settingsOver,
  USUAL_SETTINGS,
} from '@holdfast/conversation'
import { type ModelFacts, type ModelPort, UNKNOWN_MODEL } from '@holdfast/provider'
import { createPermissionRules, type Tool, type ToolRegistry } from '@holdfast/tool'
import type { Engine } from '../api/engine.ts'
import type { FactSource } from '../api/fact-source.ts'
import type { LiveBus } from '../api/live-bus.ts'
import type { EnginePorts, WorkbenchPorts } from '../api/ports.ts'
import { createInProcessBus } from '../live/in-process-bus.ts'
import { createEngineOn, type FaultOptions } from '../process/create-engine.ts'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '../system/system-ports.ts'
import { answerByRegistry } from './answer-by-registry.ts'
import { createConversation, type EmbeddedConversation } from './conversation.ts'

/** A model for programs that embed the engine. */
export interface EmbeddedModel {
  /** What its provider calls it. */
  readonly modelId: string
  readonly port: ModelPort
  /** Window and prices, where they are known: without them there is no percentage and no cost. */
  readonly facts?: ModelFacts
}

/** What an engine is made of. What is left out is the machine's own. */
export interface EngineOptions {
  readonly store: EntryStore
  readonly model: EmbeddedModel
  /** The tools with their limits and permission rules, and who is asked. Without it there are none. */
  readonly tools?: ToolRegistry
  /** Files, canvas, memories and sub-agents, from `@holdfast/workbench`; its tools come after those of the registry. */
  readonly workbench?: WorkbenchPorts
  /** Keeps rules that a person gives for all conversations; without it that scope is not offered. */
  readonly records?: Records
  readonly bus?: LiveBus
  readonly clock?: Clock
  readonly ids?: Ids
  readonly random?: Random
  /** What changes by itself and the model is to know; without it, nothing. [REQ6] */
  readonly facts?: readonly FactSource[]
  /** Who owns the conversations, and answers their questions; `local` where it is absent. */
  readonly ownerId?: string
  /** Told of a lost store or a defect; without it the run's end says so and nothing else does. */
  readonly onFault?: (fault: { readonly conversationId: string | null; readonly error: unknown }) => void
}

/** An engine, and its conversations as objects. */
export interface EmbeddedEngine extends Engine {
  /** A conversation by the id that the program gives it; it begins with its first run. */
  conversation(id: string): EmbeddedConversation
}

/**
 * Makes an engine for a program of one's own: `createEngine({ store, model, tools }).conversation('c1').run('Hello')`.
 * docs/embed.md shows it.
 */
export function createEngine(options: EngineOptions): EmbeddedEngine {
  const { store, model, tools, workbench } = options
  const bus = options.bus ?? createInProcessBus()
  const onFault: FaultOptions['onFault'] = (fault) => options.onFault?.(fault)
  const closing = new AbortController()
  const ask = tools?.ask ?? null
  const settings = settingsOver(USUAL_SETTINGS, tools ? limitsIn(tools) : {})
  const ports: EnginePorts = {
    store,
    records: options.records ?? null,
    bus,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? systemIds,
    random: options.random ?? systemRandom,
    sha256,
    sha256Both,
    models: () => [
      {
        modelId: model.modelId,
        providerModelId: model.modelId,
        name: model.modelId,
        port: model.port,
        facts: model.facts ?? UNKNOWN_MODEL,
      },
    ],
    ...workbench,
    toolsOf: (query) => [...(tools ? toolsIn(tools) : []), ...(workbench?.toolsOf(query) ?? [])],
    permissions: (tools?.permissions ?? createPermissionRules({ defaultPolicy: 'ask', rules: [] })).policy,
    settings: () => settings,
    ...(ask
      ? {
          onAsked(asked) {
            const { answerPermission } = engine
            answerByRegistry({ ask, bus, answerPermission, signal: closing.signal }, asked).catch((error: unknown) =>
              onFault({ conversationId: asked.conversationId, error }),
            )
          },
        }
      : {}),
    facts: [...(workbench?.facts ?? []), ...(options.facts ?? [])],
    holder: (options.ids ?? systemIds).next('run'),
  }
  const engine = createEngineOn(ports, { onFault })
  const unsubscribe = bus.subscribeToAll((message) => {
    if (message.type !== 'entries') return
    for (const entry of message.entries) if (entry.type === 'tool-result-late') tools?.onLate(entry)
  })
  const ownerId = options.ownerId ?? 'local'
  return {
    ...engine,
    conversation: (id) => createConversation({ ports, engine, ownerId }, id),
    async close() {
      closing.abort()
      await engine.close()
      unsubscribe()
    },
  }
}

/** How long the calls of a registry may take: it stands in the place of an installation here. */
function limitsIn({ limits: { timeoutMs, graceMs } }: ToolRegistry): SomeSettings {
  return { toolTimeoutMs: timeoutMs, toolGraceMs: graceMs }
}

function toolsIn(registry: ToolRegistry): readonly Tool[] {
  return registry.definitions().flatMap(({ name }) => registry.get(name) ?? [])
}
