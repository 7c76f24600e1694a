import type { ConversationContext, ConversationState, ConversationStore, Remote } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { LedgerAnswer } from '@holdfast/protocol'
import { useEffect } from 'react'

/**
 * What a conversation and its sub-agents have cost by now; asked for again after every request, and never as long as it
 * is not wanted. A sub-agent may have gone on since its log was last looked at. [COST12]
 */
export function useLedger(
  { context, store }: { readonly context: ConversationContext; readonly store: ConversationStore },
  isWanted: boolean,
): Remote<LedgerAnswer> {
  const { ledger } = context
  const version = useConversation(store, ledgerVersion)
  useEffect(() => {
    if (isWanted && version !== null) ledger.load()
  }, [isWanted, version, ledger])
  return useObservable(ledger, (state) => state)
}

/** Changes whenever something was recorded; null as long as that cannot be told. */
function ledgerVersion({ overview, caughtUp }: ConversationState): string | null {
  if (!caughtUp) return null
  const { total, subAgents } = overview.ledger
  const settledCount = Object.values(subAgents).filter(({ settledTotals }) => settledTotals !== null).length
  return `${total.requestCount} ${settledCount}`
}
