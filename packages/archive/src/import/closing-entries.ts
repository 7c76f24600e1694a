import type { NewEntry, OpenRun, Overview } from '@holdfast/conversation'

const engine = { type: 'engine' } as const

/**
 * What closes a log that another installation left open: nothing of it runs, waits for a person, or is sent by itself
 * here. [RUN1, TOOL2, TOOL6]
 */
export function closingEntries({ runState, queue, pendingQuestions }: Overview, ownerId: string): NewEntry[] {
  const runs = [...(runState.exclusive ? [runState.exclusive] : []), ...runState.side]
  const isWaiting = queue.inputs.length > 0 && queue.held === null
  return [
    ...pendingQuestions.map(({ questionId }) => ({
      type: 'question-settled' as const,
      actor: engine,
      questionId,
      outcome: 'cancelled' as const,
      by: 'recovery' as const,
    })),
    ...runs.flatMap(closeRun),
    ...(isWaiting
      ? [
          {
            type: 'queue-held' as const,
            actor: { type: 'person' as const, userId: ownerId },
            reason: 'person' as const,
          },
        ]
      : []),
  ]
}

function closeRun({ runId, openCalls, openRequestIds }: OpenRun): NewEntry[] {
  const text = 'The imported log ends before this tool did.'
  return [
    ...openRequestIds.map((requestId) => ({
      type: 'permission-settled' as const,
      actor: engine,
      requestId,
      outcome: 'cancelled' as const,
      by: 'recovery' as const,
    })),
    ...openCalls.map(({ stepId, callId, name, started }) => ({
      type: 'tool-call-settled' as const,
      actor: engine,
      runId,
      stepId,
      callId,
      name,
      outcome: started ? ('unknown' as const) : ('not-started' as const),
      content: [{ type: 'text' as const, text }],
      durationMs: 0,
    })),
    { type: 'run-finished', actor: engine, runId, outcome: 'interrupted' },
  ]
}
