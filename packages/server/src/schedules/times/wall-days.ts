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
  const date = new Date(number * DAY_MS)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + 1
  return {
    number,
    year,
    month,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    daysInMonth: new Date(Date.UTC(year, month, 0)).getUTCDate(),
  }
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
