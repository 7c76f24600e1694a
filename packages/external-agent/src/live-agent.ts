import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentFailure } from './agent-failure.ts'
import type { ProcessDeps } from './agent-process.ts'
import { type AgentConnection, connectAgent, type OpenedSession } from './connection.ts'
import type { HouseAddress } from './house-address.ts'
import { askModesOf, type ExternalAgent, type GatewayAddress, knownAgent } from './known-agents.ts'
import { AGENT_LIMITS } from './limits.ts'

/** A way for the requests of one conversation's agent to a model through Holdfast. */
export interface AgentGateway extends GatewayAddress {
  revoke(): void
}

/** What agents are started with. */
export interface LiveDeps extends ProcessDeps {
  /** Absent where agents ask their providers themselves. */
  readonly openGateway?: (asked: {
    readonly conversationId: string
    readonly userId: string
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
}

/** An agent that runs, with its session. */
export interface LiveAgent {
  readonly connection: AgentConnection
  readonly session: OpenedSession
  /** Null where the agent asks its own provider, by its own sign-in. */
  readonly gateway: AgentGateway | null
  readonly house: HouseAddress | null
  /** The mode that asks; null where the agent has none by a name that is known. */
  readonly pinned: string | null
  /** Whether a stop in a call takes its session with it. [AGENT38] */
  readonly losesStoppedCalls: boolean
}

/** Starts an agent, opens a session and holds it in the mode that asks. [AGENT6, AGENT11] @throws {AgentFailure} */
export async function startAgent(deps: LiveDeps, seated: Seated): Promise<LiveAgent> {
  const { conversationId, ownerId, agent, folder } = seated
  const pointed = await point(deps, { conversationId, userId: ownerId, agent })
  const gateway = pointed?.gateway ?? null
  const house = (await deps.openHouse?.({ conversationId, userId: ownerId })) ?? null
  let connection: AgentConnection | null = null
  try {
    const env = pointed?.env ?? {}
    connection = await connectAgent(deps, { agent, folder, env, signal: new AbortController().signal })
    const session = await within(deps, connection.newSession(folder, house), agent)
    const pinned = askModesOf(agent).find((id) => session.modes.some((mode) => mode.id === id)) ?? null
    if (pinned !== null && pinned !== session.currentModeId)
      await within(deps, connection.setMode(session, pinned), agent)
    const losesStoppedCalls = knownAgent(agent.id)?.losesStoppedCalls === true
    return { connection, session, gateway, house, pinned, losesStoppedCalls }
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

/** Points an agent at the gateway; null for one that asks its own provider. [AGENT35] */
async function point(
  { openGateway, settingsFolder }: LiveDeps,
  {
    conversationId,
    userId,
    agent,
  }: { readonly conversationId: string; readonly userId: string; readonly agent: ExternalAgent },
): Promise<{ readonly gateway: AgentGateway; readonly env: ExternalAgent['env'] } | null> {
  const known = knownAgent(agent.id)
  if (known === null || openGateway === undefined) return null
  const gateway = await openGateway({ conversationId, userId })
  if (gateway === null) return null
  const pointed = known.pointAt(gateway)
  if (pointed === null) {
    gateway.revoke()
    return null
  }
  const { env, settings } = pointed
  if (settings === undefined) return { gateway, env }
  const path = join(settingsFolder(), `${agent.id}.json`)
  await writeFile(path, settings.text, { mode: 0o600 })
  return { gateway, env: { ...env, [settings.variable]: path } }
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
