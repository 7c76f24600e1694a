import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import { says } from '@holdfast/engine/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { readTimetable } from '../src/schedules/times/timetable.ts'
import { USER, wantedBy } from './support/schedule-bench.ts'
import { MINUTE, scheduleWorld, settle } from './support/schedule-world.ts'

const RULES = ['*/10 * * * *', '0 * * * *', '30 2 * * *'] as const
const PROCESSES = 3

/** What happens to processes and clocks, one after the other. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 45 }) }) },
  /** Asleep, or a clock that is set: wall time goes on or back, and no timer runs. */
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('step' as const), minutes: fc.integer({ min: -90, max: 4_320 }) }),
  },
  /** Dies at one of its next calls of the store; another takes its place later. */
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('kill' as const),
      process: fc.nat({ max: PROCESSES - 1 }),
      calls: fc.nat({ max: 12 }),
    }),
  },
)
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never

/** What a process does until it is dead; what a dead one waits for never comes. */
function mortal() {
  let left = Number.POSITIVE_INFINITY
  const through = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          left -= 1
          return left < 0 ? new Promise(() => {}) : Reflect.apply(value, target, given)
        }
      },
    })
  return {
    through,
    dieIn(calls: number) {
      left = Math.min(left, calls)
    },
    isDying: () => left < 1_000_000,
  }
}

/** A bug between the scheduler and its store. */
type Plant = (store: EntryStore, records: Records) => EntryStore

/** Plays what happens, lets everything come to rest, and says what is wrong with what ran. */
async function play(happenings: readonly Happening[], plant: Plant): Promise<readonly string[]> {
  const world = scheduleWorld([says('Done.')])
  const { clock, memory } = world
  let offset = 0
  let latest = 0
  const wall: Clock = { ...clock, now: () => clock.now() + offset }
  function begin() {
    const life = mortal()
    const records: Records = life.through(memory.records)
    const store = plant(life.through(memory.store), records)
    const made = world.process(store, { records, clock: wall })
    void made.schedules.scheduler.start()
    return { ...made, life }
  }
  const processes = Array.from({ length: PROCESSES }, begin)
  await settle(clock)
  const ids = new Map<string, string>()
  for (const expression of RULES) {
    const [first] = processes
    if (!first) throw new Error('There is one')
    ids.set((await first.schedules.create(USER, wantedBy({ type: 'cron', expression }))).id, expression)
  }
  const createdAt = wall.now()
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await clock.advance(MINUTE)
      latest = Math.max(latest, wall.now())
    }
    await settle(clock)
    for (const { schedules, life } of processes) if (!life.isDying()) void schedules.scheduler.refresh()
    await settle(clock)
  }
  for (const each of [...happenings, { type: 'pass' as const, minutes: 3 }]) {
    if (each.type === 'pass') await pass(each.minutes)
    if (each.type === 'step') {
      offset = Math.max(offset + each.minutes * MINUTE, -clock.now())
      latest = Math.max(latest, wall.now())
    }
    if (each.type === 'kill') {
      processes[each.process]?.life.dieIn(each.calls)
      await pass(1)
      processes[each.process] = begin()
      await settle(clock)
    }
  }
  // Whoever was dying is replaced, and time goes on until nothing is open.
  for (const [index, { life }] of processes.entries()) if (life.isDying()) processes[index] = begin()
  for (let turn = 0; turn < 6; turn++) await pass(1)
  return wrongIn(world, { ids, createdAt, latest, process: processes[0] ?? begin() })
}

interface Played {
  readonly ids: ReadonlyMap<string, string>
  readonly createdAt: number
  readonly latest: number
  readonly process: ReturnType<ReturnType<typeof scheduleWorld>['process']>
}

async function wrongIn(
  { inputs, faults }: Pick<ReturnType<typeof scheduleWorld>, 'inputs' | 'faults'>,
  { ids, createdAt, latest, process }: Played,
): Promise<readonly string[]> {
  const wrong = faults.map((fault) => `A fault: ${String(fault)}`)
  const asked = (await inputs()).flatMap((entry) =>
    entry.type === 'input-admitted' && entry.schedule ? [entry.schedule] : [],
  )
  for (const [id, expression] of ids) {
    const own = asked.filter(({ scheduleId }) => scheduleId === id).map(({ plannedAt }) => plannedAt)
    if (new Set(own).size < own.length) wrong.push(`${expression} ran twice for one time`)
    const table = readTimetable({ rule: { type: 'cron', expression }, timeZone: 'UTC', anchorAt: 0 })
    const planned = table.between(createdAt, latest, 5_000)
    const lines = await process.schedules.history(USER, id)
    const missed = lines.filter(({ state }) => state === 'missed')
    const left = missed.reduce((sum, { reason }) => sum + Number(/^(\d+) runs/.exec(reason ?? '')?.[1] ?? 1), 0)
    const skipped = lines.filter(({ state }) => state === 'skipped').length
    const told = own.length + skipped + left
    // The history keeps the newest hundred lines.
    if (lines.length < 100 && told !== planned.length)
      wrong.push(
        `${expression}: ${planned.length} were planned, ${own.length} ran, ${skipped} were skipped, ${left} missed`,
      )
    if (lines.some(({ state }) => state === 'started')) wrong.push(`${expression}: a run never ended`)
  }
  await process.schedules.scheduler.close()
  return wrong
}

const RUNS = process.env['HOLDFAST_FULL'] === '1' ? 500 : 15

describe('schedules in a world of kills, sleep and clocks that are set', () => {
  it('[SCHED1, SCHED7, SCHED9] run each time once, or say in the history that they did not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 14 }), async (happenings) => {
        expect(await play(happenings, (store) => store)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  }, 600_000)

  it('[SCHED7] counts what was missed once, where who had written so died, and more was missed before another came', async () => {
    for (let calls = 0; calls < 24; calls++) {
      const dying = [0, 1, 2].map((process) => ({ type: 'kill' as const, process, calls }))
      const happenings: readonly Happening[] = [
        { type: 'step', minutes: 300 },
        ...dying,
        { type: 'step', minutes: 45 },
        { type: 'pass', minutes: 3 },
      ]
      expect(await play(happenings, (store) => store)).toEqual([])
    }
  }, 120_000)

  it('[SCHED1] finds the run that is lost where the claim is written before the message', async () => {
    // In one append it is neither before nor after; here another call of the store lies between the two.
    const inTwo: Plant = (store, records) => ({
      ...store,
      async append({ records: claims = [], ...given }) {
        for (const { kind, ...write } of claims) await records.put({ kind, schema: z.any() }, { ...write, at: 0 })
        return store.append(given)
      },
    })
    const found: string[] = []
    for (let calls = 0; calls < 30 && found.length === 0; calls++) {
      const dying = [0, 1, 2].map((process) => ({ type: 'kill' as const, process, calls }))
      found.push(...(await play([{ type: 'pass', minutes: 9 }, ...dying], inTwo)))
    }
    expect(found.join('\n')).toContain('were planned')
  }, 120_000)
})
