import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { type AgentInUse, DEFAULT_AGENT } from '@holdfast/conversation'
import type { AgentRow } from '@holdfast/protocol'

/** Whether the agent of a conversation is as it was chosen; `unknown` before the list of agents is here. */
export type AgentStanding = 'as-chosen' | 'changed' | 'gone' | 'unknown'

/** The agent of a conversation beside what it is now; null for the one that sets nothing. */
export function useAgentInUse(
  client: Client,
  store: ConversationStore,
): { readonly agent: AgentInUse | null; readonly row: AgentRow | null; readonly standing: AgentStanding } {
  const agent = useConversation(store, (state) => state.overview.settingLayers.agent)
  const rows = useObservable(client.agents, ({ value }) => value?.agents)
  const chosen = agent === null || agent.agentId === DEFAULT_AGENT.agentId ? null : agent
  const row = rows?.find(({ id }) => id === (agent?.agentId ?? DEFAULT_AGENT.agentId)) ?? null
  return { agent: chosen, row, standing: standingOf(chosen, row, rows !== undefined) }
}

function standingOf(agent: AgentInUse | null, row: AgentRow | null, isKnown: boolean): AgentStanding {
  if (agent === null) return 'as-chosen'
  if (!isKnown) return 'unknown'
  if (row === null) return 'gone'
  return row.version === agent.version ? 'as-chosen' : 'changed'
}
