import type { HistoryRange } from '../api/permission-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { Judging } from '../calls/judge-call.ts'
import { toolsByName } from '../chosen/conversation-tools.ts'
import { readOverview } from '../log/log-states.ts'
import { hypotheticalLog } from '../request/hypothetical-log.ts'
import { beginningOf, emptyLog } from './hypothetical-beginning.ts'

/**
 * The tools that the calls are judged with: those of the conversation, or those that a new one would have. Asking for
 * the tools of every conversation would take them from those that are at work.
 */
export async function toolsToJudge(
  ports: EnginePorts,
  { ownerId, conversationId }: HistoryRange,
): Promise<Judging['tools']> {
  if (conversationId !== null) {
    const { state } = await readOverview(ports.store, conversationId)
    if (state.head === 0) throw new UnknownConversationError(conversationId)
    return toolsByName(ports, conversationId, state)
  }
  const asked = { ownerId, modelId: null, agentId: null }
  const at = { store: ports.store, now: ports.clock.now() }
  const { log, state } = hypotheticalLog(at, emptyLog(asked), await beginningOf(ports, asked))
  return toolsByName(ports, log.conversationId, state)
}
