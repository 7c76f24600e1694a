import { BEYOND_ALL_LOGS, type EntryLog, entriesBefore } from '@holdfast/conversation'
import type { RequestUsage } from '@holdfast/provider'

const PAGE = 100

/** What a piece of an agent's prompt used where its requests have records of their own. [AGENT13] */
export const COUNTED_ELSEWHERE: RequestUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  outputTokens: 0,
  thinkingTokens: 0,
  by: 'gateway',
}

/**
 * Whether all that the open piece of an agent's prompt used has records of its own, by what the log says of the agent's last
 * process: it asks by the gateway, or none has begun, and nothing was asked. [AGENT13]
 */
export async function isCountedElsewhere(log: Pick<EntryLog, 'read'>, conversationId: string): Promise<boolean> {
  for await (const { entries } of entriesBefore(log, { conversationId, before: BEYOND_ALL_LOGS, pageEntries: PAGE })) {
    const told = entries.findLast(
      (entry) => entry.type === 'agent-attached' || (entry.type === 'step-started' && entry.purpose === 'gateway'),
    )
    // Of a process from before this was noted its requests tell.
    if (told !== undefined)
      return told.type === 'step-started' || (told.type === 'agent-attached' && told.isMetered === true)
  }
  return true
}
