import { createHash } from 'node:crypto'
import { loseReplica } from './lose-replica.ts'
import type { SimulationOptions } from './parts/simulation-options.ts'
import type { Turn } from './parts/turn.ts'
import { type Actors, createActors } from './people/actors.ts'
import { comeToRest } from './rest.ts'
import type { Violation } from './rules/violation.ts'
import { createWorld, type World } from './world.ts'

/** What happened in one world. */
export interface Episode {
  readonly steps: number
  readonly violations: readonly Violation[]
  /** What happened last, oldest first. */
  readonly trace: readonly string[]
  readonly faults: ReadonlyMap<string, number>
  readonly conversations: number
  readonly entries: number
  readonly requests: number
  readonly hash: string
}

/** How much of what happened is told when something is wrong. */
const TRACE_LINES = 250

const LOG_LINES = 60

/** Of the requests, one in so many steps is checked against every format. */
const ALL_FORMATS_EVERY = 50

/** Runs one world: a rough time of so many steps, then rest. */
export async function runEpisode(options: SimulationOptions): Promise<Episode> {
  const { openMachine, formats, planted, leases, seed, clients = false, subAgents = false } = options
  const world = createWorld({ seed, openMachine, formats, planted, leases, clients, subAgents })
  const actors = createActors(world, options.sealThinking)
  const story = createStory(world)
  await actors.begin(story.turn)
  world.isRough = true
  let steps = 0
  while (steps < options.steps && world.violations.length === 0) {
    steps += 1
    await story.turn(() => roughStep(world, actors))
    if (steps % ALL_FORMATS_EVERY === 0) await checkAllFormats(world, options)
  }
  if (leases === 'by-beats' && world.violations.length === 0) await loseReplica(world, actors, story.turn)
  world.isRough = false
  if (world.violations.length === 0) await comeToRest(world, actors, story.turn)
  const entries = world.watches.reduce((sum, watch) => sum + watch.entries.length, 0)
  for (const watch of world.watches) story.note(JSON.stringify(watch.entries))
  return {
    steps,
    entries,
    violations: world.violations,
    trace: [...story.trace(), ...logsOf(world)],
    faults: world.faults,
    conversations: world.watches.length,
    requests: world.watches.reduce((sum, watch) => sum + watch.requests.count(), 0),
    hash: story.hash(),
  }
}

/** The ends of the logs that the violations name. */
export function logsOf({ watches, violations }: World): readonly string[] {
  const named = watches.filter(({ conversationId }) => violations.some(({ text }) => text.includes(conversationId)))
  return named.flatMap(({ conversationId, entries }) => [
    `Log of ${conversationId}:`,
    ...entries
      .slice(-LOG_LINES)
      .map(({ conversationId: _, at: __, v: ___, ...entry }) => JSON.stringify(entry).slice(0, 400)),
  ])
}

/** What happened in a world, told and hashed. */
export interface Story {
  readonly turn: Turn
  note(line: string): void
  trace(): readonly string[]
  hash(): string
}

/** Begins it. */
export function createStory(world: World): Story {
  const lines: string[] = []
  const hash = createHash('sha256')
  return {
    async turn(act) {
      const line = act()
      await settled()
      world.look()
      world.settle()
      const told = `${world.scheduler.nowMs()} ${line ?? 'nothing'}`
      hash.update(told)
      lines.push(told)
      if (lines.length > TRACE_LINES) lines.shift()
      return line !== null
    },
    note: (line) => void hash.update(line),
    trace: () => lines.slice(),
    hash: () => hash.digest('hex'),
  }
}

/** When this resolves, every promise that could go on by itself has done so. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** One thing happens: what is ready, a person, a fault, or time. */
function roughStep(world: World, actors: Actors): string {
  const { chance, scheduler } = world
  const kind = chance.weighted([
    ['ready' as const, 80],
    ['person' as const, 8],
    ['fault' as const, 0.7],
    ['time' as const, 3],
  ])
  if (chance.happens(0.5)) scheduler.pass(chance.below(4))
  if (kind === 'person') return actors.person()
  if (kind === 'fault') return actors.fault()
  if (kind === 'ready') {
    const told = scheduler.runOne()
    if (told !== null) return told
    if (chance.happens(0.3)) return actors.person()
  }
  if (chance.happens(0.01)) {
    world.count('time-leap')
    scheduler.pass(chance.below(150_000))
    return 'time leaps'
  }
  if (!scheduler.passToNext()) scheduler.pass(1_000)
  return 'time passes'
}

async function checkAllFormats({ watches, chance, violate }: World, { formats }: SimulationOptions): Promise<void> {
  const made = watches.flatMap((watch) => watch.requests.last() ?? [])
  if (made.length === 0) return
  for (const words of await formats.ofAll(chance.pick(made))) violate('REQ2', `The last request is refused: ${words}`)
}
