import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { delayedBy, delayOf } from '../src/schedules/jitter.ts'
import { readTimetable } from '../src/schedules/times/timetable.ts'
import { sha256 } from './support/real-ports.ts'
import { storedSchedule, USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, scheduleWorld, settle } from './support/schedule-world.ts'

const EVERY_HOUR = { type: 'cron', expression: '0 * * * *' } as const

describe('jitter', () => {
  it('[SCHED24] is below its bound in whole seconds, the same for one schedule, and spreads many', () => {
    const delays = Array.from({ length: 2_000 }, (_, index) => delayOf(sha256, `schedule_${index}`, 10))
    expect(delays.every((delay) => delay >= 0 && delay < 10 * MINUTE && delay % 1_000 === 0)).toBe(true)
    for (let from = 0; from < 10; from++)
      expect(delays.filter((delay) => Math.floor(delay / MINUTE) === from).length).toBeGreaterThan(100)
    expect(delayOf(sha256, 'schedule_7', 10)).toBe(delays[7])
    expect(delayOf(sha256, 'schedule_7', 0)).toBe(0)
  })

  it('[SCHED24, SCHED5] runs at the times that are shown, at whichever process', async () => {
    const { clock, process, inputs } = scheduleWorld(Array.from({ length: 6 }, () => says('Done.')))
    const [one, two] = [process(), process()]
    await Promise.all([one.schedules.scheduler.start(), two.schedules.scheduler.start()])
    const { id } = await one.schedules.create(USER, { ...wantedBy(EVERY_HOUR), jitterMinutes: 30 })
    await two.schedules.scheduler.refresh()
    const shown = one.schedules.next(USER, id, 5)
    expect(two.schedules.next(USER, id, 5)).toEqual(shown)
    expect(shown.some((at) => at % (60 * MINUTE) !== 0)).toBe(true)
    expect(one.schedules.tryRule({ rule: EVERY_HOUR, timeZone: 'UTC', jitterMinutes: 30, scheduleId: id })).toEqual(
      shown,
    )
    for (const at of shown) {
      await clock.advance(at - clock.now())
      await settle(clock)
    }
    expect((await one.schedules.history(USER, id)).map(({ plannedAt }) => plannedAt).reverse()).toEqual(shown)
    expect((await inputs()).length).toBe(5)
    await Promise.all([one.schedules.scheduler.close(), two.schedules.scheduler.close()])
  })

  it('[SCHED24] neither repeats nor loses a run when it is changed', () => {
    const made = storedSchedule(Date.parse('2026-03-27T08:00:00Z'))
    const table = (value: typeof made) => readTimetable(value)
    const late = delayedBy(made, 7 * MINUTE)
    const [first = 0] = table(late).after(late.cursor, 1)
    expect(new Date(first).toISOString()).toBe('2026-03-27T09:07:00.000Z')
    const ran = { ...late, cursor: first }
    for (const delayMs of [0, 3 * MINUTE, 20 * MINUTE]) {
      const changed = delayedBy(ran, delayMs)
      expect(table(changed).after(changed.cursor, 1)).toEqual([Date.parse('2026-03-28T09:00:00Z') + delayMs])
    }
  })
})
