import type { EntryOf, Json } from '@holdfast/conversation'
import type { PermissionMode } from '../permission-rule.ts'

/** A call that a log holds, with what was decided about it. */
export interface LoggedCall {
  /** Place of the step that made it. */
  readonly seq: number
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly at: number
  readonly runId: string
  readonly callId: string
  readonly tool: string
  /** Absent where it is longer than what is kept of a call. */
  readonly input?: Json
  /** The mode of the decision; null where the log does not name it. */
  readonly mode: PermissionMode | null
  /** When strangers' words had last come before it was decided about; null before the first. [PERM7] */
  readonly strangersAt: number | null
  /** What became of it; null while nothing was decided, and where another log has the decision. */
  readonly fate: CallFate | null
}

/** What was decided about a call. */
export type CallFate =
  /** It ran, and nobody was asked. */
  | { readonly type: 'ran' }
  /** A rule or a mode denied it, and nobody was asked. */
  | { readonly type: 'denied' }
  | { readonly type: 'asked'; readonly requestId: string; readonly answer: FatedAnswer | null }

/** What settled a request for permission. `erased`: nobody knows any more what was said. [LOG9] */
export type FatedAnswer =
  | {
      readonly type: 'settled'
      readonly outcome: EntryOf<'permission-settled'>['outcome']
      readonly by: EntryOf<'permission-settled'>['by']
      readonly at: number
    }
  | { readonly type: 'erased' }

/** What a person said to a call; `unknown` where it was erased, null where no person answered. */
export function personSaid(fate: CallFate | null): 'allowed' | 'denied' | 'unknown' | null {
  if (fate?.type !== 'asked' || fate.answer === null) return null
  if (fate.answer.type === 'erased') return 'unknown'
  const { outcome, by } = fate.answer
  return by === 'person' && outcome !== 'cancelled' ? outcome : null
}

/** Whether a person said no to it, or may have. */
export function mayBeDenied(fate: CallFate | null): boolean {
  const said = personSaid(fate)
  return said === 'denied' || said === 'unknown'
}
