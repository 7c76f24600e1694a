import type { Clock } from '@holdfast/conversation'
import type { LearntModelWindow, ModelChoice } from '@holdfast/engine'
import type { ModelRow, ModelsAnswer } from '@holdfast/protocol'
import {
  freePrice,
  type ModelPort,
  ProviderError,
  type TokenPrice,
  UNKNOWN_MODEL,
  withOverride,
} from '@holdfast/provider'
import { DEMO_SCENARIOS, DEMO_WINDOW_TOKENS } from '@holdfast/provider/demo'
import { askModels, problemOf } from './ask-models.ts'
import type { LocalServer } from './detect-local.ts'
import { knownModels, type ModelSource } from './known-models.ts'
import type { LearntWindows } from './learnt-windows.ts'
import { openPort, type PortDeps } from './open-port.ts'
import type { ProviderSetup } from './provider-setup.ts'

/** The models that there are, as far as it is known by now. */
export interface ModelRegistry {
  /** All models; the one that answers where none is chosen stands first. */
  choices(): readonly ModelChoice[]
  /** All models, for a client. */
  answer(): Omit<ModelsAnswer, 'permissionMode' | 'silence'>
  /** Asks every provider for its models. Resolves when all have answered, and at the latest after `limitMs`. */
  ask(limitMs: number): Promise<void>
  /** Asks the local servers again that did not answer, or had no model, and whoever did not list its models. Resolves after `limitMs` at the latest. */
  look(limitMs: number): Promise<void>
  /** The providers that are there, the demo not among them. */
  providers(): readonly RegisteredProvider[]
  /** Adds a provider, or another setup in the place of the one with its id, and asks it for its models. */
  put(setup: ProviderSetup): void
  /** Takes over what a refusal has taught of a model's window. [WIN8] */
  learnWindow(learnt: LearntModelWindow): void
  /** Takes a provider out; what runs with it goes on. */
  drop(providerId: string): void
  /** Gives up what is still being asked. */
  close(): void
}

/** What the registry is made of. */
export interface RegistryDeps {
  readonly setups: readonly ProviderSetup[]
  /** Servers on this machine that count only if they answer. */
  readonly local: readonly LocalServer[]
  /** Null where the operator names none. */
  readonly defaultModelId: string | null
  readonly demo: ModelPort
  readonly windows: Pick<LearntWindows, 'countingFor' | 'learn'>
  readonly clock: Clock
  readonly ports: Omit<PortDeps, 'maxOutputTokensOf'>
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/** How long a provider may take to list its models, in milliseconds. */
const LIST_MS = 15_000

/** One provider with what is known of it by now. */
export interface RegisteredProvider {
  readonly setup: ProviderSetup
  readonly port: ModelPort
  /** Whether it counts only if it answers: nobody set it up, it was looked for. */
  readonly mustAnswer: boolean
  readonly state: 'ready' | 'asking' | 'failed'
  readonly problem: string | null
  /** When it was found, in milliseconds since the Unix epoch. */
  readonly problemAt: number
  readonly models: readonly ModelChoice[]
}

interface Provider extends RegisteredProvider {
  /** Whom its models must name as their owner; null for anybody. */
  readonly owner: string | null
  state: RegisteredProvider['state']
  problem: string | null
  problemAt: number
  models: readonly ModelChoice[]
}

/** What is known of a provider before it is asked. */
const UNASKED = { state: 'asking', problem: null, problemAt: 0, models: [] } as const

/** Makes the registry. Nothing is asked before `ask`. */
export function createModelRegistry(deps: RegistryDeps): ModelRegistry {
  const { clock, warn, windows } = deps
  const closing = new AbortController()
  let providers = [
    ...deps.setups.map((setup) => open(setup, null)),
    ...deps.local.map(({ setup, owner }) => open(setup, { owner })),
  ]
  const demo: ModelChoice = {
    modelId: 'demo',
    providerModelId: 'demo',
    name: 'Demo',
    port: deps.demo,
    facts: withOverride(UNKNOWN_MODEL, { price: freePrice('demo'), contextWindowTokens: DEMO_WINDOW_TOKENS }),
  }

  function open(setup: ProviderSetup, local: Pick<LocalServer, 'owner'> | null): Provider {
    const mustAnswer = local !== null
    const maxOutputTokensOf = (modelId: string): number | null =>
      provider.models.find(({ providerModelId }) => providerModelId === modelId)?.facts.maxOutputTokens ?? null
    const port = openPort(setup, { ...deps.ports, maxOutputTokensOf })
    const owner = local?.owner ?? null
    const provider: Provider = { setup, port, mustAnswer, owner, ...UNASKED }
    provider.models = mustAnswer ? [] : choicesOf(provider, null)
    return provider
  }

  function choicesOf({ setup, port }: Provider, listed: ModelSource['listed']): readonly ModelChoice[] {
    const wanted = deps.defaultModelId
    return knownModels({ setup, listed, wanted, atMs: clock.now() }).map((model) => ({ ...model, port }))
  }

  async function askOne(provider: Provider, signal: AbortSignal): Promise<void> {
    const { setup, owner } = provider
    try {
      const listed = await askModels(setup, signal)
      // Another program listens at the port of a local server.
      if (owner !== null && !listed?.some(({ ownedBy }) => ownedBy === owner)) return
      provider.models = choicesOf(provider, listed)
      provider.state = 'ready'
      provider.problem = null
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      provider.state = 'failed'
      provider.problem = problemOf(setup, error)
      provider.problemAt = clock.now()
      if (provider.mustAnswer || closing.signal.aborted) return
      warn('a provider did not list its models', { providerId: setup.providerId, problem: provider.problem })
    }
  }

  function present(): readonly Provider[] {
    return providers.filter(({ mustAnswer, state }) => !mustAnswer || state === 'ready')
  }

  function withLearntWindow(choice: ModelChoice): ModelChoice {
    const { contextWindowTokens } = choice.facts
    const counting = windows.countingFor(choice.modelId, contextWindowTokens)
    if (counting === contextWindowTokens) return choice
    return { ...choice, facts: { ...choice.facts, contextWindowTokens: counting } }
  }

  function rowOf(choice: ModelChoice): ModelRow {
    const counting = withLearntWindow(choice)
    return counting === choice ? toRow(choice) : { ...toRow(counting), isWindowLearnt: true }
  }

  function choices(): readonly ModelChoice[] {
    const all = [...present().flatMap(({ models }) => models.map(withLearntWindow)), demo]
    const chosen = all.find(({ modelId }) => modelId === deps.defaultModelId)
    return chosen ? [chosen, ...all.filter((choice) => choice !== chosen)] : all
  }

  return {
    choices,
    providers: present,
    put(setup) {
      const provider = open(setup, null)
      const { providerId } = setup
      const place = providers.findIndex((one) => one.setup.providerId === providerId)
      providers = place === -1 ? [...providers, provider] : providers.with(place, provider)
      const limit = AbortSignal.any([closing.signal, AbortSignal.timeout(LIST_MS)])
      askOne(provider, limit).catch((error) => warn('a provider could not be asked', { providerId, error }))
    },
    learnWindow(learnt) {
      const told = present()
        .flatMap(({ models }) => models)
        .find(({ modelId }) => modelId === learnt.modelId)
      if (told) windows.learn(learnt, told.facts.contextWindowTokens)
    },
    drop(providerId) {
      providers = providers.filter(({ setup }) => setup.providerId !== providerId)
    },
    answer() {
      const rows = present().map((provider) => ({ ...standingOf(provider), models: provider.models.map(rowOf) }))
      const demoRow = { id: 'demo', name: 'Demo', state: 'ready' as const, problem: null, models: [toRow(demo)] }
      return { defaultModelId: choices()[0]?.modelId ?? null, providers: [...rows, demoRow], demo: DEMO_ROWS }
    },
    async ask(limitMs) {
      // A server of this computer that is busy, or loads a model, answers late as well. [CLI48]
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LIST_MS)])
      const asked = Promise.all(providers.map((one) => askOne(one, signal)))
      const limit = Promise.withResolvers<void>()
      const cancel = clock.after(limitMs, limit.resolve)
      // Who answers later is heard later: the list grows by itself.
      await Promise.race([asked, limit.promise])
      cancel()
    },
    async look(limitMs) {
      const limit = AbortSignal.any([closing.signal, AbortSignal.timeout(limitMs)])
      const missed = providers.filter(
        ({ mustAnswer, state, models }) => (mustAnswer && models.length === 0) || state === 'failed',
      )
      await Promise.all(missed.map((one) => askOne(one, limit)))
    },
    close: () => closing.abort(),
  }
}

/** How a provider stands, for a client. */
function standingOf({ setup, state, problem, problemAt }: Provider) {
  return { id: setup.providerId, name: setup.name, state, problem, ...(problem === null ? {} : { problemAt }) }
}

const DEMO_ROWS = DEMO_SCENARIOS.map(({ name, shows, inputTokensOf }) => ({
  name,
  shows,
  takesWords: inputTokensOf !== undefined,
}))

function toRow({ modelId, name, facts }: ModelChoice): ModelRow {
  const { contextWindowTokens, maxOutputTokens, price, capabilities } = facts
  return {
    id: modelId,
    name,
    contextWindowTokens,
    maxOutputTokens,
    price: price && {
      input: copied(price.input),
      output: copied(price.output),
      cacheRead: copied(price.cacheRead),
      cacheCreation5m: copied(price.cacheCreation5m),
      cacheCreation1h: copied(price.cacheCreation1h),
      reference: price.reference,
    },
    capabilities: { ...capabilities },
  }
}

function copied(price: TokenPrice | null) {
  return price && { usdPerMillion: price.usdPerMillion, tiers: price.tiers.map((tier) => ({ ...tier })) }
}
