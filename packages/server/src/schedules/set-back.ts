import type { Clock, StoredRecord } from '@holdfast/conversation'
import type { Occurrence, StoredSchedule } from './schedule-record.ts'
import type { Timetable } from './times/timetable.ts'

/** Who has decided further than this beyond a clock had another one: until then it waits for its time to come again. In milliseconds. */
export const FAR_MS = 86_400_000
/** Two clocks that are right differ by less than this. */
const CLOSE_MS = 600_000
/** A clock is believed when it has stood so long: one that is mended after a start, or after sleep, changes nothing. */
const BELIEVED_MS = 60_000
/** A clock that goes by itself stays within so much of what it was set to. */
const SAME_SETTING_MS = 60_000
/** Where another process undoes it, it is tried again after so many times as long, and after this at most. */
const LONGER = 8
const LONGEST_MS = FAR_MS

/** Whether this clock is far behind what was decided: it was set back, or the one before was wrong. */
export function isFarBehind({ isOn, cursor }: Pick<StoredSchedule, 'isOn' | 'cursor'>, now: number): boolean {
  return isOn && now < cursor - FAR_MS
}

/** A schedule that goes on by a clock that was set back to `from`. `taken`: what has its line in the history already. [SCHED43] */
export function setBack(
  value: StoredSchedule,
  { from, taken }: { readonly from: number; readonly taken: readonly number[] },
): StoredSchedule {
  const { ahead, cursor, anchorAt, queuedAt } = value
  const all = [...(ahead?.taken ?? []), ...taken, ...(queuedAt === null ? [] : [queuedAt])]
  return {
    ...value,
    cursor: from,
    // A rule that was made by the other clock begins by this one.
    anchorAt: Math.min(anchorAt, from),
    ahead: {
      until: Math.max(cursor, ahead?.until ?? 0),
      anchorAt: ahead?.anchorAt ?? anchorAt,
      taken: [...new Set(all)].filter((at) => at > from),
    },
  }
}

/** A schedule as a clock finds it: where that has come to what was decided before it was set back, all of that stays decided. */
export function foundAt(value: StoredSchedule, now: number): StoredSchedule {
  const { ahead, ...rest } = value
  if (ahead === undefined || now < ahead.until - CLOSE_MS) return value
  return { ...rest, cursor: Math.max(rest.cursor, ahead.until), anchorAt: ahead.anchorAt }
}

/** A timetable without what has its line already. */
export function untaken({ ahead }: Pick<StoredSchedule, 'ahead'>, table: Timetable): Timetable {
  if (ahead === undefined || ahead.taken.length === 0) return table
  const taken = new Set(ahead.taken)
  const left = (instants: readonly number[], count: number): readonly number[] =>
    instants.filter((instant) => !taken.has(instant)).slice(0, count)
  return {
    between: (after, to, count) => left(table.between(after, to, count + taken.size), count),
    after: (instant, count) => left(table.after(instant, count + taken.size), count),
  }
}

/** Lines of a history in their order; what lies far in the future ran by another clock, and comes first. */
export function inOrder(lines: readonly StoredRecord<Occurrence>[], now: number): readonly StoredRecord<Occurrence>[] {
  const ahead = lines.filter(({ value }) => value.plannedAt > now + FAR_MS)
  return [...ahead, ...lines.filter((line) => !ahead.includes(line))]
}

/** A minute of the world's time, for a person. */
export function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Sees how long a clock of this process stands far behind what was decided. */
export interface BehindWatch {
  /** Since when it stands there, once it has long enough; else how long it still has to, in milliseconds. */
  look(id: string): { readonly from: number } | { readonly waitMs: number }
}

/**
 * Makes the watch of a process. Another one whose clock is ahead puts back what was set back here: then it is tried again after
 * longer and longer, so that two that do not agree do not write without end.
 */
export function createBehindWatch(clock: Clock): BehindWatch {
  const watched = new Map<string, { setting: number; waitMs: number; seen: { at: number; ms: number } | null }>()
  return {
    look(id) {
      const [now, ms] = [clock.now(), clock.monotonicMs()]
      const before = watched.get(id)
      const isSame = before !== undefined && Math.abs(now - ms - before.setting) < SAME_SETTING_MS
      const one = isSame ? before : { setting: now - ms, waitMs: BELIEVED_MS, seen: null }
      const seen = one.seen ?? { at: now, ms }
      const leftMs = seen.ms + one.waitMs - ms
      const next =
        leftMs > 0 ? { ...one, seen } : { ...one, waitMs: Math.min(LONGEST_MS, one.waitMs * LONGER), seen: null }
      watched.set(id, next)
      return leftMs > 0 ? { waitMs: leftMs } : { from: seen.at }
    },
  }
}
