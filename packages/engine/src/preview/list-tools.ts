import { definitionTokens, ratioOf } from '@holdfast/context'
import type { ConversationTool } from '../api/conversation-engine.ts'
import type { NewConversation } from '../api/new-conversation.ts'
import type { EnginePorts } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import { judgeCall } from '../calls/judge-call.ts'
import { alwaysRulesOf } from '../chosen/always-rules.ts'
import { modelOf } from '../chosen/chosen-model.ts'
import { fittingTools, includedTools, toolsByName, toolsQuery } from '../chosen/conversation-tools.ts'
import { beginningOf, emptyLog } from '../commands/hypothetical-beginning.ts'
import type { LiveLog } from '../log/live-log.ts'
import { hypotheticalLog } from '../request/hypothetical-log.ts'
import { roomOfTools } from '../request/room-of-tools.ts'

/** The tools of a conversation as they are now, whether they may be called, and what they did in it. [TOOL8] */
export async function listTools(ports: EnginePorts, log: LiveLog): Promise<readonly ConversationTool[]> {
  await log.refresh()
  if (log.overview().head === 0) throw new UnknownConversationError(log.conversationId)
  return toolsOf(ports, log)
}

/** The tools that a conversation would have that nobody has begun. @throws {RefusedCommandError} */
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
  const alwaysRules = await alwaysRulesOf(ports.records, toolsQuery(log.conversationId, state).ownerId)
  const judging = { ports, state, tools, alwaysRules, unattended: false, schedule: null }
  const included = new Set(
    fittingTools(includedTools(tools, state), state, roomOfTools(ports, log.requestState(), state)).sent.map(
      ({ definition }) => definition.name,
    ),
  )
  const chosen = modelOf(ports.models(), state)
  const model = chosen.type === 'found' ? chosen.choice : null
  const named = { providerId: model?.port.providerId ?? '', modelId: model?.modelId ?? '' }
  const ratio = ratioOf(log.requestState().ratios, named, ports.estimator)
  return [...tools.values()].map(({ definition }) => ({
    definition,
    included: included.has(definition.name),
    schemaTokens: definitionTokens(definition, ratio),
    permission: judgeCall(judging, { name: definition.name, input: {} }, []),
    metrics: state.toolMetrics[definition.name] ?? null,
  }))
}
