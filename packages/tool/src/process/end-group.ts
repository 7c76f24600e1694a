import type { Clock } from '@holdfast/conversation'
import { isGroupRunning, signalGroup } from './group-members.ts'

/** Between looks at whether the rest of a group has gone, in milliseconds. */
const LOOK_MS = 20

/** TERM to all of a process group that is left, and KILL after the grace. */
export async function endGroup(
  groupId: number,
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
): Promise<'gone' | 'by-term' | 'by-kill'> {
  if (!isGroupRunning(groupId) || !signalGroup(groupId, 'SIGTERM')) return 'gone'
  const until = clock.monotonicMs() + graceMs
  while (clock.monotonicMs() < until) {
    await wait(clock, Math.min(LOOK_MS, until - clock.monotonicMs()))
    if (!isGroupRunning(groupId)) return 'by-term'
  }
  return signalGroup(groupId, 'SIGKILL') ? 'by-kill' : 'by-term'
}

function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
