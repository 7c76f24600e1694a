import type { ConversationTool } from './conversation-engine.ts'
import { UnknownConversationError } from './engine.ts'
import { includedTools } from './included-tools.ts'
import { toolsByName } from './judge-call.ts'
import type { LiveLog } from './live-log.ts'
import type { EnginePorts } from './ports.ts'

/** The tools of a conversation as they are now, whether they may be called, and what they did in it. [TOOL8] */
export async function listTools(ports: EnginePorts, log: LiveLog): Promise<readonly ConversationTool[]> {
  await log.refresh()
  const state = log.overview()
  if (state.head === 0) throw new UnknownConversationError(log.conversationId)
  const tools = toolsByName(ports, log.conversationId, state)
  const included = new Set(includedTools(tools, state).map(({ definition }) => definition.name))
  return [...tools.values()].map(({ definition }) => ({
    definition,
    included: included.has(definition.name),
    metrics: state.toolMetrics[definition.name] ?? null,
  }))
}
