import { DAY_MINUTES } from './zone-time.ts'

/** A day of the calendar, without a zone. */
export interface WallDay {
  /** Days since 1970-01-01. */
  readonly number: number
  readonly year: number
  /** From 1. */
  readonly month: number
  /** From 1. */
  readonly day: number
  /** From 0 for Sunday. */
  readonly weekday: number
  readonly daysInMonth: number
}

/** The day with a number. */
export function wallDay(number: number): WallDay {
  // By the count of days in years that begin in March: a rule that is rare looks at thousands of days.
  const shifted = number + DAYS_BEFORE_1970
  const era = Math.floor(shifted / ERA_DAYS)
  const ofEra = shifted - era * ERA_DAYS
  const leaps = Math.floor(ofEra / 1_460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096)
  const yearOfEra = Math.floor((ofEra - leaps) / 365)
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return {
    number,
    year,
    month,
    day: ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
    weekday: (((number + THURSDAY) % 7) + 7) % 7,
    daysInMonth:
      month === 2 ? (isLeap(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31,
  }
}

/** From the first of March of the year 0. */
const DAYS_BEFORE_1970 = 719_468
/** Days of 400 years. */
const ERA_DAYS = 146_097
/** 1970-01-01 was one. */
const THURSDAY = 4

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/** The number of a day; null for one that the calendar does not have. */
export function dayNumber({ year, month, day }: Pick<WallDay, 'year' | 'month' | 'day'>): number | null {
  const number = Math.round(Date.UTC(year, month - 1, day) / DAY_MS)
  const found = wallDay(number)
  return found.year === year && found.month === month && found.day === day ? number : null
}

/** A wall time written like `2026-03-29T02:30`, or `20260329T023000`; null for one that does not exist. */
export function readWallTime(text: string): number | null {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?(\d{2}))?)?$/.exec(text)
  if (!parts) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  const number = dayNumber({ year, month, day })
  if (number === null || hour > 23 || minute > 59) return null
  return number * DAY_MINUTES + hour * 60 + minute
}

const DAY_MS = 86_400_000
