import { MalformedScheduleError, readCron } from './read-cron.ts'
import { readRrule } from './read-rrule.ts'
import { readWallTime, wallDay } from './wall-days.ts'
import type { WallPattern } from './wall-pattern.ts'
import { DAY_MINUTES, openZone, type Zone } from './zone-time.ts'

/** When a schedule runs, as it is kept. */
export type ScheduleRule =
  | { readonly type: 'cron'; readonly expression: string }
  | { readonly type: 'rrule'; readonly text: string }
  /** An instant with an offset, or a wall time in the zone of the schedule. */
  | { readonly type: 'once'; readonly at: string }
  /** No time sets it off. */
  | { readonly type: 'hook' }
  | { readonly type: 'after-schedule'; readonly scheduleId: string }
  | { readonly type: 'after-conversation'; readonly conversationId: string }
  | { readonly type: 'folder'; readonly path: string }

/** A rule with its zone, and when it was made: where it says no other beginning it begins then. */
export interface TimetableSource {
  readonly rule: ScheduleRule
  readonly timeZone: string
  /** Milliseconds since the Unix epoch. */
  readonly anchorAt: number
  /** Every run is later by so many milliseconds; absent for not at all. [SCHED24] */
  readonly delayMs?: number | undefined
}

/** The instants at which a schedule runs, in milliseconds since the Unix epoch. */
export interface Timetable {
  /** At most `count` of them after an instant and up to another, in their order. */
  between(after: number, to: number, count: number): readonly number[]
  /** The next `count` after an instant; fewer where the rule ends before. */
  after(instant: number, count: number): readonly number[]
}

const NEVER: Timetable = { between: () => [], after: () => [] }

/** A rule that does not happen for so long never does. */
const HORIZON_DAYS = 18_262
/** No hour comes again later than this, in minutes. */
const FOLD_MINUTES = 300

/**
 * Reads a rule in its time zone. [SCHED3, SCHED4]
 *
 * @throws {MalformedScheduleError}
 */
export function readTimetable({ delayMs, ...source }: TimetableSource): Timetable {
  const table = readPunctual(source)
  return delayMs === undefined || delayMs === 0 ? table : laterBy(table, delayMs)
}

function laterBy({ between, after }: Timetable, delayMs: number): Timetable {
  const later = (instants: readonly number[]): readonly number[] => instants.map((instant) => instant + delayMs)
  return {
    between: (from, to, count) => later(between(from - delayMs, to - delayMs, count)),
    after: (instant, count) => later(after(instant - delayMs, count)),
  }
}

function readPunctual({ rule, timeZone, anchorAt }: Omit<TimetableSource, 'delayMs'>): Timetable {
  const zone = openZone(timeZone)
  if (zone === null)
    throw new MalformedScheduleError(`There is no time zone "${timeZone}"; write one like Europe/Berlin or UTC.`)
  switch (rule.type) {
    case 'cron':
      return ofPattern(readCron(rule.expression), zone)
    case 'rrule':
      return ofPattern(readRrule(rule.text, { zone, anchorMinute: zone.wallOf(anchorAt) }), zone)
    case 'once':
      return onceAt(instantOf(rule.at, zone))
    case 'hook':
    case 'after-schedule':
    case 'after-conversation':
    case 'folder':
      return NEVER
  }
}

function instantOf(text: string, zone: Zone): number {
  const wall = readWallTime(text)
  if (wall !== null && text.includes('T')) return zone.instantsOf(wall)[0]
  const instant = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(instant)) throw new MalformedScheduleError(`"${text}" is no time; write it like 2026-03-29T02:30.`)
  return instant
}

function onceAt(instant: number): Timetable {
  const between = (after: number, to: number): readonly number[] => (instant > after && instant <= to ? [instant] : [])
  return { between, after: (after) => between(after, Number.POSITIVE_INFINITY) }
}

function ofPattern(pattern: WallPattern, zone: Zone): Timetable {
  function instantsOn(number: number, from: number): readonly number[] {
    const { firstMinute, lastMinute, isFrequent } = pattern
    return pattern.timesOn(wallDay(number)).flatMap((time) => {
      const wall = number * DAY_MINUTES + time
      if (wall < from || (firstMinute !== null && wall < firstMinute) || (lastMinute !== null && wall > lastMinute))
        return []
      const instants = zone.instantsOf(wall)
      return isFrequent ? instants : [instants[0]]
    })
  }

  function between(after: number, to: number, count: number): readonly number[] {
    const from = zone.wallOf(after) - FOLD_MINUTES
    const firstDay = Math.floor(Math.max(from, pattern.firstMinute ?? from) / DAY_MINUTES)
    const found = new Set<number>()
    // Around a change of the clocks the times of two days may mix: one more day is read than is needed.
    let isEnough = false
    for (let number = firstDay; number < firstDay + HORIZON_DAYS; number++) {
      const isOver = pattern.lastMinute !== null && number * DAY_MINUTES > pattern.lastMinute
      if (isOver) break
      for (const instant of instantsOn(number, from)) if (instant > after) found.add(instant)
      if (isEnough) break
      isEnough = found.size >= count || (number - 1) * DAY_MINUTES > zone.wallOf(Math.min(to, LATEST))
    }
    return [...found]
      .sort((one, other) => one - other)
      .filter((instant) => instant <= to)
      .slice(0, count)
  }

  return { between, after: (after, count) => between(after, Number.POSITIVE_INFINITY, count) }
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_000
