import type { EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** Since when and why a conversation is archived. */
export interface Archived {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly reason: EntryOf<'conversation-archived'>['reason']
  /** The conversation that took its place at a reset, or null. [LOG12] */
  readonly nextConversationId: string | null
}

/** Whether the conversation is archived; null while it is a current one. */
export const archived: Projection<Archived | null> = {
  name: 'archived',
  version: 1,
  initial: null,
  reduce(state, entries) {
    let next = state
    for (const entry of entries) {
      if (entry.type === 'conversation-archived')
        next = { at: entry.at, reason: entry.reason, nextConversationId: entry.nextConversationId ?? null }
      if (entry.type === 'conversation-restored') next = null
    }
    return next
  },
}
