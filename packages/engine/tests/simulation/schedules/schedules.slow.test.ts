import { describe, expect, it } from 'vitest'
import type { PlantedBug } from '../bugs/planted-bug.ts'
import { PLANTED_SCHEDULE_BUGS } from '../bugs/planted-schedule-bugs.ts'
import { formats, sealThinking } from '../formats.ts'
import { findPlanted } from '../found-in.ts'
import { openMachine } from '../open-machine.ts'
import type { LeasesBy } from '../parts/leases-by.ts'
import { simulate } from '../simulate.ts'

const WORLD_STEPS = 1_500

const FULL = process.env['HOLDFAST_FULL'] === '1'

const STEPS = FULL ? 300_000 : 6_000

/** How long one test may take where others work on the same machine, in milliseconds. */
const LIMIT_MS = 600_000

interface Run {
  readonly planted?: PlantedBug | null
  readonly leases?: LeasesBy
  readonly signal?: AbortSignal
}

function run(seed: number, steps: number, { planted = null, leases = 'by-renewal', signal }: Run = {}) {
  const options = { seed, steps, planted, leases, schedules: true as const, openMachine, formats, sealThinking }
  return simulate(signal ? { ...options, signal } : options)
}

describe('the simulation of schedules', { retry: 0, timeout: LIMIT_MS }, () => {
  it.for(['by-renewal', 'by-beats'] as const)(
    '[SCHED1, SCHED7, SCHED8, SCHED9, SCHED31, SCHED32] finds each occurrence asked once or accounted for, over kills, sleep and clocks that are set: %s',
    async (leases, { signal }) => {
      const { violations, faults, trace, requests } = await run(1, STEPS, { leases, signal })
      expect(violations, trace.slice(-40).join('\n')).toEqual([])
      expect(requests).toBeGreaterThan(STEPS / 200)
      for (const kind of [
        'process-crash',
        'pause',
        'clock-jump',
        'store-refusal',
        'time-leap',
        'clock-set',
        'crash-at-failpoint',
      ])
        expect(faults[kind], kind).toBeGreaterThan(0)
    },
  )

  it('[SCHED32] is the same run for the same seed, and another than without schedules', async () => {
    const [first, again] = [await run(7, WORLD_STEPS), await run(7, WORLD_STEPS)]
    const options = {
      seed: 7,
      steps: WORLD_STEPS,
      planted: null,
      leases: 'by-renewal',
      openMachine,
      formats,
      sealThinking,
    } as const
    const without = await simulate(options)
    expect(again.hash).toBe(first.hash)
    expect(without.hash).not.toBe(first.hash)
  })

  it.for(PLANTED_SCHEDULE_BUGS)(
    '[SCHED32] finds a planted bug, and nothing there without it: $name',
    async (planted, { signal }) => {
      const play = (seed: number, steps: number) => run(seed, steps, { planted, signal })
      const { steps, violations, world } = await findPlanted(planted, { play, isFull: FULL })
      expect(violations.length, `not found in ${steps} steps`).toBeGreaterThan(0)
      expect((await run(world?.seed ?? 0, world?.steps ?? 0)).violations).toEqual([])
    },
  )
})

/** Worlds that once failed, and what was wrong. */
describe('a world of schedules that failed once', { retry: 0, timeout: LIMIT_MS }, () => {
  it.each([
    [
      1,
      'SCHED7',
      'a line of the history stood in the way of the run that another decided on, and several instants were in no line',
    ],
    [227, 'SCHED31', 'who decided to skip a run died before it stood in the history'],
    [55, 'SCHED31', 'who decided to skip a run died before it stood in the history'],
    [29, 'RUN14', 'a scheduler that had closed tried again later'],
  ])('[SCHED31] is right now: seed %i, %s, %s', async (seed) => {
    expect((await run(seed, WORLD_STEPS)).violations).toEqual([])
  })
})
