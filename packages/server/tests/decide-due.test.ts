import { describe, expect, it } from 'vitest'
import { because } from '../src/schedules/because.ts'
import { budgetLeft, untilNewBudget, usedUp } from '../src/schedules/budget-left.ts'
import { decideDue } from '../src/schedules/decide-due.ts'
import type { StoredSchedule } from '../src/schedules/schedule-record.ts'
import { readTimetable } from '../src/schedules/times/timetable.ts'
import { storedSchedule } from './support/schedule-bench.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const start = Date.parse('2026-03-27T12:00:00Z')

function decide(changes: Partial<StoredSchedule>, now: number) {
  const value = { ...storedSchedule(start), ...changes }
  return decideDue(value, readTimetable(value), now)
}

const open = (plannedAt: number) => ({ plannedAt, conversationId: 'c', inputId: 'i', isLate: false, capUsd: null })

describe('what is due', () => {
  it('[SCHED7] makes up for the newest, for none or for some of what was missed in three days', () => {
    const now = start + 3 * DAY
    const daily = { rule: { type: 'cron', expression: '0 9 * * *' } } as const
    const newest = Date.parse('2026-03-30T09:00:00Z')
    expect(decide(daily, now)).toEqual({
      cursor: newest,
      missed: { count: 2, isMore: false, firstAt: newest - 2 * DAY, lastAt: newest - DAY },
      act: { type: 'run', plannedAt: newest, isLate: true },
    })
    expect(decide({ ...daily, missed: 'skip' }, now)).toMatchObject({
      cursor: newest,
      missed: { count: 3 },
      act: { type: 'none' },
    })
    expect(decide({ ...daily, missed: 'all', missedWindowHours: 48 }, now)).toMatchObject({
      cursor: newest - DAY,
      missed: { count: 1 },
      act: { type: 'run', plannedAt: newest - DAY },
    })
    expect(decide({ ...daily, missed: 'all', missedLimit: 1, missedWindowHours: 48 }, now)).toMatchObject({
      act: { plannedAt: newest },
    })
  })

  it('[SCHED7] does not wait for what a rule of every minute missed in a month', () => {
    const now = start + 30 * DAY
    const decision = decide({ rule: { type: 'cron', expression: '* * * * *' } }, now)
    expect(decision?.act).toEqual({ type: 'run', plannedAt: now, isLate: false })
  })

  it('[SCHED44] says that it was more than it can count', () => {
    const now = start + 120 * DAY
    const decision = decide({ rule: { type: 'cron', expression: '*/15 * * * *' }, missed: 'skip' }, now + 60_000)
    expect(decision?.missed).toMatchObject({ count: 5_000, isMore: true })
    const missed = decision?.missed ?? { count: 0, isMore: false, firstAt: 0, lastAt: 0 }
    expect(because({ code: 'server-off', ...missed }).reason).toMatch(/^More than 5000 runs from/)
  })

  it('[SCHED34] what a server missed for four minutes is none, the newest, or all one after the other', () => {
    const minute = 60_000
    const every = { rule: { type: 'cron', expression: '* * * * *' }, cursor: start } as const
    const now = start + 4 * minute + 54_000
    const newest = start + 4 * minute
    const on = { type: 'run', plannedAt: newest, isLate: false }
    expect(decide({ ...every, missed: 'skip' }, now)).toMatchObject({ missed: { count: 3 }, act: on })
    expect(decide({ ...every, missed: 'skip' }, now + 6_000 - 1)).toMatchObject({ act: on })
    expect(decide({ ...every, missed: 'once' }, now)).toMatchObject({ missed: { count: 3 }, act: on })
    const all = { ...every, missed: 'all', overlap: 'queue' } as const
    const late = { type: 'run', plannedAt: start + minute, isLate: true }
    expect(decide(all, now)).toMatchObject({ missed: null, act: late })
    const caught = { ...open(start + 3 * minute), isLate: true }
    // The one on time waits for those that are made up for, whatever the overlap.
    expect(decide({ ...all, overlap: 'skip', cursor: start + 3 * minute, open: [caught] }, now)).toBeNull()
    expect(decide({ ...all, overlap: 'skip', cursor: start + 3 * minute }, now)?.act).toEqual(on)
  })

  it('[SCHED8] skips, queues or runs beside what is open', () => {
    const due = start + HOUR
    const hourly = { rule: { type: 'cron', expression: '0 * * * *' } } as const
    expect(decide({ ...hourly, open: [open(start)] }, due)?.act).toMatchObject({
      type: 'skip',
      because: { reason: 'The run before it had not ended', why: { code: 'runs-open', count: 1 } },
    })
    expect(decide({ ...hourly, overlap: 'queue', open: [open(start)] }, due)?.act).toEqual({
      type: 'queue',
      plannedAt: due,
    })
    expect(decide({ ...hourly, overlap: 'queue', open: [open(start)], queuedAt: start }, due)?.act).toMatchObject({
      type: 'skip',
    })
    expect(decide({ ...hourly, overlap: 'parallel', open: [open(start)] }, due)?.act).toMatchObject({ type: 'run' })
    expect(decide({ ...hourly, overlap: 'parallel', open: [open(start), open(start + 1)] }, due)?.act).toMatchObject({
      type: 'skip',
    })
    expect(decide({ ...hourly, queuedAt: start, cursor: due }, due)?.act).toEqual({
      type: 'run',
      plannedAt: start,
      isLate: false,
    })
  })

  it('[SCHED7] decides nothing before its time, when the clock goes back, and while it is paused', () => {
    const hourly = { rule: { type: 'cron', expression: '0 * * * *' } } as const
    expect(decide(hourly, start + 1)).toBeNull()
    expect(decide({ ...hourly, cursor: start + 2 * HOUR }, start + HOUR)).toBeNull()
    expect(decide({ ...hourly, isOn: false }, start + 9 * HOUR)).toBeNull()
  })

  it('[COST7] gives a run what is left of the tightest budget of its schedule', () => {
    const spent = { day: '2026-03-27', dayUsd: 1.5, month: '2026-03', monthUsd: 1.5 }
    const value = { ...storedSchedule(start), spent, budgets: { runUsd: 1, dayUsd: 2, monthUsd: 10 } }
    expect(budgetLeft(value, start)).toEqual({ limitUsd: 0.5, period: 'day', wholeUsd: 2, usedUsd: 1.5 })
    expect(budgetLeft(value, start + DAY)).toEqual({ limitUsd: 1, period: 'run' })
    expect(budgetLeft({ ...value, open: [{ ...open(start), capUsd: 0.5 }] }, start)).toEqual({
      limitUsd: 0,
      period: 'day',
      wholeUsd: 2,
      usedUsd: 1.5,
    })
    expect(budgetLeft(storedSchedule(start), start)).toBeNull()
  })

  it('[SCHED39] says of a budget that is used up how much it is, what of it is used, and when it begins anew by its zone', () => {
    const value = { ...storedSchedule(start), timeZone: 'Asia/Kathmandu' }
    const used = { limitUsd: 0, wholeUsd: 2 }
    expect(usedUp({ ...used, period: 'day', usedUsd: 2.25 }).reason).toBe(
      'Its budget of $2.00 a day is used up ($2.25 is used)',
    )
    expect(usedUp({ ...used, period: 'month', usedUsd: 1.5 }).reason).toBe(
      'Its budget of $2.00 a month is used up ($1.50 is used; the rest is kept for what runs)',
    )
    const at = Date.parse('2026-12-31T22:15:00+05:45')
    expect(untilNewBudget(value, { ...used, period: 'day' }, at)).toBe(105 * 60_000)
    expect(untilNewBudget(value, { ...used, period: 'month' }, at)).toBe(105 * 60_000)
    const middle = Date.parse('2026-02-15T00:00:00+05:45')
    expect(untilNewBudget(value, { ...used, period: 'month' }, middle)).toBe(14 * 86_400_000)
  })
})
