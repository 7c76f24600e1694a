import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { isAnswerSent, sendAnswer } from './question-answer.ts'
import { QuestionCard } from './question-card.tsx'

/** What calls of a run ask the person, oldest first. */
export function QuestionRequests({ store, runId }: { readonly store: ConversationStore; readonly runId: string }) {
  const pending = useConversation(store, (state) => state.overview.pendingQuestions)
  const outbox = useConversation(store, (state) => state.outbox)
  return pending
    .filter((question) => question.runId === runId)
    .map((question) => (
      <QuestionCard
        key={question.questionId}
        question={question}
        isAnswered={isAnswerSent(outbox, question.questionId)}
        onAnswer={(choice) => sendAnswer(store, choice)}
      />
    ))
}
