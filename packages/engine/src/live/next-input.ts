import type { Overview, WaitingInput } from '@holdfast/conversation'
import { LIMITS } from '../api/ports.ts'

/**
 * The input whose turn it is, or null when nothing is to be sent now.
 *
 * What a person sent after a stop goes first, then what was meant to steer the run before. What is held waits
 * for a person, what somebody edits waits for the edit's end, and what is archived waits until it is brought back.
 * Behind what was sent after a stop the others wait, also while that is edited: nothing passes it that was stopped.
 * [STOP9, STOP11]
 *
 * @param now - milliseconds since the Unix epoch.
 */
export function nextInput(state: Overview, now: number): WaitingInput | null {
  if (state.runState.exclusive || state.archived) return null
  const { inputs, held } = state.queue
  const isFree = (input: WaitingInput): boolean => !isLocked(input, now)
  const sentAfter = inputs.filter(({ afterStop }) => afterStop)
  if (sentAfter.length > 0) return sentAfter.find(isFree) ?? null
  if (held !== null) return null
  const due = inputs.filter(isFree)
  return due.find(({ lane }) => lane === 'steer') ?? due[0] ?? null
}

/** When the lock of a waiting input ends by itself, if that is what the queue waits for; else null. */
export function nextUnlock(state: Overview, now: number): number | null {
  const locks = state.queue.inputs.filter((input) => isLocked(input, now)).map((input) => unlockAt(input))
  return locks.length === 0 ? null : Math.min(...locks)
}

/** Whether somebody edits the input, so that it is not sent. [STOP9] */
export function isLocked(input: WaitingInput, now: number): boolean {
  return input.lockedBy !== null && now < unlockAt(input)
}

function unlockAt({ lockedAt }: WaitingInput): number {
  return (lockedAt ?? 0) + LIMITS.inputLockMs
}
