import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { answerRequest, isAnswered } from './answer-request.ts'
import { PermissionCard } from './permission-card.tsx'

/** What waits for the person in a run, oldest first. */
export function PermissionRequests({ store, runId }: { readonly store: ConversationStore; readonly runId: string }) {
  const pending = useConversation(store, (state) => state.overview.pendingPermissions)
  const outbox = useConversation(store, (state) => state.outbox)
  const requests = pending.filter((request) => request.runId === runId)
  return requests.map((request, index) => (
    <PermissionCard
      key={request.requestId}
      request={request}
      place={index + 1}
      count={requests.length}
      isAnswered={isAnswered(outbox, request.requestId)}
      onAnswer={(answer) => answerRequest(store, request.requestId, answer)}
    />
  ))
}
