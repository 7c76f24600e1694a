import type { Scheduled } from '@holdfast/conversation'
import { type Because, because } from './because.ts'
import type { StoredSchedule } from './schedule-record.ts'
import { openZone } from './times/zone-time.ts'

type Budget = NonNullable<Scheduled['budget']>

/** What a run may cost: by the tightest of the budgets of its schedule; null for no bound. [COST7] */
export function budgetLeft(schedule: StoredSchedule, now: number): Budget | null {
  const { runUsd, dayUsd, monthUsd } = schedule.budgets
  const { dayUsd: ofDay, monthUsd: ofMonth } = spentAt(schedule, now)
  const reserved = schedule.open.reduce((sum, { capUsd }) => sum + (capUsd ?? 0), 0)
  const within = (period: 'day' | 'month', wholeUsd: number, usedUsd: number): Budget => {
    return { limitUsd: Math.max(0, wholeUsd - usedUsd - reserved), period, wholeUsd, usedUsd }
  }
  const bounds: readonly Budget[] = [
    ...(runUsd === undefined ? [] : [{ limitUsd: runUsd, period: 'run' as const }]),
    ...(dayUsd === undefined ? [] : [within('day', dayUsd, ofDay)]),
    ...(monthUsd === undefined ? [] : [within('month', monthUsd, ofMonth)]),
  ]
  return bounds.toSorted((one, other) => one.limitUsd - other.limitUsd)[0] ?? null
}

/** Why nothing runs before the next day or month. [SCHED39] */
export function usedUp({ period, wholeUsd, usedUsd, limitUsd }: Budget): Because {
  return because({ code: 'budget-used', period, wholeUsd: wholeUsd ?? limitUsd, usedUsd: usedUsd ?? 0 })
}

/** How long it takes until the budget of a day or a month begins anew, by the zone of the schedule, in milliseconds. */
export function untilNewBudget({ timeZone }: StoredSchedule, { period }: Budget, now: number): number {
  const zone = openZone(timeZone)
  if (zone === null) return DAY_MS
  const wall = new Date(zone.wallOf(now) * MINUTE_MS)
  const isMonth = period === 'month'
  const next = Date.UTC(
    wall.getUTCFullYear(),
    wall.getUTCMonth() + (isMonth ? 1 : 0),
    isMonth ? 1 : wall.getUTCDate() + 1,
  )
  return Math.max(MINUTE_MS, zone.instantsOf(next / MINUTE_MS)[0] - now)
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** What was spent in the day and the month of an instant. */
export function spentAt(
  { spent, timeZone }: Pick<StoredSchedule, 'spent' | 'timeZone'>,
  now: number,
): StoredSchedule['spent'] {
  const day = dayIn(timeZone, now)
  const month = day.slice(0, 7)
  return {
    day,
    dayUsd: spent.day === day ? spent.dayUsd : 0,
    month,
    monthUsd: spent.month === month ? spent.monthUsd : 0,
  }
}

function dayIn(timeZone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return parts.format(now)
}
