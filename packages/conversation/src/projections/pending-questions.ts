import type { EntryOf } from '../entry.ts'
import type { Projection } from '../projection.ts'

/** A question of a running call that waits for a person. */
export type PendingQuestion = Pick<
  EntryOf<'question-asked'>,
  'questionId' | 'seq' | 'at' | 'runId' | 'callId' | 'userId' | 'tool' | 'source' | 'message' | 'wish'
>

/** The questions that nobody has answered, oldest first. A run that ends leaves none open. [TOOL11] */
export const pendingQuestions: Projection<readonly PendingQuestion[]> = {
  name: 'pending-questions',
  version: 1,
  initial: [],
  reduce(state, entries) {
    const pending = new Map(state.map((question) => [question.questionId, question]))
    let changed = false
    for (const entry of entries) {
      if (entry.type === 'question-asked') {
        const { questionId, seq, at, runId, callId, userId, tool, source, message, wish } = entry
        pending.set(questionId, { questionId, seq, at, runId, callId, userId, tool, source, message, wish })
        changed = true
      }
      if (entry.type === 'question-settled') changed = pending.delete(entry.questionId) || changed
      if (entry.type === 'body-erased') changed = pending.delete(entry.of.questionId ?? '') || changed
      if (entry.type === 'run-finished') changed = dropRun(pending, entry.runId) || changed
    }
    return changed ? [...pending.values()] : state
  },
}

function dropRun(pending: Map<string, PendingQuestion>, runId: string): boolean {
  const left = [...pending.values()].filter((question) => question.runId === runId)
  for (const { questionId } of left) pending.delete(questionId)
  return left.length > 0
}
