import type { Clock } from '@holdfast/conversation'
import { isGroupRunning, signalGroup } from './group-members.ts'

/** Between looks at whether the rest of a group has gone, in milliseconds. */
const LOOK_MS = 20

/** How long what was killed may take to be gone: one that waits inside the kernel is left to it. In milliseconds. */
const GONE_MS = 1_000

/** TERM to all of a process group that is left, and KILL after the grace. When it resolves nobody of it runs. [STOP2] */
export async function endGroup(
  groupId: number,
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
): Promise<'gone' | 'by-term' | 'by-kill'> {
  if (!isGroupRunning(groupId) || !signalGroup(groupId, 'SIGTERM')) return 'gone'
  if (await isGoneWithin(groupId, graceMs, clock)) return 'by-term'
  if (!signalGroup(groupId, 'SIGKILL')) return 'by-term'
  // A process that was killed runs until the system has come to it, on a busy machine for a while.
  if (isGroupRunning(groupId)) await isGoneWithin(groupId, GONE_MS, clock)
  return 'by-kill'
}

async function isGoneWithin(groupId: number, limitMs: number, clock: Clock): Promise<boolean> {
  const until = clock.monotonicMs() + limitMs
  while (clock.monotonicMs() < until) {
    await wait(clock, Math.min(LOOK_MS, until - clock.monotonicMs()))
    if (!isGroupRunning(groupId)) return true
  }
  return false
}

function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
