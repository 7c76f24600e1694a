import type { ConversationTool } from './conversation-engine.ts'
import { UnknownConversationError } from './engine.ts'
import { toolsByName } from './judge-call.ts'
import type { LiveLog } from './live-log.ts'
import type { EnginePorts } from './ports.ts'

/** The tools of a conversation as they are now, whether they may be called, and what they did in it. [TOOL8] */
export async function listTools(ports: EnginePorts, log: LiveLog): Promise<readonly ConversationTool[]> {
  await log.refresh()
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(log.conversationId)
  const { toolMode, includedTools = [] } = state.settings
  return [...toolsByName(ports, log.conversationId, state).values()].map(({ definition }) => ({
    definition,
    included: toolMode === 'manual' ? includedTools.includes(definition.name) : toolMode !== 'all-off',
    metrics: state.toolMetrics[definition.name] ?? null,
  }))
}
