import { createStory, type Episode, logsOf } from '../episode.ts'
import { OWNER, type Replica } from '../parts/replica.ts'
import type { SimulationOptions } from '../parts/simulation-options.ts'
import type { Turn } from '../parts/turn.ts'
import { type Actors, createActors } from '../people/actors.ts'
import { createWorld, type World } from '../world.ts'
import { createReplicaSchedules, type ReplicaSchedules } from './replica-schedules.ts'
import { type DueEvery, pausedOf, seeAllAccounted, seeNoneDoubled } from './schedule-rules.ts'

const MINUTE_MS = 60_000
const MOST_STEPS = 20_000

/** How long the machine sleeps, or how far somebody sets its clock. In milliseconds. */
const SLEEPS_MS = [90_000, 15 * MINUTE_MS, 5 * 60 * MINUTE_MS, 3 * 24 * 60 * MINUTE_MS, -40 * MINUTE_MS] as const

const DAY_MS = 24 * 60 * MINUTE_MS

/** How far a wrong clock is off, and how far one that was ahead is set back. In milliseconds. */
const SETTINGS_MS = [40 * DAY_MS, 200 * DAY_MS, -40 * DAY_MS, -200 * DAY_MS] as const

/** What each schedule of a world does; those of one conversation wait for each other in its queue. */
const WANTED = [
  { minutes: 1, expression: '* * * * *', overlap: 'skip', missed: 'once', isOwn: true },
  { minutes: 5, expression: '*/5 * * * *', overlap: 'queue', missed: 'skip', isOwn: false },
  { minutes: 10, expression: '*/10 * * * *', overlap: 'parallel', missed: 'all', isOwn: true },
] as const

/** Runs one world in which schedules are due: a rough time of so many steps, in which the machine sleeps too, then rest. */
export async function runScheduleEpisode(options: SimulationOptions): Promise<Episode> {
  const { openMachine, formats, planted, leases, seed } = options
  const made = new Map<string, ReplicaSchedules>()
  const world = createWorld({
    clients: false,
    subAgents: false,
    seed,
    openMachine,
    formats,
    planted,
    leases,
    beside(parts) {
      const schedules = createReplicaSchedules(parts)
      made.set(parts.name, schedules)
      return schedules
    },
  })
  const actors = createActors(world, options.sealThinking)
  const story = createStory(world)
  const turn: Turn = async (act) => {
    const went = await story.turn(act)
    seeNoneDoubled(world)
    return went
  }
  await actors.begin(turn)
  const schedules = await createAll(world, { actors, turn, made })
  world.isRough = true
  let steps = 0
  while (steps < options.steps && world.violations.length === 0) {
    steps += 1
    await turn(() => roughStep(world, actors))
  }
  await comeToRest(world, { actors, turn, made, schedules })
  for (const watch of world.watches) story.note(JSON.stringify(watch.entries))
  return {
    steps,
    entries: world.watches.reduce((sum, watch) => sum + watch.entries.length, 0),
    violations: world.violations,
    trace: [...story.trace(), ...logsOf(world)],
    faults: world.faults,
    conversations: world.watches.length,
    requests: world.watches.reduce((sum, watch) => sum + watch.requests.count(), 0),
    hash: story.hash(),
  }
}

interface Parts {
  readonly actors: Actors
  readonly turn: Turn
  readonly made: ReadonlyMap<string, ReplicaSchedules>
}

/** While nothing fails. */
async function createAll(world: World, { actors, turn, made }: Parts): Promise<readonly DueEvery[]> {
  const [first] = actors.living()
  const directory = first && made.get(first.process.name)?.directory
  if (!first || !directory) throw new Error('A world of schedules has a replica with a scheduler')
  const created: DueEvery[] = []
  const clock = world.scheduler.clockOf(first.process)
  for (const { minutes, expression, overlap, missed, isOwn } of WANTED) {
    let isDone = false
    void directory
      .create(OWNER, {
        name: `Every ${minutes}`,
        content: [{ type: 'text', text: `What is there every ${minutes} minutes` }],
        rule: { type: 'cron', expression },
        timeZone: 'UTC',
        missed,
        missedLimit: 3,
        missedWindowHours: 24,
        overlap,
        jitterMinutes: 0,
        target: isOwn ? 'new' : (world.watches[0]?.conversationId ?? 'new'),
        unattended: 'deny',
        rules: [],
        budgets: {},
        isOn: true,
      })
      .then(({ id, createdAt }) => created.push({ id, minutes, createdAt, mayWait: overlap === 'queue' }))
      .finally(() => {
        isDone = true
      })
    await until(world, turn, () => isDone)
  }
  if (created.length < WANTED.length) world.violate('SCHED1', `Schedules cannot be made at ${clock.now()}`)
  return created
}

/** One thing happens: what is ready, a fault, sleep, or time. */
function roughStep(world: World, actors: Actors): string {
  const { chance, scheduler } = world
  const kind = chance.weighted([
    ['ready' as const, 86],
    ['fault' as const, 0.8],
    ['sleep' as const, 0.25],
    ['set' as const, isEachSet(world) ? 0.15 : 0],
    ['time' as const, 3],
  ])
  if (chance.happens(0.5)) scheduler.pass(chance.below(4))
  if (kind === 'fault') return actors.fault()
  if (kind === 'sleep') {
    const ms = chance.pick(SLEEPS_MS)
    world.wall.onMs += ms
    world.count('time-leap')
    return `the wall clocks go on by ${ms} ms`
  }
  if (kind === 'set') {
    const ms = chance.pick(SETTINGS_MS)
    world.wall.onMs += ms
    world.count('clock-set')
    return `the wall clocks are set by ${ms / DAY_MS} days`
  }
  if (kind === 'ready') {
    const told = scheduler.runOne()
    if (told !== null) return told
  }
  if (chance.happens(0.1)) {
    scheduler.pass(chance.below(2 * MINUTE_MS))
    return 'minutes pass'
  }
  if (!scheduler.passToNext()) scheduler.pass(1_000)
  return 'time passes'
}

/** In every third world somebody sets the clocks by months too: what is decided about an instant there counts by two clocks. */
function isEachSet({ parts }: World): boolean {
  return parts.seed % 3 === 0
}

/** Ends all faults, lets what is due be decided, turns all schedules off, and sees that each instant is accounted for. */
async function comeToRest(
  world: World,
  { actors, turn, made, schedules }: Parts & { readonly schedules: readonly DueEvery[] },
): Promise<void> {
  world.isRough = false
  world.storeTrouble = 0
  const mend = () => turn(() => actors.mend())
  do {
    await mend()
    await drive(world, turn, 30_000)
  } while (world.violations.length === 0 && (actors.isShort() || actors.living().some(({ isClosing }) => isClosing)))
  await drive(world, turn, 4 * MINUTE_MS)
  const [first] = actors.living()
  if (world.violations.length > 0 || !first) return
  const now = world.scheduler.clockOf(first.process).now() - MINUTE_MS
  const paused = await pausedOf(world, schedules)
  await turnOff(world, { first, turn, made, schedules })
  await drive(world, turn, 2 * MINUTE_MS)
  if (world.violations.length === 0) await seeAllAccounted(world, schedules, { now, paused })
  for (const replica of actors.living()) await turn(() => actors.shutDown(replica))
  await drive(world, turn, MINUTE_MS)
}

async function turnOff(
  world: World,
  {
    first,
    turn,
    made,
    schedules,
  }: Pick<Parts, 'turn' | 'made'> & { readonly first: Replica; readonly schedules: readonly DueEvery[] },
): Promise<void> {
  const directory = made.get(first.process.name)?.directory
  for (const { id } of schedules) {
    let isDone = false
    void directory
      ?.change(OWNER, id, { isOn: false })
      .catch((error: unknown) => world.violate('SCHED1', `${id} cannot be turned off: ${String(error)}`))
      .finally(() => {
        isDone = true
      })
    await until(world, turn, () => isDone)
  }
}

async function until(world: World, turn: Turn, isDone: () => boolean): Promise<void> {
  for (let step = 0; step < MOST_STEPS && !isDone(); step++)
    await turn(() => world.scheduler.runOne() ?? (world.scheduler.passToNext() ? 'time passes' : null))
}

/** Lets so many milliseconds pass; whatever is ready happens before time goes on. */
async function drive({ scheduler, violations }: World, turn: Turn, ms: number): Promise<void> {
  const endMs = scheduler.nowMs() + ms
  for (let step = 0; step < MOST_STEPS && violations.length === 0; step++) {
    const isOver = scheduler.nowMs() >= endMs
    const went = await turn(() => scheduler.runOne() ?? (!isOver && scheduler.passToNext() ? 'time passes' : null))
    if (!went && isOver) return
    if (!went) scheduler.pass(100)
  }
}
