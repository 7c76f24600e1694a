import type { AutoFixOutcome } from '../entries/auto-fix-entries.ts'
import type { Overview } from '../projections/overview.ts'

/** Bounds of auto-fix. [WS4] */
export const AUTO_FIX = {
  mostAttempts: 3,
  /** Errors that are sent with one message. [PREV5] */
  mostSent: 5,
  quietMs: 2_000,
  coolDownMs: 30_000,
  /** So long a page is without the errors before they count as mended. */
  cleanMs: 3_000,
  capUsd: 0.5,
} as const

/** An error of a preview, as auto-fix sees it. Times are in milliseconds since the Unix epoch. */
export interface SeenError {
  readonly signature: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** What is seen of a preview now. */
export interface SeenPreview {
  readonly previewId: string
  readonly errors: readonly SeenError[]
  /** When the page was loaded last, and with which HTTP status; null before it was. */
  readonly loaded: { readonly at: number; readonly status: number } | null
  /** Whether a person has begun to write a message. */
  readonly isWriting: boolean
}

/** What auto-fix does now. */
export type AutoFixDecision =
  | { readonly type: 'rest' }
  | { readonly type: 'wait'; readonly untilMs: number }
  | {
      readonly type: 'attempt'
      readonly attempt: number
      readonly signatures: readonly string[]
      readonly distinctCount: number
    }
  | { readonly type: 'end'; readonly outcome: AutoFixOutcome }

const REST: AutoFixDecision = { type: 'rest' }

/**
 * Says what auto-fix does, by the log and by what is seen of the page. It mends only what came after the last edit, waits
 * for quiet, and ends where an attempt did not help. [WS4, PREV5]
 */
export function decideAutoFix(state: Overview, seen: SeenPreview, now: number): AutoFixDecision {
  const { autoFix: fix, runState, queue, archived } = state
  if (!fix.isOn || fix.previewId !== seen.previewId || archived !== null) return REST
  if (fix.ended !== null && fix.ended.outcome !== 'fixed') return REST
  if (runState.exclusive !== null || queue.inputs.length > 0 || queue.held !== null) return REST
  const { last } = fix
  if (last === null) return attemptOf(state, seen, { now, fresh: newSince(seen, fix.editSince ?? fix.onSince) })
  // It was admitted and no run has taken it, or its run has not ended: the next thing that happens asks again.
  if (last.endAt === null) return REST
  const since = last.endAt
  const after = seen.errors.filter(({ lastSeenAt }) => lastSeenAt > since)
  if (after.some(({ signature }) => last.signatures.includes(signature))) return { type: 'end', outcome: 'same-error' }
  if (after.length > last.distinctCount) return { type: 'end', outcome: 'more-errors' }
  const fresh = newSince(seen, Math.max(fix.editSince ?? 0, last.at))
  if (fresh.length > 0) return attemptOf(state, seen, { now, fresh })
  if (last.isJudged) return REST
  const { loaded } = seen
  if (loaded === null || loaded.at <= since || loaded.status !== 200) return REST
  const untilMs = loaded.at + AUTO_FIX.cleanMs
  return now < untilMs ? { type: 'wait', untilMs } : { type: 'end', outcome: 'fixed' }
}

function newSince({ errors }: SeenPreview, since: number): SeenError[] {
  return errors.filter(({ firstSeenAt }) => firstSeenAt > since)
}

function attemptOf(
  { autoFix: fix }: Overview,
  { isWriting, errors }: SeenPreview,
  { now, fresh }: { readonly now: number; readonly fresh: readonly SeenError[] },
): AutoFixDecision {
  if (fresh.length === 0) return REST
  if (isWriting) return { type: 'end', outcome: 'typing' }
  if (fix.attempts >= AUTO_FIX.mostAttempts) return { type: 'end', outcome: 'attempts' }
  if (fix.costUsd >= fix.capUsd) return { type: 'end', outcome: 'budget' }
  const quietAt = Math.max(...fresh.map(({ firstSeenAt }) => firstSeenAt)) + AUTO_FIX.quietMs
  const coolAt = fix.last === null ? 0 : fix.last.at + AUTO_FIX.coolDownMs
  const untilMs = Math.max(quietAt, coolAt)
  if (now < untilMs) return { type: 'wait', untilMs }
  const signatures = fresh.slice(0, AUTO_FIX.mostSent).map(({ signature }) => signature)
  return { type: 'attempt', attempt: fix.attempts + 1, signatures, distinctCount: Math.max(errors.length, 1) }
}
