import type { DraftDelta } from '@holdfast/conversation'
import type { LiveMessage } from '@holdfast/engine'
import type { Host } from './host.ts'
import type { Reached } from './states.ts'

/** Characters of a block after which it counts as streaming: more than the short calls have. */
const ENOUGH_CHARS = 30

/** Where a state was reached: the conversation, and the block that streams there, if one does. */
export interface ReachedAt {
  readonly conversationId: string
  readonly block: number | null
}

/**
 * Calls `act` once, at the very moment at which the turn is in the state, before whoever brought it there goes on.
 * States that only the provider sees are never reached here.
 */
export function watchFor({ bus, conversationId }: Host, reached: Reached, act: (at: ReachedAt) => void): void {
  const counts = new Map<string, number>()
  let isOver = false
  let steps = 0
  const own = blockLengths()
  const child = blockLengths()

  function done(at: ReachedAt): void {
    if (isOver) return
    isOver = true
    act(at)
  }

  function count(type: string): void {
    counts.set(type, (counts.get(type) ?? 0) + 1)
    if (type === 'step-started') steps += 1
    if (reached.type === 'entries' && reached.of === type && counts.get(type) === reached.count)
      done({ conversationId, block: null })
  }

  bus.subscribe(conversationId, (message: LiveMessage) => {
    switch (message.type) {
      case 'progress':
        if (reached.type === 'progress') done({ conversationId, block: null })
        return
      case 'grown':
      case 'kept-deltas':
      case 'erased':
      case 'write-failed':
        return
      case 'delta':
        if (own(message.delta) === kindOf(reached) && reached.type === 'deltas' && steps >= 2)
          done({ conversationId, block: message.delta.block })
        return
      case 'entries':
        for (const entry of message.entries) {
          count(entry.type)
          if (entry.type !== 'tool-call-started' || entry.childConversationId === undefined) continue
          const childId = entry.childConversationId
          bus.subscribe(childId, (heard) => {
            if (heard.type === 'delta' && child(heard.delta) === 'text' && reached.type === 'sub-agent-text')
              done({ conversationId: childId, block: heard.delta.block })
          })
        }
    }
  })
}

function kindOf(reached: Reached): string | null {
  return reached.type === 'deltas' ? reached.of : null
}

/** Tells the kind of the block that a delta belongs to, once enough of it has come; else null. */
function blockLengths(): (delta: DraftDelta) => string | null {
  const kinds = new Map<string, string>()
  return ({ stepId, block, offset, text, start }) => {
    const key = `${stepId}:${block}`
    if (start) kinds.set(key, start.type)
    return offset + text.length >= ENOUGH_CHARS ? (kinds.get(key) ?? null) : null
  }
}
