import { join } from 'node:path'
import type { EntryStore } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type Engine, type EnginePorts, type LiveBus } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { freePrice, HTTP_LIMITS, type ModelPort, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createAnthropicModel } from '@holdfast/provider/anthropic'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { createPermissionRules, type Tool } from '@holdfast/tool'

/** The model of the benches: it thinks, and its thinking is bound to what stands before it. */
export const MODEL_ID = 'claude-opus-5-5'
/** Who owns their conversations. */
export const OWNER_ID = 'user_1'

/** An engine on a SQLite store, as the program puts it together. */
export interface OpenedEngine {
  readonly engine: Engine
  readonly store: EntryStore
  readonly bus: LiveBus
  readonly faults: readonly unknown[]
  close(): Promise<void>
}

/** The model at an address. `url` is the base URL of the Anthropic format. */
export function modelAt(url: string): ModelPort {
  return createAnthropicModel({
    providerId: 'anthropic',
    baseUrl: url,
    apiKey: 'key-for-benches',
    headers: {},
    limits: HTTP_LIMITS,
    ids: systemIds,
    defaultMaxOutputTokens: () => 4_096,
  })
}

/** Opens an engine in a folder, with this model. Tools other than `read_note` and `run_command` ask. */
export async function openEngine({
  folder,
  port,
  toolsOf,
}: {
  readonly folder: string
  readonly port: ModelPort
  readonly toolsOf: (conversationId: string) => readonly Tool[]
}): Promise<OpenedEngine> {
  const { store, records, close } = await createSqliteStore({ dataDir: join(folder, 'data'), clock: systemClock })
  const bus = createInProcessBus()
  const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local') })
  const faults: unknown[] = []
  const ports: EnginePorts = {
    store,
    records,
    bus,
    sha256,
    sha256Both,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    models: () => [{ modelId: MODEL_ID, providerModelId: MODEL_ID, name: 'Claude', port, facts }],
    toolsOf: ({ conversationId }) => toolsOf(conversationId),
    permissions: createPermissionRules({
      defaultPolicy: 'ask',
      rules: ['read_note', 'run_command'].map((tool) => ({ effect: 'allow', tool })),
    }).policy,
    holder: systemIds.next('run'),
  }
  const engine = createEngineOn(ports, { onFault: ({ error }) => faults.push(error) })
  return {
    engine,
    store,
    bus,
    faults,
    async close() {
      await engine.close()
      await close()
    },
  }
}
