import { describe, expect, it } from 'vitest'
import type { PlantedBug } from './bugs/planted-bug.ts'
import { PLANTED_BUGS } from './bugs/planted-bugs.ts'
import { PLANTED_CLIENT_BUGS } from './bugs/planted-client-bugs.ts'
import { PLANTED_REPLICA_BUGS } from './bugs/planted-replica-bugs.ts'
import { PLANTED_SCHEDULE_BUGS } from './bugs/planted-schedule-bugs.ts'
import { PLANTED_SUB_AGENT_BUGS } from './bugs/planted-sub-agent-bugs.ts'
import { formats, sealThinking } from './formats.ts'
import { FOUND_IN, type Found, findPlanted } from './found-in.ts'
import { openMachine } from './open-machine.ts'
import type { LeasesBy } from './parts/leases-by.ts'
import { simulate } from './simulate.ts'

/** More steps than a bug needs that the first worlds show. */
const SEARCH_STEPS = 20_000

/** The steps of one world. */
const WORLD_STEPS = 1_500

const FULL = process.env['HOLDFAST_FULL'] === '1'

/** The steps of each kind of worlds; `npm run simulate` plays as many as it is told. */
const STEPS = FULL
  ? { usual: 30_000, replicas: 20_000, clients: 15_000, subAgents: 15_000, twice: 3_000 }
  : { usual: 6_000, replicas: 6_000, clients: 3_000, subAgents: 3_000, twice: 1_500 }

/** How long one test may take where others work on the same machine, in milliseconds. */
const LIMIT_MS = 240_000

/** What is run beside the usual: nothing is planted, and leases are renewed. */
interface Other {
  readonly planted?: PlantedBug | null
  readonly leases?: LeasesBy
  readonly clients?: true
  readonly subAgents?: true
  /** Of a test that may take too long: what nobody waits for must not keep the others waiting. */
  readonly signal?: AbortSignal
}

function run(seed: number, steps: number, { planted = null, leases = 'by-renewal', ...other }: Other = {}) {
  return simulate({ seed, steps, planted, leases, openMachine, formats, sealThinking, ...other })
}

/** Looks for a planted bug. @returns the world that shows it. */
async function find(planted: PlantedBug, other: Other): Promise<Found['world']> {
  const play = (seed: number, steps: number) => run(seed, steps, { ...other, planted })
  const { steps, violations, world } = await findPlanted(planted, { play, isFull: FULL })
  expect(violations.length, `not found in ${steps} steps`).toBeGreaterThan(0)
  return world
}

describe('the simulation', { retry: 0, timeout: LIMIT_MS }, () => {
  it('[LOG1, LOG3, LOG4, LOG8, RUN1, RUN2, RUN4, STOP2, STOP5, TOOL2, PERM4, REQ1, REQ2, REQ3, REQ5, REQ6, CHK1, CHK7, COST1, PRJ3, CANVAS1, CANVAS3, CANVAS4, CANVAS6] finds every invariant kept', async ({
    signal,
  }) => {
    const { violations, faults, trace, requests } = await run(1, STEPS.usual, { signal })
    expect(violations, trace.slice(-40).join('\n')).toEqual([])
    expect(requests).toBeGreaterThan(STEPS.usual / 100)
    for (const kind of ['process-crash', 'power-failure', 'pause', 'clock-jump', 'store-refusal', 'provider-fault'])
      expect(faults[kind], kind).toBeGreaterThan(0)
  })

  it('[SCALE1, SCALE3, SCALE5, SCALE6, SCALE21, RUN3, LOG10] finds every invariant of three replicas that beat kept', async ({
    signal,
  }) => {
    const { violations, faults, trace, requests } = await run(13, STEPS.replicas, { leases: 'by-beats', signal })
    expect(violations, trace.slice(-40).join('\n')).toEqual([])
    expect(requests).toBeGreaterThan(STEPS.replicas / 100)
    for (const kind of ['process-crash', 'pause', 'partition', 'lost-call', 'clock-jump', 'shutdown', 'time-leap'])
      expect(faults[kind], kind).toBeGreaterThan(0)
  })

  it.each(['by-renewal', 'by-beats'] as const)(
    '[TOOL18, STOP5, RUN4] finds every invariant kept where clients run calls of their own, leases %s',
    async (leases) => {
      const { violations, trace, requests } = await run(1, STEPS.clients, { leases, clients: true })
      expect(violations, trace.slice(-40).join('\n')).toEqual([])
      expect(requests).toBeGreaterThan(STEPS.clients / 150)
    },
  )

  it.each(['by-renewal', 'by-beats'] as const)(
    '[AGENT3, RUN4, STOP5] finds every invariant kept where agents give tasks to others, leases %s',
    async (leases) => {
      const { violations, trace, conversations } = await run(1, STEPS.subAgents, { leases, subAgents: true })
      expect(violations, trace.slice(-40).join('\n')).toEqual([])
      expect(conversations).toBeGreaterThan(STEPS.subAgents / 400)
    },
  )

  it('[REQ1] is the same run for the same seed, and another for another', async () => {
    const [first, again, other] = [await run(7, STEPS.twice), await run(7, STEPS.twice), await run(8, STEPS.twice)]
    expect(again.hash).toBe(first.hash)
    expect(again.entries).toBe(first.entries)
    expect(other.hash).not.toBe(first.hash)
  })

  it('[LOG1] replays the world that failed by its own seed', async ({ signal }) => {
    const planted = PLANTED_BUGS.find(({ name }) => name === 'ends a run twice') ?? null
    const found = await run(40, SEARCH_STEPS, { planted, signal })
    const replayed = await run(found.failedSeed ?? 0, WORLD_STEPS, { planted })
    expect(replayed.violations).toEqual(found.violations)
    expect(found.trace.length).toBeGreaterThan(50)
  })
})

/** Worlds that once failed, and what was wrong. */
describe('a world that failed once', { retry: 0, timeout: LIMIT_MS }, () => {
  it.each([
    [10_005, 'LOG4', 'a stop of a run that stops already was answered otherwise when it came again'],
    [10_027, 'TOOL6', 'a paused replica began a tool that another had settled as unknown'],
    [10_046, 'RUN4', 'what came while the refusal of a lease was on its way was never answered'],
    [300, 'RUN4', 'two workers of one process gave back one lease under each other'],
    [100_145, 'RUN4', 'a request was built with a call open'],
    [124, 'LOG4', 'a title was refused for a conversation that was durable and not yet acknowledged'],
    [98, 'RUN2', 'a title that was asked for as another began kept its process busy for ever'],
    [
      32_027,
      'RUN4',
      'a checkpoint whose beginning was written by a write without an answer was gone on with as a turn',
    ],
  ])('[RUN4] is right now: seed %i, %s, %s', async (seed) => {
    expect((await run(seed, WORLD_STEPS)).violations).toEqual([])
  })
})

/** Worlds of three replicas that beat, and what was wrong. */
describe('a world of replicas that failed once', { retry: 0, timeout: LIMIT_MS }, () => {
  it.each([
    [211, 'STOP11', 'what waits passed an input that was sent after a stop, while that was edited'],
    [339, 'STOP11', 'what waits passed an input that was sent at once, while that was edited'],
    [249, 'SEC5', 'a command was refused for a conversation that another replica had begun meanwhile'],
    [375, 'SEC5', 'a command was refused for a conversation that another replica had begun meanwhile'],
    [441, 'SCALE6', 'a replica was taken away beside others that drained, and nobody was left'],
    [262, 'SCALE24', 'a message was written without a lease as its holder gave that back'],
    [318, 'SCALE24', 'a message waited whose replica was gone before it asked for the lease'],
    [1_066, 'STOP9', 'what was sent after an earlier stop was not held by a stop'],
    [101, 'WIN13', 'a request left out older messages, for more stood in the log than was sent of it'],
    [48, 'SCALE6', 'what another replica wrote waited for the end of a title that its owner made'],
    [128, 'SCALE3', 'what another replica wrote waited for the end of a title that its owner made'],
    [247, 'STOP13', 'a stop that named the turn during which the queue went on did not stop what came behind it'],
    [11_030, 'STOP13', 'a stop that named a turn was of nothing where what had interrupted that was taken back'],
    [250, 'RUN11', 'an id that a checkpoint had taken out of the requests came again in its run'],
  ])('[SCALE3] is right now: seed %i, %s, %s', async (seed) => {
    expect((await run(seed, WORLD_STEPS, { leases: 'by-beats' })).violations).toEqual([])
  })
})

/** Worlds of agents that give tasks to others, and what was wrong. */
describe('a world of sub-agents that failed once', { retry: 0, timeout: LIMIT_MS }, () => {
  it.each([
    {
      seed: 3,
      leases: 'by-renewal',
      rule: 'RUN14',
      was: 'a stopped call waited for ever for an agent that had not begun',
    },
    { seed: 8, leases: 'by-renewal', rule: 'AGENT3', was: 'a task that waited was begun after its caller was gone' },
    {
      seed: 9,
      leases: 'by-beats',
      rule: 'AGENT3',
      was: 'what a person had asked a sub-agent was stopped for its caller',
    },
  ] as const)('[AGENT3] is right now: seed $seed, $leases, $rule, $was', async ({ seed, leases }) => {
    expect((await run(seed, WORLD_STEPS, { leases, subAgents: true })).violations).toEqual([])
  })
})

describe('a planted bug', () => {
  it('[LOG1] is one of at least twenty', () => {
    expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(20)
    const all = [
      ...PLANTED_BUGS,
      ...PLANTED_CLIENT_BUGS,
      ...PLANTED_REPLICA_BUGS,
      ...PLANTED_SUB_AGENT_BUGS,
      ...PLANTED_SCHEDULE_BUGS,
    ]
    const names = new Set(all.map(({ name }) => name))
    expect(names.size).toBe(all.length)
    expect(Object.keys(FOUND_IN).filter((name) => !names.has(name))).toEqual([])
  })

  it.for(PLANTED_BUGS)('[LOG1] is found: $name', { timeout: LIMIT_MS }, async (planted, { signal }) => {
    await find(planted, { signal })
  })

  it.for(PLANTED_CLIENT_BUGS)(
    '[TOOL18] is found where clients run calls: $name',
    { timeout: LIMIT_MS },
    async (planted, { signal }) => {
      await find(planted, { clients: true, signal })
    },
  )

  it.for(PLANTED_SUB_AGENT_BUGS)(
    '[AGENT3] is found where agents of replicas give tasks to others: $name',
    { timeout: LIMIT_MS },
    async (planted, { signal }) => {
      await find(planted, { leases: 'by-beats', subAgents: true, signal })
    },
  )

  it.for(PLANTED_REPLICA_BUGS)(
    '[SCALE1] is found where replicas beat, and nothing is found there without it: $name',
    { timeout: LIMIT_MS },
    async (planted, { signal }) => {
      const world = await find(planted, { leases: 'by-beats', signal })
      const without = await run(world?.seed ?? 0, world?.steps ?? 0, { leases: 'by-beats' })
      expect(without.violations).toEqual([])
    },
  )
})
