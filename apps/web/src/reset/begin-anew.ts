import type { Client, ConversationStore } from '@holdfast/client'
import { useEffect } from 'react'
import { navigate } from '../shared/address.ts'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { tell } from '../shared/toasts/toasts.ts'

/** Archives the conversation and begins another with its settings. Every tab that shows it follows, this one too. [LOG12] */
export function beginAnew(client: Client, conversationId: string): Promise<boolean> {
  return told(client.resetConversation(conversationId))
}

/**
 * Follows from a conversation that is shown to the one that takes its place, and offers the way back. Whoever opens
 * the archived one later stays there: that is where the link led. [LOG12]
 */
export function useFollowReset(client: Client, store: ConversationStore): void {
  useEffect(() => {
    let wasCurrent = false
    function look(): void {
      const { conversationId, overview, caughtUp } = store.getSnapshot()
      const next = overview.archived?.nextConversationId ?? null
      if (caughtUp && overview.archived === null) wasCurrent = true
      if (!wasCurrent || next === null) return
      wasCurrent = false
      navigate({ type: 'conversation', conversationId: next }, 'replace')
      tell(say('page.begun-anew'), () => void bringBack(client, conversationId))
    }
    look()
    return store.subscribe(look)
  }, [client, store])
}

/** While the reset is young this undoes it; later it brings the old conversation back beside the new one. */
async function bringBack(client: Client, conversationId: string): Promise<void> {
  const isBack = await told(client.changeConversation(conversationId, { archived: false }))
  if (isBack) navigate({ type: 'conversation', conversationId }, 'replace')
}
