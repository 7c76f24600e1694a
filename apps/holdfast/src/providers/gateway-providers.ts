import type { Engine } from '@holdfast/engine'
import { systemClock } from '@holdfast/engine/system'
import {
  AgentFailure,
  type AgentGateway,
  type GatewayForm,
  type HouseAddress,
  type PaidBy,
} from '@holdfast/external-agent'
import {
  createGateway,
  createHouseDoor,
  type Gateway,
  type GatewayDeps,
  type GatewayModel,
  type GatewayProvider,
  type HousePort,
} from '@holdfast/interop'
import { VERSION } from '../version.ts'
import { knownModels } from './known-models.ts'
import type { ModelRegistry, RegisteredProvider } from './model-registry.ts'
import type { ProviderSetup } from './provider-setup.ts'

/** The gateway of this process. Whoever opens it waits until the server listens. */
export interface OwnGateway extends Gateway {
  readonly listensAt: (url: string) => void
  /**
   * Opens it with the models that it leads to, for an agent that is started. [AGENT35]
   * @throws {AgentFailure} where the provider that is to pay is not set up.
   */
  readonly openFor: (of: OfConversation & { readonly paidBy: PaidHere }) => Promise<AgentGateway>
  /** The models that it leads to where this one pays; null where that provider is not set up. */
  readonly reaches: (paidBy: PaidHere) => AgentGateway['models'] | null
  /** The providers that can pay, in the order in which they are tried. */
  readonly payers: () => readonly { readonly id: string; readonly name: string }[]
  /** Opens the house tools of a conversation for its agent. [AGENT41] */
  readonly openHouse: (of: OfConversation) => Promise<HouseAddress>
}

/** For whose agent something is opened. */
interface OfConversation {
  readonly conversationId: string
  readonly userId: string
}

/** Whoever fits of the providers here, or one of them: all that `paidBy` says but `own`. */
export type PaidHere = PaidBy

/** Makes what agents of this process ask at: the gateway to the providers of the registry, and the door to house tools. */
export function openGateway(deps: {
  readonly engine: Engine
  readonly models: Pick<ModelRegistry, 'providers'>
  readonly house: HousePort
  readonly log: GatewayDeps['log']
}): OwnGateway {
  const { engine, models, house, log } = deps
  const listening = Promise.withResolvers<string>()
  const gateway = createGateway({
    engine,
    providers: () => models.providers().flatMap(passableOf),
    url: () => listening.promise,
    log,
  })
  const paying = (paidBy: PaidHere) =>
    models.providers().filter(({ setup }) => paidBy === 'providers' || setup.providerId === payerOf(paidBy))
  const reaches = (paidBy: PaidHere) => {
    const found = paying(paidBy)
    return found.length === 0 && paidBy !== 'providers' ? null : reached(found)
  }
  const door = createHouseDoor({ port: house, clock: systemClock, version: VERSION, url: () => listening.promise, log })
  return {
    ...gateway,
    bind(api) {
      gateway.bind(api)
      door.bind(api)
    },
    listensAt: listening.resolve,
    reaches,
    payers: () =>
      models
        .providers()
        .flatMap(({ setup: { type, providerId: id, name } }) => (type === 'bedrock' ? [] : [{ id, name }])),
    async openFor({ paidBy, ...of }) {
      const found = reaches(paidBy)
      if (found === null) throw new AgentFailure('refused', notThere(paidBy), {})
      return { ...(await gateway.open({ ...of, providerId: payerOf(paidBy) })), models: found }
    },
    async openHouse(of) {
      const opened = await door.open(of)
      const env = { HOLDFAST_HOUSE_URL: opened.url, HOLDFAST_HOUSE_KEY: opened.key }
      return { ...opened, bridge: { command: process.execPath, args: [process.argv[1] ?? '', 'house-bridge'], env } }
    },
  }
}

/** The id of the one provider that pays; null for whoever fits. */
function payerOf(paidBy: PaidHere): string | null {
  return paidBy === 'providers' ? null : paidBy.slice('provider:'.length)
}

/** Why nobody pays. */
export function notThere(paidBy: PaidHere): string {
  return `Provider ${payerOf(paidBy)} was to pay for this conversation and is not set up any more: choose who else pays`
}

/** The models behind the gateway: those of the first provider of each form, for that one is asked. */
function reached(providers: readonly Pick<RegisteredProvider, 'setup' | 'models'>[]): AgentGateway['models'] {
  const taken = new Set<GatewayForm>()
  return providers.flatMap(({ setup, models }) => {
    const form = setup.type === 'bedrock' ? undefined : formsOf(setup).find((one) => !taken.has(one))
    if (form === undefined || models.length === 0) return []
    taken.add(form)
    return models.map(
      ({ providerModelId: id, name, facts: { contextWindowTokens, maxOutputTokens, capabilities } }) => ({
        form,
        id,
        name,
        contextWindowTokens,
        maxOutputTokens,
        takesImages: capabilities.images,
      }),
    )
  })
}

/** A provider as requests are passed on to it; none for one whose requests are signed. */
function passableOf({ setup, models }: Pick<RegisteredProvider, 'setup' | 'models'>): GatewayProvider[] {
  if (setup.type === 'bedrock') return []
  const { providerId, name, baseUrl } = setup
  const modelOf = (asked: string): GatewayModel => {
    const listed = models.find(({ providerModelId }) => providerModelId === asked)
    const known = listed ?? unlisted(setup, asked)
    return { modelId: known.modelId, price: known.facts.price, maxOutputTokens: known.facts.maxOutputTokens }
  }
  const lists = (asked: string): boolean => models.some(({ providerModelId }) => providerModelId === asked)
  return [{ providerId, name, baseUrl, forms: formsOf(setup), headers: headersOf(setup), lists, modelOf }]
}

type Passable = Exclude<ProviderSetup, { type: 'bedrock' }>

/** What the catalog knows of a model that the provider does not list. */
function unlisted(setup: Passable, asked: string) {
  const models = [{ modelId: asked, name: null, facts: {} }]
  const [known] = knownModels({ setup: { ...setup, models }, listed: null, wanted: null, atMs: Date.now() })
  if (known === undefined)
    throw new Error(`The catalog knows nothing of the one model that it was asked about: ${asked}`)
  return known
}

/** OpenAI itself speaks both of its forms; of another server only the one is known that it was set up with. */
function formsOf(setup: Passable): GatewayProvider['forms'] {
  switch (setup.type) {
    case 'anthropic':
      return ['anthropic']
    case 'google':
      return ['google']
    case 'openai-responses':
      return ['openai-responses', 'openai-chat']
    case 'openai-chat':
      return setup.vendor === 'openai' ? ['openai-chat', 'openai-responses'] : ['openai-chat']
  }
}

function headersOf(setup: Passable): Readonly<Record<string, string>> {
  const { headers } = setup
  switch (setup.type) {
    case 'anthropic':
      return { 'x-api-key': setup.apiKey, ...headers }
    case 'google':
      return { 'x-goog-api-key': setup.apiKey, ...headers }
    case 'openai-responses':
    case 'openai-chat':
      return { ...(setup.apiKey === null ? {} : { authorization: `Bearer ${setup.apiKey}` }), ...headers }
  }
}
