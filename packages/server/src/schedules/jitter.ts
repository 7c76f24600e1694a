import type { StoredSchedule } from './schedule-record.ts'

/** How much later than its rule a schedule with this id runs, in milliseconds: whole seconds below its jitter, the same everywhere. [SCHED24] */
export function delayOf(sha256: (text: string) => string, id: string, jitterMinutes: number): number {
  const seconds = jitterMinutes * 60
  return seconds === 0 ? 0 : (Number.parseInt(sha256(`jitter ${id}`).slice(0, 12), 16) % seconds) * 1_000
}

/** A schedule with another delay: what was decided stays so, and what was not is decided at its new time. */
export function delayedBy(value: StoredSchedule, delayMs: number): StoredSchedule {
  const later = (at: number): number => Math.max(0, at + delayMs - (value.delayMs ?? 0))
  const { ahead } = value
  return {
    ...value,
    delayMs,
    cursor: later(value.cursor),
    ...(ahead ? { ahead: { ...ahead, until: later(ahead.until), taken: ahead.taken.map(later) } } : {}),
  }
}
