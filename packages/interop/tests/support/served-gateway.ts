import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import type { Entry, EntryOf, LedgerTotals } from '@holdfast/conversation'
import { createEngineOn, createInProcessBus, type Engine, type EnginePorts, readOverview } from '@holdfast/engine'
import { sha256, sha256Both, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { createScriptedModel, type ScriptLine, says } from '@holdfast/engine/testing'
import { type ModelPort, UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import type { WireForm } from '@holdfast/provider/tap'
import { createTestServer } from '@holdfast/server/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { defineTool } from '@holdfast/tool'
import * as z from 'zod'
import { createGateway, type GatewayProvider } from '../../src/index.ts'

export const GATEWAY_TOKEN = 'a-start-up-token'
export const PROVIDER_KEY = 'the-key-of-the-provider'

/** What the vendors ask for a million tokens, in US dollars, so that budgets can be told apart. */
const PRICE = { usdPerMillion: 1_000, tiers: [] }

const CALLS_HOLD: readonly ScriptLine[] = [
  { type: 'block-started', block: 0, start: { type: 'tool-call', callId: 'call_1', name: 'hold' } },
  { type: 'block-delta', block: 0, text: '{}' },
  { type: 'block-ended', block: 0 },
  { type: 'finish', finish: 'tool-calls' },
]

const OWNER_ID = 'local'
const PERSON = { type: 'person', userId: OWNER_ID } as const

/** A real server with a gateway, a real engine whose run lasts as long as a test wants, and a provider that counts. */
export interface ServedGateway {
  readonly url: string
  readonly engine: Engine
  readonly provider: StrictProvider
  readonly conversationId: string
  readonly key: string
  readonly origin: string
  readonly faults: readonly unknown[]
  revoke(): void
  /** Sends a message, and resolves when its run is at work. */
  begin(): Promise<string>
  /** Lets the run come to its end by itself, and resolves when it has. */
  release(): Promise<void>
  stop(): Promise<void>
  log(): Promise<readonly Entry[]>
  usages(): Promise<readonly (Entry & EntryOf<'usage-recorded'>)[]>
  totals(): Promise<LedgerTotals>
  setBudget(budgetUsd: number): Promise<void>
  /** Ends it as a kill does: nothing is written any more. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Which providers there are, and where; all at the strict one by default. */
export interface GatewaySetting {
  readonly forms: readonly WireForm[]
  readonly baseUrl?: string
  /** What the operator sends along with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** What an earlier process left. */
  readonly kept?: ReturnType<typeof createMemoryStore>
  readonly provider?: StrictProvider
  readonly conversationId?: string
  /** Who pays, and nobody else. */
  readonly payerId?: string
  /** Whether an agent answers, and no model. */
  readonly isAgent?: true
}

export const ALL_FORMS: readonly WireForm[] = ['anthropic', 'openai-chat', 'openai-responses', 'google']

export async function serveGateway(setting: GatewaySetting): Promise<ServedGateway> {
  const provider = setting.provider ?? (await createStrictProvider({}))
  const kept = setting.kept ?? createMemoryStore({ clock: systemClock })
  let isKilled = false
  const store = new Proxy(kept.store, {
    get(target, name, receiver) {
      // Who is dead does nothing, and fails at nothing.
      return isKilled ? () => new Promise(() => {}) : Reflect.get(target, name, receiver)
    },
  })
  const { records } = kept
  const bus = createInProcessBus()
  const faults: unknown[] = []
  let held = Promise.withResolvers<void>()
  let began = Promise.withResolvers<string>()
  const [calling, done] = [createScriptedModel([CALLS_HOLD]), createScriptedModel([says('Done.')])]
  const model: ModelPort = {
    providerId: 'scripted',
    ...(setting.isAgent ? { takesTurnsOnly: true as const } : {}),
    stream: (request, parts) => (request.messages.at(-1)?.role === 'tool' ? done : calling).stream(request, parts),
  }
  const holdTool = defineTool({
    name: 'hold',
    description: 'Holds.',
    input: z.object({}),
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async run(_, { signal }) {
      began.resolve('at work')
      const stopped = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => stopped.resolve(), { once: true })
      await Promise.race([held.promise, stopped.promise])
      return 'held'
    },
  })
  const facts = withOverride(UNKNOWN_MODEL, { contextWindowTokens: 100_000 })
  const ports: EnginePorts = {
    store,
    records,
    bus,
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    sha256,
    sha256Both,
    models: () =>
      ['scripted', 'strict-anthropic/claude-opus-5-5'].map((modelId) => {
        return { modelId, providerModelId: modelId, name: modelId, facts, port: model }
      }),
    toolsOf: () => [holdTool],
    permissions: {
      defaultPolicy: 'ask',
      rules: [{ id: 'hold', effect: 'allow', tool: 'hold' }],
      hardDenials: [],
      workspaceRoot: null,
      mode: 'ask',
    },
    holder: systemIds.next('run'),
    isAlone: true,
  }
  const engine = createEngineOn(ports, { onFault: ({ error }) => faults.push(error) })
  const address = Promise.withResolvers<string>()
  const gateway = createGateway({
    engine,
    providers: () => setting.forms.map((form) => strictAt(form, setting, provider)),
    url: () => address.promise,
    log: { error: (_, { error }) => faults.push(error) },
  })
  const server = await createTestServer({ engine, bus, store, records, token: GATEWAY_TOKEN, mounts: [gateway.bind] })
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 })
  address.resolve(url)
  await store.endLeases()
  await engine.recover()
  let commands = 0
  const command = () => ({ commandId: `${systemIds.next('run')}-${++commands}`, actor: PERSON })
  const conversationId =
    setting.conversationId ??
    (await engine.createConversation({ ...command(), ownerId: OWNER_ID, title: 'A', modelId: null })).conversationId
  const opened = await gateway.open({ conversationId, userId: OWNER_ID, providerId: setting.payerId ?? null })

  async function log(): Promise<readonly Entry[]> {
    const entries: Entry[] = []
    for (;;) {
      const page = await store.read({ conversationId, after: entries.length, limit: 500 })
      entries.push(...page.entries)
      if (entries.length >= page.head) return entries
    }
  }

  /** Resolves when the open run has ended. */
  async function ended(act: () => Promise<unknown>): Promise<void> {
    const over = Promise.withResolvers<void>()
    const stopHearing = bus.subscribeToAll((message) => {
      if (message.type === 'entries' && message.entries.some(({ type }) => type === 'run-finished')) over.resolve()
    })
    await act()
    await over.promise
    stopHearing()
  }

  return {
    url,
    engine,
    provider,
    conversationId,
    faults,
    ...opened,
    async begin() {
      held = Promise.withResolvers()
      began = Promise.withResolvers()
      const content = [{ type: 'text' as const, text: 'Go.' }]
      await engine.sendMessage({ ...command(), conversationId, content, lane: 'turn' })
      return began.promise
    },
    release: () => ended(async () => held.resolve()),
    stop: () => ended(() => engine.stopRun({ ...command(), conversationId, runId: null, force: false })),
    log,
    async usages() {
      return (await log()).flatMap((entry) =>
        entry.type === 'usage-recorded' && entry.purpose === 'gateway' ? [entry] : [],
      )
    },
    async totals() {
      const { state } = await readOverview(store, conversationId)
      return state.ledger.byPurpose['gateway'] ?? state.ledger.own
    },
    async setBudget(budgetUsd) {
      await engine.changeSettings({ ...command(), conversationId, changes: { budgetUsd } })
    },
    async kill() {
      isKilled = true
      opened.revoke()
      await server.close()
    },
    async close() {
      await engine.close()
      await server.close()
      await provider.close()
    },
  }
}

function strictAt(
  form: WireForm,
  { baseUrl, headers: more }: GatewaySetting,
  { urls }: StrictProvider,
): GatewayProvider {
  const price = {
    input: PRICE,
    output: PRICE,
    cacheRead: PRICE,
    cacheCreation5m: PRICE,
    cacheCreation1h: PRICE,
    reference: 'test',
  }
  const headers: Record<string, string> =
    form === 'anthropic'
      ? { 'x-api-key': PROVIDER_KEY }
      : form === 'google'
        ? { 'x-goog-api-key': PROVIDER_KEY }
        : { authorization: `Bearer ${PROVIDER_KEY}` }
  const at = form === 'anthropic' ? urls.anthropic : form === 'google' ? urls.gemini : urls.openai
  return {
    providerId: `strict-${form}`,
    name: `Strict ${form}`,
    forms: [form],
    baseUrl: baseUrl ?? at,
    headers: { ...headers, ...more },
    lists: () => false,
    modelOf: (name) => ({ modelId: `strict-${form}/${name}`, price, maxOutputTokens: 1_000 }),
  }
}
