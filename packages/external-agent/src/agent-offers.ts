import type { PaidBy } from './agent-choice.ts'
import { type AgentOffer, type AgentTest, offerOf, testAgent } from './agent-test.ts'
import { type ExternalAgent, type GatewayChoice, knownAgent } from './known-agents.ts'
import type { LiveAgent, LiveDeps, Seated } from './live-agent.ts'
import { type PayableModel, payableModels, pointAgent } from './point-agent.ts'

/** What can be chosen of an agent that is paid in one way. */
export interface AgentChoices {
  /** Null where it asks by its own sign-in: then its own models are to choose from. */
  readonly payable: readonly PayableModel[] | null
  /** Null where it could not be asked: then `problem` says why, in words. */
  readonly offer: AgentOffer | null
  readonly problem: string | null
  /** Whether that is that it wants a sign-in of its own. */
  readonly isUnsigned: boolean
}

/** What is asked about the choices of an agent. */
export interface ChoicesAsked {
  readonly agent: ExternalAgent
  /** Whose answer it is: not what holds where nobody chose, but what that is. */
  readonly paidBy: PaidBy
  /** The models that it would be led to; null where it asks by its own sign-in. */
  readonly models: readonly GatewayChoice[] | null
  /** Makes an empty folder for a session that is opened to look. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Remembers what sessions offered, so that no program is started to look where one has said it already. [AGENT51] */
export interface AgentOffers {
  heard(seated: Pick<Seated, 'agent'>, live: Pick<LiveAgent, 'session' | 'connection' | 'gateway'>): void
  choices(asked: ChoicesAsked): Promise<AgentChoices>
}

/** An address that leads nowhere: a session that is opened to look asks no model. */
const NOWHERE = { origin: 'http://127.0.0.1:9/gateway', key: 'none' } as const

const NO_PROBLEM = { problem: null, isUnsigned: false } as const

/** Remembers nothing yet. */
export function createAgentOffers(
  deps: Pick<LiveDeps, 'clock' | 'environment' | 'register' | 'settingsFolder'>,
): AgentOffers {
  const known = new Map<string, { readonly agent: ExternalAgent; readonly offer: AgentOffer }>()
  /** One look at a time for each, whoever asks. */
  const looking = new Map<string, Promise<AgentTest>>()

  async function look(asked: ChoicesAsked): Promise<AgentTest> {
    const { agent, paidBy, models, folder, signal } = asked
    const choice = { modeId: null, modelId: null, paidBy }
    const pointed =
      models === null ? null : await pointAgent({ agent, gateway: { ...NOWHERE, models }, choice }, deps.settingsFolder)
    return testAgent(deps, { agent, folder, env: pointed?.env ?? {}, signal })
  }

  return {
    heard({ agent }, live) {
      known.set(keyOf(agent, live.gateway !== null), { agent, offer: offerOf(agent, live) })
    },
    async choices(asked) {
      const { agent, models } = asked
      const asKnown = knownAgent(agent.id)
      const payable = models === null || asKnown === null ? null : payableModels(asKnown, models)
      const key = keyOf(agent, payable !== null)
      const before = known.get(key)
      if (before?.agent === agent) return { payable, offer: before.offer, ...NO_PROBLEM }
      const work = looking.get(key) ?? look(asked).finally(() => looking.delete(key))
      looking.set(key, work)
      const found = await work
      if (found.type === 'fails')
        return { payable, offer: null, problem: found.text, isUnsigned: found.code === 'sign-in' }
      known.set(key, { agent, offer: found })
      return { payable, offer: found, ...NO_PROBLEM }
    },
  }
}

function keyOf({ id }: ExternalAgent, isPaidHere: boolean): string {
  return `${id} ${isPaidHere ? 'here' : 'own'}`
}
