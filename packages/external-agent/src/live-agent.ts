import type { AgentChoice, PaidBy } from './agent-choice.ts'
import { AgentFailure } from './agent-failure.ts'
import type { ProcessDeps } from './agent-process.ts'
import type { TakenKinds } from './attached.ts'
import { type AgentConnection, connectAgent } from './connection.ts'
import { type Chosen, createHeldSession, type HeldSession } from './held-session.ts'
import type { HouseAddress } from './house-address.ts'
import { askModesOf, type ExternalAgent, type GatewayAddress, knownAgent } from './known-agents.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import type { OpenedSession } from './parts/opened-session.ts'
import { cannotAsk, type PointedAt, pointAgent } from './point-agent.ts'

/** A way for the requests of one conversation's agent to a model through Holdfast. */
export interface AgentGateway extends GatewayAddress {
  revoke(): void
}

/** What agents are started with. */
export interface LiveDeps extends ProcessDeps {
  /**
   * Absent where agents ask their providers themselves. Null: this one does. An implementer opens it to who is to pay and to
   * nobody else. @throws {AgentFailure} where that provider is not set up. [AGENT54]
   */
  readonly openGateway?: (asked: {
    readonly conversationId: string
    readonly userId: string
    readonly paidBy: PaidBy | null
  }) => Promise<AgentGateway | null>
  /** Absent where agents are offered no tools of Holdfast. */
  readonly openHouse?: (asked: { readonly conversationId: string; readonly userId: string }) => Promise<HouseAddress>
  /** Where files of settings are written that point agents at it; only the owner may read it. */
  readonly settingsFolder: () => string
}

/** Whose seat it is. */
export interface Seated {
  readonly conversationId: string
  readonly ownerId: string
  readonly agent: ExternalAgent
  readonly folder: string
  readonly paidBy: PaidBy | null
}

/** An agent that runs, with its session. */
export interface LiveAgent {
  readonly connection: AgentConnection
  readonly session: OpenedSession
  readonly held: HeldSession
  /** Null where the agent asks its own provider, by its own sign-in. */
  readonly gateway: AgentGateway | null
  readonly house: HouseAddress | null
  /** Whether a stop in a call takes its session with it. [AGENT38] */
  readonly losesStoppedCalls: boolean
  /** Holds it in what was chosen. @throws {AgentFailure} */
  hold(choice: AgentChoice): Promise<void>
  /** Whether what was chosen needs another start: its program knows the models that it was started with. */
  needsRestart(choice: AgentChoice): boolean
  /** What it takes beside words, by the model that it works in. [AGENT49] */
  taken(): TakenKinds
}

/** Starts an agent, opens a session and holds it in what was chosen, else in a mode that asks. [AGENT6, AGENT11, AGENT51] @throws {AgentFailure} */
export async function startAgent(deps: LiveDeps, seated: Seated, choice: AgentChoice): Promise<LiveAgent> {
  const { conversationId, ownerId, agent, folder, paidBy } = seated
  const of = { conversationId, userId: ownerId }
  const gateway = (await deps.openGateway?.({ ...of, paidBy })) ?? null
  let house: HouseAddress | null = null
  let connection: AgentConnection | null = null
  try {
    const pointed = gateway === null ? null : await pointAgent({ agent, gateway, choice }, deps.settingsFolder)
    if (pointed === null) {
      gateway?.revoke()
      if (paidBy !== null && paidBy !== 'own') throw new AgentFailure('refused', cannotAsk(agent, paidBy), {})
    }
    const env = pointed?.env ?? {}
    connection = await connectAgent(deps, { agent, folder, env, signal: new AbortController().signal })
    house = (await deps.openHouse?.(of)) ?? null
    const session = await within(deps, connection.newSession(folder, house), agent)
    const own = { agent, connection, session, pointed, house, gateway: pointed === null ? null : gateway }
    const live = liveAgent(deps, own)
    await live.hold(choice)
    return live
  } catch (error) {
    giveBack({ gateway, house })
    await connection?.close()
    throw error
  }
}

/** What an agent that has gone was given opens nothing any more. */
export function giveBack({ gateway, house }: Pick<LiveAgent, 'gateway' | 'house'>): void {
  gateway?.revoke()
  house?.revoke()
}

interface Started extends Pick<LiveAgent, 'connection' | 'session' | 'gateway' | 'house'> {
  readonly agent: ExternalAgent
  readonly pointed: PointedAt | null
}

function liveAgent(deps: LiveDeps, { agent, connection, session, pointed, gateway, house }: Started): LiveAgent {
  const payable = pointed?.models ?? []
  const held = createHeldSession({ agent, connection, session })
  const askMode = askModesOf(agent).find((id) => session.modes.some((mode) => mode.id === id)) ?? null

  /** Of what is paid for here the first model is meant where none was chosen. */
  const wantedId = (modelId: string | null): string | null => modelId ?? payable[0]?.id ?? null
  const currentId = (): string | null => held.held().modelId ?? pointed?.firstId ?? null

  /** The model that it was started with is not asked for: it may go by another name there. */
  function chosenOf({ modeId, modelId }: AgentChoice): Chosen {
    const wanted = wantedId(modelId)
    return { modeId: modeId ?? askMode, modelId: wanted === currentId() ? held.held().modelId : wanted }
  }

  return {
    connection,
    session,
    held,
    gateway,
    house,
    losesStoppedCalls: knownAgent(agent.id)?.losesStoppedCalls === true,
    hold: (choice) => within(deps, held.hold(chosenOf(choice)), agent),
    needsRestart({ modelId }) {
      const wanted = wantedId(modelId)
      if (pointed === null || wanted === currentId()) return false
      return session.models.every(({ id }) => id !== wanted) || payable.every(({ id }) => id !== wanted)
    },
    taken() {
      const { takesImages, takesEmbedded } = connection.facts
      const model = payable.find(({ id }) => id === currentId())
      const losesPicturesBeside = knownAgent(agent.id)?.losesPicturesBeside === true
      return { takesImages: takesImages && model?.takesImages !== false, takesEmbedded, losesPicturesBeside }
    },
  }
}

async function within<Value>(
  { clock }: Pick<LiveDeps, 'clock'>,
  work: Promise<Value>,
  { name }: ExternalAgent,
): Promise<Value> {
  const limit = Promise.withResolvers<never>()
  const late = `${name} opened no session within ${AGENT_LIMITS.startMs / 1_000} seconds`
  const cancel = clock.after(AGENT_LIMITS.startMs, () => limit.reject(new AgentFailure('cannot-start', late, {})))
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    work.catch(() => {})
    cancel()
  }
}
