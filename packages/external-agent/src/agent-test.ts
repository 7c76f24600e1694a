import { AgentFailure } from './agent-failure.ts'
import type { ProcessDeps } from './agent-process.ts'
import { type AgentConnection, connectAgent } from './connection.ts'
import { askModesOf, type ExternalAgent } from './known-agents.ts'
import type { OpenedSession, SessionChoice } from './parts/opened-session.ts'

/** A mode of an agent. */
export interface OfferedMode extends SessionChoice {
  /** Whether it is known to ask before something is changed, or to change nothing. */
  readonly asksFirst: boolean
}

/** What an agent offers to choose from. [AGENT51] */
export interface AgentOffer {
  readonly modes: readonly OfferedMode[]
  /** The mode that its conversations are held in where nobody chose; null where none is known to ask. [AGENT6] */
  readonly askMode: string | null
  readonly models: readonly SessionChoice[]
  /** The model that it takes by itself; null where it does not say. */
  readonly currentModelId: string | null
  readonly takesImages: boolean
}

/** What a test of an agent found. Nothing is asked of a model for it. [AGENT14] */
export type AgentTest =
  | (AgentOffer & {
      readonly type: 'works'
      readonly protocolVersion: number
      /** Of its program; null where it does not say. */
      readonly version: string | null
      readonly loadsSessions: boolean
      /** Ways to sign in that it offers, in its words. */
      readonly signIns: readonly string[]
      readonly tookMs: number
    })
  | {
      readonly type: 'fails'
      readonly code: AgentFailure['code']
      readonly text: string
      readonly signIns: readonly string[]
    }

/** What is started for a test, and until when. */
export interface TestedAt {
  readonly agent: ExternalAgent
  readonly folder: string
  /** Beside what the agent sets itself. */
  readonly env: ExternalAgent['env']
  readonly signal: AbortSignal
}

/** Starts an agent, opens a session in a folder and ends it; when the signal aborts it has ended too. [AGENT47] */
export async function testAgent(deps: ProcessDeps, asked: TestedAt): Promise<AgentTest> {
  const { agent, folder, env, signal } = asked
  const begunAt = deps.clock.monotonicMs()
  let signIns: readonly string[] = []
  try {
    const connection = await connectAgent(deps, { agent, folder, env, signal })
    const aborted = Promise.withResolvers<never>()
    const stop = (): void =>
      aborted.reject(new AgentFailure('cannot-start', `${agent.name} opened no session in time`, {}))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const { facts } = connection
      signIns = facts.signIns
      const session = await Promise.race([connection.newSession(folder, null), aborted.promise])
      return {
        type: 'works',
        protocolVersion: facts.protocolVersion,
        version: facts.version,
        ...offerOf(agent, { session, connection }),
        loadsSessions: facts.loadsSessions,
        signIns,
        tookMs: Math.round(deps.clock.monotonicMs() - begunAt),
      }
    } finally {
      signal.removeEventListener('abort', stop)
      await connection.close()
    }
  } catch (error) {
    if (error instanceof AgentFailure) return { type: 'fails', code: error.code, text: error.message, signIns }
    if (!signal.aborted) throw error
    return { type: 'fails', code: 'cannot-start', text: `${agent.name} did not begin to speak in time`, signIns }
  }
}

/** What a session of an agent offers. */
export function offerOf(
  agent: ExternalAgent,
  {
    session: { modes, models, currentModelId },
    connection,
  }: { readonly session: OpenedSession; readonly connection: Pick<AgentConnection, 'facts'> },
): AgentOffer {
  const asking = askModesOf(agent)
  return {
    modes: modes.map((mode) => ({ ...mode, asksFirst: asking.includes(mode.id) })),
    askMode: asking.find((id) => modes.some((mode) => mode.id === id)) ?? null,
    models,
    currentModelId,
    takesImages: connection.facts.takesImages,
  }
}
