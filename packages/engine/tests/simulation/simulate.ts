import { createHash } from 'node:crypto'
import { runEpisode } from './episode.ts'
import type { SimulationOptions } from './parts/simulation-options.ts'
import type { Violation } from './rules/violation.ts'
import { runScheduleEpisode } from './schedules/schedule-episode.ts'

/** What a simulation came to. */
export interface SimulationReport {
  readonly seed: number
  readonly steps: number
  readonly violations: readonly Violation[]
  /** The seed of the world in which the first violation was found, and what happened there last; empty without one. */
  readonly failedSeed: number | null
  readonly trace: readonly string[]
  readonly faults: Readonly<Record<string, number>>
  readonly conversations: number
  readonly entries: number
  readonly requests: number
  /** Hash of everything that happened: equal for equal seeds. */
  readonly hash: string
}

/** Things that happen in one world before it comes to rest and another begins: logs stay short, and steps with them. */
const STEPS_PER_WORLD = 1_500

/**
 * Runs the engine in simulated worlds, one after the other, until so many things have happened or one is wrong.
 * The first world has the seed itself, each other one the next: the seed of a failing world replays it alone.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const hash = createHash('sha256')
  const faults = new Map<string, number>()
  let steps = 0
  let entries = 0
  let requests = 0
  let conversations = 0
  for (let world = 0; steps < options.steps; world++) {
    options.signal?.throwIfAborted()
    const seed = options.seed + world
    const run = options.schedules === true ? runScheduleEpisode : runEpisode
    const episode = await run({ ...options, seed, steps: Math.min(STEPS_PER_WORLD, options.steps - steps) })
    steps += episode.steps
    entries += episode.entries
    requests += episode.requests
    conversations += episode.conversations
    for (const [kind, count] of episode.faults) faults.set(kind, (faults.get(kind) ?? 0) + count)
    hash.update(episode.hash)
    const about = { seed: options.seed, steps, faults: Object.fromEntries(faults), conversations, entries, requests }
    if (episode.violations.length > 0) {
      const { violations, trace } = episode
      return { ...about, violations, trace, failedSeed: seed, hash: hash.digest('hex') }
    }
    if (steps >= options.steps)
      return { ...about, violations: [], trace: [], failedSeed: null, hash: hash.digest('hex') }
  }
  throw new Error(`A simulation has at least one step, not ${options.steps}`)
}
