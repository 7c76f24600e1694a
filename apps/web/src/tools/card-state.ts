import type { TranscriptCall } from '@holdfast/conversation'

/** What a tool call is doing, or how it ended. */
export type CardState =
  | 'preparing'
  | 'pending'
  | 'waiting'
  | 'running'
  | 'ok'
  | 'error'
  | 'denied'
  | 'timed-out'
  | 'aborted'
  | 'not-started'
  | 'unknown'

/** The state of a call. One that was cut inside its input, or that its run left behind, never started. */
export function cardState(call: TranscriptCall, isRunOpen: boolean): CardState {
  if (call.outcome) return call.outcome
  if (!call.complete || !isRunOpen) return call.state === 'settled' ? 'unknown' : 'not-started'
  switch (call.state) {
    case 'pending':
      return 'pending'
    case 'waiting-for-permission':
      return 'waiting'
    case 'running':
      return 'running'
    case 'settled':
      return 'unknown'
  }
}

/** Whether the card shows its body without being asked: what needs a look does. */
export function opensByItself(state: CardState): boolean {
  return state === 'error' || state === 'timed-out' || state === 'unknown'
}
