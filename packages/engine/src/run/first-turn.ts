import { entriesAfter } from '@holdfast/conversation'
import type { LiveLog } from '../log/live-log.ts'

const PAGE = 100

/** The first turn of a log: in the conversation of a sub-agent the one that does its task. */
export async function firstTurnOf(log: LiveLog): Promise<string | null> {
  const { conversationId } = log
  for await (const { entries } of entriesAfter(log, { conversationId, after: 0, pageEntries: PAGE })) {
    const started = entries.find((entry) => entry.type === 'run-started' && entry.purpose === 'turn')
    if (started?.type === 'run-started') return started.runId
  }
  return null
}
