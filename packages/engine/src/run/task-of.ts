import { entriesAfter } from '@holdfast/conversation'
import type { LiveLog } from '../log/live-log.ts'

const PAGE = 100

/** What a sub-agent was given to do. */
export interface Task {
  readonly inputId: string
  /** The turn that it began; null where it has not been sent, or was sent in a turn that something else had begun. */
  readonly runId: string | null
}

/** The task of a sub-agent by its log: what its caller wrote there first. Null where that has written nothing. */
export async function taskOf(log: LiveLog): Promise<Task | null> {
  const { conversationId } = log
  let inputId: string | null = null
  let spokenTo: string | null = null
  for await (const { entries } of entriesAfter(log, { conversationId, after: 0, pageEntries: PAGE })) {
    for (const entry of entries) {
      if (entry.type === 'input-admitted' && entry.actor.type === 'agent') inputId ??= entry.inputId
      if (entry.type !== 'user-message-sent') continue
      if (entry.inputId === inputId) return { inputId, runId: spokenTo === entry.runId ? null : entry.runId }
      spokenTo = entry.runId
    }
  }
  return inputId === null ? null : { inputId, runId: null }
}
