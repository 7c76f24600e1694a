import type { Client, ContextAnswer, ConversationState, ConversationStore, Remote } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { useEffect } from 'react'

/** The log must rest for so long before the context is asked for again, in milliseconds. */
const REST_MS = 200

/** What the window of a conversation holds; asked for again after every step, and when something else changed it. */
export function useContextUse(client: Client, store: ConversationStore): Remote<ContextAnswer> {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const version = useConversation(store, contextVersion)
  const { use } = client.context(conversationId)
  useEffect(() => {
    if (version === null) return
    const timer = setTimeout(use.load, REST_MS)
    return () => clearTimeout(timer)
  }, [version, use])
  return useObservable(use, (state) => state)
}

/** Changes whenever the context may have; null as long as it cannot be told: nothing is here yet, or calls are open. */
export function contextVersion({ overview, caughtUp }: ConversationState): string | null {
  if (!caughtUp) return null
  const { exclusive } = overview.runState
  if (exclusive && exclusive.openCalls.length > 0) return null
  const model = overview.settings.modelId ?? ''
  return exclusive ? `${exclusive.runId} ${exclusive.stepCount} ${model}` : `${overview.head} ${model}`
}
