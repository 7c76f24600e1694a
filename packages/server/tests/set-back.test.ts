import { allRecords, type Clock } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { createClaims } from '../src/schedules/claims.ts'
import { OCCURRENCE } from '../src/schedules/schedule-record.ts'
import { realIds, sha256 } from './support/real-ports.ts'
import { USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, scheduleWorld, settle } from './support/schedule-world.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const HOURLY = wantedBy({ type: 'cron', expression: '0 * * * *' })

/** A world whose wall clock somebody sets; each process may have another. */
function worldOfClocks() {
  const world = scheduleWorld([says('Done.')])
  const { clock } = world
  const begin = (wall: { ms: number }) => {
    const own: Clock = { ...clock, now: () => clock.now() + wall.ms }
    return world.process(undefined, { clock: own }).schedules
  }
  const pass = async (ms: number) => {
    await clock.advance(ms)
    await settle(clock)
  }
  /** The instants that were asked, in hours since the beginning. */
  const askedHours = async () =>
    (await world.inputs())
      .flatMap((entry) => (entry.type === 'input-admitted' && entry.schedule ? [entry.schedule.plannedAt / HOUR] : []))
      .sort((one, other) => one - other)
  return { ...world, begin, pass, askedHours }
}

describe('a clock that was far ahead and is set back', () => {
  it('[SCHED43] has its schedules run again from then on, each time once, and the history says that it was set back', async () => {
    const { begin, pass, askedHours, faults } = worldOfClocks()
    const wall = { ms: 4 * DAY }
    const ahead = begin(wall)
    await ahead.scheduler.start()
    const { id } = await ahead.create(USER, HOURLY)
    await pass(2 * HOUR)
    expect(await askedHours()).toEqual([97, 98])
    await ahead.scheduler.close()

    wall.ms = 0
    const back = begin(wall)
    await back.scheduler.start()
    await pass(3 * HOUR)
    expect(await askedHours()).toEqual([3, 4, 5, 97, 98])
    const [, , , told] = await back.history(USER, id)
    expect(told).toMatchObject({
      state: 'set-back',
      reason: expect.stringMatching(/set back from 1970-01-05 02:00 UTC/),
    })
    expect((await back.history(USER, id)).map(({ state }) => state)).toEqual([
      ...['succeeded', 'succeeded', 'succeeded', 'set-back'],
      // What ran by the other clock stands behind what ran by this one.
      ...['succeeded', 'succeeded'],
    ])
    expect(back.read(USER, id).nextAt).toBe(6 * HOUR)
    // Days pass: what ran by the other clock does not run again, and what comes behind it does.
    await pass(92 * HOUR)
    expect((await askedHours()).filter((hour) => hour > 95)).toEqual([96, 97, 98])
    await pass(2 * HOUR)
    expect((await askedHours()).filter((hour) => hour > 95)).toEqual([96, 97, 98, 99])
    expect(new Set(await askedHours()).size).toBe((await askedHours()).length)
    expect(faults).toEqual([])
    await back.scheduler.close()
  })

  it('[SCHED43] is seen by a process that runs, also for a rule that was made by the wrong clock', async () => {
    const { begin, pass, askedHours } = worldOfClocks()
    const wall = { ms: 100 * DAY }
    const schedules = begin(wall)
    await schedules.scheduler.start()
    await schedules.create(USER, wantedBy({ type: 'rrule', text: 'FREQ=HOURLY;INTERVAL=2;BYMINUTE=0' }))
    await pass(HOUR)
    wall.ms = 0
    await pass(6 * HOUR)
    const hours = await askedHours()
    expect(hours.length).toBeGreaterThanOrEqual(3)
    expect(hours.every((hour) => hour < 8)).toBe(true)
    await schedules.scheduler.close()
  })

  it('[SCHED45] changes nothing where it is less than a day, or mended within a minute', async () => {
    const { begin, pass, askedHours } = worldOfClocks()
    const wall = { ms: 10 * DAY }
    const schedules = begin(wall)
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, HOURLY)
    await pass(HOUR)
    expect(await askedHours()).toEqual([241])
    wall.ms -= 20 * HOUR
    await pass(3 * HOUR)
    expect(await askedHours()).toEqual([241])
    wall.ms = 0
    await pass(50_000)
    wall.ms = 10 * DAY
    await pass(10 * MINUTE)
    expect((await schedules.history(USER, id)).map(({ state }) => state)).not.toContain('set-back')
    await schedules.scheduler.close()
  })

  it('[SCHED46] goes back to what was decided where it is put right again: nothing between the two was missed', async () => {
    const { begin, pass, askedHours } = worldOfClocks()
    const wall = { ms: 100 * DAY }
    const schedules = begin(wall)
    await schedules.scheduler.start()
    const { id } = await schedules.create(USER, HOURLY)
    await pass(HOUR)
    // A machine that lost its time starts in the past, and is told the right one later.
    wall.ms = 0
    await pass(HOUR)
    wall.ms = 100 * DAY
    await pass(HOUR)
    expect(await askedHours()).toEqual([2, 2401, 2402, 2403])
    expect((await schedules.history(USER, id)).map(({ state }) => state)).toEqual([
      ...['succeeded', 'succeeded', 'succeeded', 'succeeded', 'set-back'],
    ])
    await schedules.scheduler.close()
  })

  it('[SCHED46] of two processes whose clocks are months apart each runs a time once, and they do not undo each other without end', async () => {
    const { begin, pass, askedHours, faults } = worldOfClocks()
    const [right, behind] = [begin({ ms: 100 * DAY + 30 * MINUTE }), begin({ ms: 0 })]
    await right.scheduler.start()
    const { id } = await right.create(USER, HOURLY)
    await behind.scheduler.start()
    for (let minute = 0; minute < 24 * 60; minute++) {
      await pass(MINUTE)
      for (const { scheduler } of [right, behind]) await scheduler.refresh()
      await pass(0)
    }
    const hours = await askedHours()
    expect(new Set(hours).size).toBe(hours.length)
    // By the right clock every hour of the day ran.
    expect(hours.filter((hour) => hour > 2400)).toHaveLength(24)
    const backs = (await right.history(USER, id)).filter(({ state }) => state === 'set-back')
    expect(backs.length).toBeGreaterThan(0)
    expect(backs.length).toBeLessThan(6)
    expect(faults).toEqual([])
    for (const { scheduler } of [right, behind]) await scheduler.close()
  })
})

describe('a time that was claimed before', () => {
  it('[SCHED47] is passed over, also where its line of the history is no more', async () => {
    const { begin, pass, askedHours, memory, faults } = worldOfClocks()
    const wall = { ms: 2 * DAY }
    const ahead = begin(wall)
    await ahead.scheduler.start()
    const { id } = await ahead.create(USER, HOURLY)
    await pass(3 * HOUR)
    for (const { id: line, revision } of await allRecords(memory.records, OCCURRENCE, id))
      await memory.records.remove(OCCURRENCE, { ownerId: id, id: line, revision })
    await ahead.scheduler.close()
    wall.ms = 0
    const back = begin(wall)
    await back.scheduler.start()
    for (let hour = 0; hour < 46; hour++) await pass(HOUR)
    await pass(30 * MINUTE)
    expect(back.read(USER, id).nextAt).toBe(50 * HOUR)
    for (let hour = 0; hour < 4; hour++) await pass(HOUR)
    const hours = await askedHours()
    expect(new Set(hours).size).toBe(hours.length)
    expect(hours).toContain(52)
    expect(faults).toEqual([])
    await back.scheduler.close()
  })

  it('[SCHED48] is told as another has claimed it: who was slower writes nothing into the history', async () => {
    const { process, memory, clock } = worldOfClocks()
    const { engine, schedules } = process()
    const { stored } = schedules.scheduler
    const claims = createClaims({ stored, records: memory.records, engine, clock, ids: realIds, sha256 })
    const { id } = await schedules.create(USER, HOURLY)
    const before = stored.get(id)
    if (!before) throw new Error('It was just made')
    const wanted = { plannedAt: HOUR, isLate: false, cause: 'clock' as const, said: [] }
    await claims.begin(before, { ...before.value, cursor: HOUR }, wanted)
    const again = claims.begin(before, { ...before.value, cursor: HOUR }, wanted)
    await expect(again).rejects.toMatchObject({ name: 'RevisionConflictError' })
    expect(await schedules.history(USER, id)).toHaveLength(1)
  })
})
