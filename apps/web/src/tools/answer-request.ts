import type { ConversationStore, OutboxItem } from '@holdfast/client'
import { isArmed, isDeniable, isShownWhole } from './use-armed.ts'

/** What a person answers. */
export interface PermissionAnswer {
  readonly decision: 'allow' | 'deny'
  readonly scope: 'call' | 'conversation' | 'pattern' | 'category' | 'always'
  /** For the model, why not. */
  readonly reason: string | null
  readonly andStop: boolean
}

/** Sends a person's answer, and a stop behind it where that was chosen. */
export function answerRequest(store: ConversationStore, requestId: string, answer: PermissionAnswer): void {
  const { decision, scope, reason, andStop } = answer
  store.answerPermission({ requestId, decision, scope, ...(reason === null ? {} : { reason }) })
  if (andStop) store.stop('stop')
}

/** Whether an answer is on its way. */
export function isAnswered(outbox: readonly OutboxItem[], requestId: string): boolean {
  return outbox.some(({ command }) => command.name === 'answer-permission' && command.requestId === requestId)
}

/**
 * Answers the oldest request: Ctrl or Command with Alt and Enter allows it once, with Backspace denies it. A key that
 * is held down, and one that comes before the request has been there for a moment, means something else.
 */
export function answerByChord(store: ConversationStore, event: KeyboardEvent): void {
  if (!event.altKey || !(event.metaKey || event.ctrlKey) || event.repeat) return
  if (event.key !== 'Enter' && event.key !== 'Backspace') return
  const { overview, outbox } = store.getSnapshot()
  const request = overview.pendingPermissions.find(({ requestId }) => !isAnswered(outbox, requestId))
  const decision = event.key === 'Enter' ? 'allow' : 'deny'
  if (!request) return
  const { requestId } = request
  if (!(decision === 'allow' ? isArmed(requestId) && isShownWhole(requestId) : isDeniable(requestId))) return
  event.preventDefault()
  event.stopPropagation()
  answerRequest(store, requestId, { decision, scope: 'call', reason: null, andStop: false })
}
