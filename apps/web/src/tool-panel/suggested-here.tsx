import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useCallback } from 'react'
import { say } from '../language/say.ts'
import { SuggestedRules } from '../rules/suggested-rules.tsx'
import { useAnswer } from '../use-answer.ts'

/** What the answers in this conversation suggest; nothing where they suggest nothing. */
export function SuggestedHere({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const ruleCount = useConversation(store, ({ overview }) => overview.permissionRules.length)
  const openCount = useConversation(store, ({ overview }) => overview.pendingPermissions.length)
  const api = client.permissionRules
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer, or another rule, asks anew
  const ask = useCallback(() => api.suggest(conversationId), [api, conversationId, ruleCount, openCount])
  const [answer, askAgain] = useAnswer(ask)
  if (answer.type !== 'here' || answer.value.suggestions.length === 0) return null
  return (
    <section className="inspector-part" data-testid="suggested-here">
      <header>
        <h3>{say('rules.suggested')}</h3>
      </header>
      <SuggestedRules
        api={api}
        conversationId={conversationId}
        suggestions={answer.value.suggestions}
        onDecided={askAgain}
      />
    </section>
  )
}
