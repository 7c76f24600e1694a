import type { Scheduled } from '@holdfast/conversation'
import type { StoredSchedule } from './schedule-record.ts'

/** What a run may cost: by the tightest of the budgets of its schedule; null for no bound. [COST7] */
export function budgetLeft(schedule: StoredSchedule, now: number): NonNullable<Scheduled['budget']> | null {
  const { runUsd, dayUsd, monthUsd } = schedule.budgets
  const { dayUsd: ofDay, monthUsd: ofMonth } = spentAt(schedule, now)
  const reserved = schedule.open.reduce((sum, { capUsd }) => sum + (capUsd ?? 0), 0)
  const left = (limit: number, spent: number): number => Math.max(0, limit - spent - reserved)
  const bounds = [
    ...(runUsd === undefined ? [] : [{ limitUsd: runUsd, period: 'run' as const }]),
    ...(dayUsd === undefined ? [] : [{ limitUsd: left(dayUsd, ofDay), period: 'day' as const }]),
    ...(monthUsd === undefined ? [] : [{ limitUsd: left(monthUsd, ofMonth), period: 'month' as const }]),
  ]
  return bounds.sort((one, other) => one.limitUsd - other.limitUsd)[0] ?? null
}

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
