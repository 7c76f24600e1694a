import type { Clock, Settings } from '@holdfast/conversation'
import type { ContextReport } from '../api/context-engine.ts'
import type { ModelChoice } from '../api/ports.ts'
import type { LiveLog } from '../log/live-log.ts'

/** What the contexts of conversations are, as they were asked for a moment ago. */
export interface KnownContexts {
  /** The context of a log as it stands, for a model; `make` is called where it is not known. */
  once(
    asked: { readonly log: LiveLog; readonly model: ModelChoice; readonly settings: Settings },
    make: () => Promise<ContextReport>,
  ): Promise<ContextReport>
  /** What a log says has changed without a new entry. */
  forget(conversationId: string): void
}

/** Another process may erase in a log without a word to this one: nothing is believed for longer, in milliseconds. */
const KNOWN_MS = 60_000

/** Of more conversations than this, those that were asked for first are forgotten. */
const MOST_KNOWN = 100

interface Known {
  readonly key: string
  readonly madeAt: number
  readonly report: Promise<ContextReport>
}

/**
 * Keeps them: a page that is loaded again, and every further tab, asks what it asked before, and a long conversation is
 * read far back for it, while others wait. [WIN5]
 */
export function createKnownContexts(clock: Clock): KnownContexts {
  const byConversation = new Map<string, Known>()
  return {
    once({ log, model: { modelId, providerModelId, facts }, settings }, make) {
      const { conversationId } = log
      const key = JSON.stringify([log.overview().head, modelId, providerModelId, facts, settings])
      const before = byConversation.get(conversationId)
      if (before?.key === key && clock.now() < before.madeAt + KNOWN_MS) return before.report
      const known: Known = { key, madeAt: clock.now(), report: make() }
      byConversation.delete(conversationId)
      byConversation.set(conversationId, known)
      const [oldest] = byConversation.keys()
      if (oldest !== undefined && byConversation.size > MOST_KNOWN) byConversation.delete(oldest)
      // Who asked is told of the failure; who asks next asks anew.
      known.report.catch(() => {
        if (byConversation.get(conversationId) === known) byConversation.delete(conversationId)
      })
      return known.report
    },
    forget: (conversationId) => void byConversation.delete(conversationId),
  }
}
