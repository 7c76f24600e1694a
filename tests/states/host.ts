import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, type EntryStore, isParked, type Overview } from '@holdfast/conversation'
import {
  createEngineOn,
  createInProcessBus,
  type Engine,
  type EnginePorts,
  type LiveBus,
  readOverview,
} from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { freePrice, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { createPermissionRules } from '@holdfast/tool'
import { createProcessRegister } from '@holdfast/tool/process'
import { createSubAgentTool } from '@holdfast/workbench'
import { until } from './until.ts'
import { type Addresses, wireFormatNamed } from './wire-formats.ts'
import { createWorkshopTools } from './workshop-tools.ts'

const OWNER_ID = 'user_1'
const person = { type: 'person', userId: OWNER_ID } as const

/** Where a host lives and whom it asks. */
export interface HostPlace {
  /** Holds the store, the register of processes, and what the tools leave. */
  readonly folder: string
  readonly urls: Addresses
  /** Name of a wire format. */
  readonly format: string
}

/** The engine of one process as the program puts it together, with one conversation. */
export interface Host {
  readonly engine: Engine
  readonly bus: LiveBus
  readonly conversationId: string
  /** What went wrong that no run's end tells. */
  readonly faults: readonly unknown[]
  /** Makes the conversation, once. */
  begin(): Promise<void>
  send(text: string, commandId: string): Promise<void>
  stop(commandId: string): Promise<void>
  allowAll(): Promise<void>
  log(conversationId: string): Promise<readonly Entry[]>
  /** Waits until some of a block of the open step is durable. */
  untilStored(conversationId: string, block: number): Promise<void>
  /** Waits until nothing runs and nothing waits that would start by itself. A parked run counts as quiet. */
  untilQuiet(): Promise<Overview>
  close(): Promise<void>
}

/** Opens the host of a folder; what an earlier process left open in it is closed first. [RUN4, RUN14] */
export async function openHost({ folder, urls, format }: HostPlace): Promise<Host> {
  mkdirSync(folder, { recursive: true })
  const wire = wireFormatNamed(format)
  const { store, records, close } = await createSqliteStore({ dataDir: join(folder, 'store'), clock: systemClock })
  const register = createProcessRegister({ folder: join(folder, 'running'), clock: systemClock, graceMs: 200 })
  const own = createWorkshopTools({ folder, clock: systemClock, register })
  const bus = createInProcessBus()
  const faults: unknown[] = []
  const { modelId } = wire
  const choice = { modelId, providerModelId: modelId, name: wire.title, port: wire.open(urls) }
  const facts = withOverride(UNKNOWN_MODEL, { price: freePrice('local') })
  const ports: EnginePorts = {
    store,
    records,
    bus,
    sha256,
    sha256Both,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    models: () => [{ ...choice, facts }],
    toolsOf: (parent) => [...own, createSubAgentTool({ engine, ports, parent })],
    permissions: createPermissionRules({
      defaultPolicy: 'ask',
      rules: ['read_note', 'run_command', 'run_agent'].map((tool) => ({ effect: 'allow', tool })),
    }).policy,
    holder: systemIds.next('run'),
  }
  const engine: Engine = createEngineOn(ports, { onFault: ({ error }) => faults.push(error) })
  const conversationId = engine.conversationIdFor(OWNER_ID, 'create')
  await Promise.all([register.endLeftOver(), store.endLeases()])
  await engine.recover()
  await resume({ store, engine })

  return {
    engine,
    bus,
    conversationId,
    faults,
    async begin() {
      await engine.createConversation({
        commandId: 'create',
        actor: person,
        ownerId: OWNER_ID,
        title: null,
        modelId: null,
        settings: { instructions: 'You tend a workshop.', parameters: { thinkingBudgetTokens: 1_024 } },
      })
    },
    async send(text, commandId) {
      const content = [{ type: 'text' as const, text }]
      await engine.sendMessage({ commandId, actor: person, conversationId, content, lane: 'turn' })
    },
    async stop(commandId) {
      await engine.stopRun({ commandId, actor: person, conversationId, runId: null, force: false })
    },
    async allowAll() {
      const { pendingPermissions } = (await readOverview(store, conversationId)).state
      for (const { requestId } of pendingPermissions) {
        const answer = { commandId: `allow:${requestId}`, actor: person, conversationId, requestId }
        await engine.answerPermission({ ...answer, decision: 'allow', scope: 'call' })
      }
    },
    log: async (id) => (await store.read({ conversationId: id, after: 0, limit: 1_000 })).entries,
    async untilStored(id, block) {
      await until(`block ${block} of ${id} is durable`, async () => {
        const deltas = (await store.readDrafts(id)).flatMap((draft) => draft.deltas)
        return deltas.some((delta) => delta.block === block && delta.text !== '') ? true : null
      })
    },
    untilQuiet: () =>
      until('nothing runs and nothing waits', async () => {
        const { state } = await readOverview(store, conversationId)
        const { exclusive } = state.runState
        const rests = exclusive === null ? state.queue.held || state.queue.inputs.length === 0 : isParked(exclusive)
        return rests ? state : null
      }),
    async close() {
      await engine.close()
      await close()
    },
  }
}

/** Goes on with what waits for nobody, as the program does when it starts. */
async function resume({ store, engine }: { readonly store: EntryStore; readonly engine: Engine }): Promise<void> {
  const rows = await store.listConversations({ ownerId: OWNER_ID, archived: false, limit: 100 })
  for (const { conversationId, queuedCount, state } of rows)
    if (queuedCount > 0 || state === 'running') await engine.resume(conversationId)
}
