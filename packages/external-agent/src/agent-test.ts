import { AgentFailure } from './agent-failure.ts'
import type { ProcessDeps } from './agent-process.ts'
import { connectAgent, type SessionMode } from './connection.ts'
import { askModesOf, type ExternalAgent } from './known-agents.ts'

/** What a test of an agent found. Nothing is asked of a model for it. [AGENT14] */
export type AgentTest =
  | {
      readonly type: 'works'
      readonly protocolVersion: number
      /** Of its program; null where it does not say. */
      readonly version: string | null
      readonly modes: readonly SessionMode[]
      /** The mode that its conversations are held in; null where none is known to ask. [AGENT6] */
      readonly askMode: string | null
      readonly loadsSessions: boolean
      /** Ways to sign in that it offers, in its words. */
      readonly signIns: readonly string[]
      readonly tookMs: number
    }
  | {
      readonly type: 'fails'
      readonly code: AgentFailure['code']
      readonly text: string
      readonly signIns: readonly string[]
    }

/** Starts an agent, opens a session in a folder and ends it; when the signal aborts it has ended too. [AGENT47] */
export async function testAgent(
  deps: ProcessDeps,
  asked: { readonly agent: ExternalAgent; readonly folder: string; readonly signal: AbortSignal },
): Promise<AgentTest> {
  const { agent, folder, signal } = asked
  const begunAt = deps.clock.monotonicMs()
  let signIns: readonly string[] = []
  try {
    const connection = await connectAgent(deps, { agent, folder, env: {}, signal })
    const aborted = Promise.withResolvers<never>()
    const stop = (): void =>
      aborted.reject(new AgentFailure('cannot-start', `${agent.name} opened no session in time`, {}))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const { facts } = connection
      signIns = facts.signIns
      const { modes } = await Promise.race([connection.newSession(folder, null), aborted.promise])
      return {
        type: 'works',
        protocolVersion: facts.protocolVersion,
        version: facts.version,
        modes,
        askMode: askModesOf(agent).find((id) => modes.some((mode) => mode.id === id)) ?? null,
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
