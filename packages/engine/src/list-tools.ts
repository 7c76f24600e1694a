import { definitionTokens, ratioOf } from '@holdfast/context'
import { modelOf } from './chosen-model.ts'
import type { ConversationTool } from './conversation-engine.ts'
import { UnknownConversationError } from './engine.ts'
import { beginningOf, emptyLog } from './hypothetical-beginning.ts'
import { hypotheticalLog } from './hypothetical-log.ts'
import { includedTools } from './included-tools.ts'
import { alwaysRulesOf, judgeCall, toolsByName } from './judge-call.ts'
import type { LiveLog } from './live-log.ts'
import type { NewConversation } from './new-conversation.ts'
import type { EnginePorts } from './ports.ts'

/** The tools of a conversation as they are now, whether they may be called, and what they did in it. [TOOL8] */
export async function listTools(ports: EnginePorts, log: LiveLog): Promise<readonly ConversationTool[]> {
  await log.refresh()
  if (log.overview().head === 0) throw new UnknownConversationError(log.conversationId)
  return toolsOf(ports, log)
}

/** The tools that a conversation would have that nobody has begun. @throws {UnknownModelError | UnknownAgentError} */
export async function listToolsOfNew(ports: EnginePorts, asked: NewConversation): Promise<readonly ConversationTool[]> {
  const at = { store: ports.store, now: ports.clock.now() }
  return toolsOf(ports, hypotheticalLog(at, emptyLog(asked), await beginningOf(ports, asked)).log)
}

async function toolsOf(
  ports: EnginePorts,
  log: Pick<LiveLog, 'conversationId' | 'overview' | 'requestState'>,
): Promise<readonly ConversationTool[]> {
  const state = log.overview()
  const tools = toolsByName(ports, log.conversationId, state)
  const alwaysRules = await alwaysRulesOf(ports.records, state.ownerId ?? '')
  const bench = { ports, state, tools, alwaysRules, unattended: false }
  const included = new Set(includedTools(tools, state).map(({ definition }) => definition.name))
  const chosen = modelOf(ports.models(), state)
  const model = chosen.type === 'found' ? chosen.choice : null
  const named = { providerId: model?.port.providerId ?? '', modelId: model?.modelId ?? '' }
  const ratio = ratioOf(log.requestState().ratios, named)
  return [...tools.values()].map(({ definition }) => ({
    definition,
    included: included.has(definition.name),
    schemaTokens: definitionTokens(definition, ratio),
    permission: judgeCall(bench, { name: definition.name, input: {} }, []),
    metrics: state.toolMetrics[definition.name] ?? null,
  }))
}
