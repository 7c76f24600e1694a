import type { NewEntry, Overview } from '@holdfast/conversation'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'
import { isJudgedBy, type JudgedCalls } from './judge-open-calls.ts'

/** Asks about every call that needs it, in one append; nobody is asked after a stop. [STOP6] */
export async function requestPermissions(atWork: RunAtWork, { calls, state }: JudgedCalls): Promise<void> {
  const { ports, log, runId, epoch, signal, ownerId: userId } = atWork
  const { conversationId } = log
  const about = await Promise.all(
    calls.map(async ({ call, tool, verdict }) => (verdict.type === 'asks' ? tool?.askedAbout?.(call) : undefined)),
  )
  const asked = calls.flatMap(({ open, call, verdict }, index) => {
    if (verdict.type !== 'asks') return []
    const { decision } = verdict
    const named = about[index] ?? null
    const requestId = ports.ids.next('permission')
    const request: NewEntry = {
      type: 'permission-requested',
      actor: ENGINE,
      runId,
      stepId: open.stepId,
      requestId,
      userId,
      callId: call.callId,
      tool: call.name,
      input: call.input,
      reason: named === null ? decision.reason : `${decision.reason}. ${named.words}`,
      source: decision.source,
      ...(decision.guard === null ? {} : { guard: decision.guard }),
      ...(named === null ? {} : { pinned: named.pinned }),
    }
    return [{ request, told: { conversationId, requestId, userId, call, decision } }]
  })
  if (asked.length === 0) return
  const { entries } = await log.append({ epoch, command: null, dropDraft: null }, (now) =>
    mayAct(signal, state, now) ? asked.map(({ request }) => request) : [],
  )
  if (entries.length > 0) for (const { told } of asked) ports.onAsked?.(told)
}

/** Whether what was decided about calls may be acted on: nothing stopped them, and what decides is what it was. */
export function mayAct({ aborted }: AbortSignal, judgedBy: Overview, now: Overview): boolean {
  return !aborted && isJudgedBy(judgedBy, now)
}
