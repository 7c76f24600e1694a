import type { Client, ContextAnswer, ConversationState, ConversationStore, Remote } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { Overview } from '@holdfast/conversation'
import { useEffect } from 'react'

/** The log must rest for so long before the context is asked for again, in milliseconds. */
const REST_MS = 200

/** What the window of a conversation holds; asked for again after every step, and when something else changed it. */
export function useContextUse(client: Client, store: ConversationStore): Remote<ContextAnswer> {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const version = useConversation(store, heldVersion)
  const { use } = client.context(conversationId)
  useEffect(() => {
    if (version === null) return
    const timer = setTimeout(use.load, REST_MS)
    return () => clearTimeout(timer)
  }, [version, use])
  return useObservable(use, (state) => state)
}

/** Changes whenever what the window holds may have; null as long as nothing is here yet. [UI40] */
export function heldVersion({ overview, caughtUp }: Held): string | null {
  return caughtUp ? versionOf(overview) : null
}

/** Changes whenever the next request may have; null as long as it cannot be told: nothing is here yet, or calls are open. */
export function contextVersion({ overview, caughtUp }: Held): string | null {
  const openCalls = overview.runState.exclusive?.openCalls ?? []
  return caughtUp && openCalls.length === 0 ? versionOf(overview) : null
}

type Held = Pick<ConversationState, 'overview' | 'caughtUp'>

function versionOf({ runState: { exclusive }, settings, head }: Overview): string {
  const model = settings.modelId ?? ''
  return exclusive
    ? `${exclusive.runId} ${exclusive.stepCount} ${exclusive.openCalls.length} ${model}`
    : `${head} ${model}`
}
