import { type Because, because } from './because.ts'
import type { StoredSchedule } from './schedule-record.ts'
import { FAR_MS } from './set-back.ts'
import type { Timetable } from './times/timetable.ts'

/** The newest time is on time for so long, in milliseconds: a busy server misses nothing. Those before it were missed. [SCHED34] */
const LATE_MS = 300_000
/** So many runs of one schedule may be open where they may overlap. */
const MOST_PARALLEL = 2
/** So many instants are looked at before the oldest are passed over. */
const MOST_LOOKED_AT = 5_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Instants of a schedule that were missed, joined in one line of its history. */
export interface Missed {
  readonly count: number
  /** Whether there were more than could be counted. */
  readonly isMore: boolean
  readonly firstAt: number
  readonly lastAt: number
}

/** What is to become of a schedule now. */
export interface DueDecision {
  /** Everything up to here is decided by it. */
  readonly cursor: number
  readonly missed: Missed | null
  readonly act:
    | { readonly type: 'none' }
    | { readonly type: 'run'; readonly plannedAt: number; readonly isLate: boolean }
    /** It was claimed before. */
    | { readonly type: 'pass'; readonly plannedAt: number }
    /** It waits for what is open: the one that is queued. */
    | { readonly type: 'queue'; readonly plannedAt: number }
    | { readonly type: 'skip'; readonly plannedAt: number; readonly because: Because }
}

/** When a schedule is to be looked at. */
export interface DueTime {
  readonly at: number
  /** A clock before this was set back, and it is looked at at once. */
  readonly notBefore: number
}

/** When something is due the next time; null for never, and while a person has to turn it on. */
export function nextDue({ isOn, rule, cursor, ahead }: StoredSchedule, table: Timetable): DueTime | null {
  if (!isOn || !isTimed(rule)) return null
  const at = table.after(cursor, 1)[0] ?? Number.POSITIVE_INFINITY
  return { at: Math.min(at, ahead?.until ?? at), notBefore: cursor - FAR_MS }
}

/** Whether times set it off. */
export function isTimed({ type }: StoredSchedule['rule']): boolean {
  return type === 'cron' || type === 'rrule' || type === 'once'
}

/** Decides about what is due, one run at a time; null where nothing is, or it has to wait for what is open. [SCHED7, SCHED8] */
export function decideDue(schedule: StoredSchedule, table: Timetable, now: number): DueDecision | null {
  const { isOn, cursor, open, queuedAt } = schedule
  if (!isOn) return null
  if (queuedAt !== null && open.length === 0)
    return { cursor, missed: null, act: { type: 'run', plannedAt: queuedAt, isLate: false } }
  const { instants: due, isCut } = dueInstants(table, { cursor, now })
  const newest = due.at(-1)
  const onTime = newest !== undefined && now - newest < LATE_MS ? newest : undefined
  const late = due.filter((instant) => instant !== onTime)
  const caught = late.length === 0 ? [] : caughtUp(schedule, late, { now, hasOnTime: onTime !== undefined })
  const first = caught[0] ?? onTime
  const left = late.filter((instant) => first === undefined || (instant < first && !caught.includes(instant)))
  const missed = missedOf(left, isCut)
  if (first === undefined) {
    const last = due.at(-1)
    return last === undefined ? null : { cursor: last, missed, act: { type: 'none' } }
  }
  const isLate = caught[0] !== undefined
  const room = roomFor(schedule)
  // What is made up for is not skipped because the run before it takes long, nor is what comes due meanwhile.
  const isCatchingUp = isLate || open.some((run) => run.isLate)
  if (room.type !== 'run' && isCatchingUp && schedule.missed === 'all') return null
  switch (room.type) {
    case 'run':
      return { cursor: first, missed, act: { type: 'run', plannedAt: first, isLate } }
    case 'queue':
      return { cursor: first, missed, act: { type: 'queue', plannedAt: first } }
    case 'skip':
      return { cursor: first, missed, act: { type: 'skip', plannedAt: first, because: room.because } }
  }
}

/** Whether another run of a schedule may begin beside those that are open. [SCHED8] */
export function roomFor({
  overlap,
  open,
  queuedAt,
}: Pick<StoredSchedule, 'overlap' | 'open' | 'queuedAt'>):
  | { readonly type: 'run' | 'queue' }
  | { readonly type: 'skip'; readonly because: Because } {
  if (open.length < (overlap === 'parallel' ? MOST_PARALLEL : 1)) return { type: 'run' }
  if (overlap === 'queue' && queuedAt === null) return { type: 'queue' }
  if (overlap === 'queue') return { type: 'skip', because: because({ code: 'run-waits' }) }
  return { type: 'skip', because: because({ code: 'runs-open', count: open.length }) }
}

/** Those of the missed instants that are made up for, oldest first. */
function caughtUp(
  { missed, missedLimit, missedWindowHours }: StoredSchedule,
  late: readonly number[],
  { now, hasOnTime }: { readonly now: number; readonly hasOnTime: boolean },
): readonly number[] {
  switch (missed) {
    case 'skip':
      return []
    case 'once':
      return hasOnTime ? [] : late.slice(-1)
    case 'all':
      return late.filter((instant) => now - instant <= missedWindowHours * HOUR_MS).slice(-missedLimit)
  }
}

/** Of more than can be looked at the first one and those of the last two days. */
function dueInstants(
  table: Timetable,
  { cursor, now }: { readonly cursor: number; readonly now: number },
): { readonly instants: readonly number[]; readonly isCut: boolean } {
  const due = table.between(cursor, now, MOST_LOOKED_AT)
  if (due.length < MOST_LOOKED_AT) return { instants: due, isCut: false }
  const newest = table.between(Math.max(cursor, now - 2 * DAY_MS), now, MOST_LOOKED_AT)
  return { instants: [...due.slice(0, 1), ...newest], isCut: true }
}

function missedOf(instants: readonly number[], isCut: boolean): Missed | null {
  const [firstAt] = instants
  const lastAt = instants.at(-1)
  if (firstAt === undefined || lastAt === undefined) return null
  return { count: isCut ? MOST_LOOKED_AT : instants.length, isMore: isCut, firstAt, lastAt }
}
