import type { AgentSettings } from '@holdfast/conversation'
import type { AgentSource, OfferedAgent } from '../api/agent-source.ts'

/** An agent that a person may choose. */
export function offered(agentId: string, settings: AgentSettings, about?: Partial<OfferedAgent>): OfferedAgent {
  return {
    agentId,
    name: agentId,
    avatar: null,
    version: 1,
    settings,
    origin: 'own',
    sharedBy: null,
    ...about,
  }
}

/** Agents that everyone may choose, kept in a list that a test may change. */
export function agentsOf(list: readonly OfferedAgent[]): AgentSource {
  return {
    find: async ({ agentId }) => list.find((one) => one.agentId === agentId) ?? null,
    list: async () => list,
  }
}
