import {
  AppendConflictError,
  type CommandKey,
  type Random,
  StaleEpochError,
  StoreReadError,
  StoreWriteError,
} from '@holdfast/conversation'
import { conversationCreated, createSeededRandom, inputAdmitted, runStarted } from '@holdfast/conversation/testing'
import {
  createDriverHistory,
  createSimulatedStore,
  type DriverHistory,
  type FaultCounts,
  type HistoryReport,
  type PlantedDefect,
  randomFailures,
  type SimulatedStore,
} from '@holdfast/store/testing'
import { createManualClock, type ManualClock } from './manual-clock.ts'

/** What one simulated run came to. */
export interface SimulatedRun {
  readonly report: HistoryReport
  readonly faults: FaultCounts
  /** Errors that no caller can expect. */
  readonly surprises: readonly unknown[]
  /** Every epoch that a lease was given with, by conversation. */
  readonly epochs: Readonly<Record<string, readonly number[]>>
}

/** A run is the same for the same values. */
export interface RunOptions {
  readonly seed: number
  readonly steps: number
  /** Probability of a fault at each failpoint. */
  readonly faultRate: number
  readonly defect: PlantedDefect | null
}

const IDS = ['a', 'b', 'c'] as const
type Id = (typeof IDS)[number]

/** A command that clients send until it is answered, and some once more. */
interface SentCommand {
  readonly conversationId: Id
  readonly command: CommandKey
}

/** What the clients of a run share. */
interface World {
  readonly random: Random
  readonly clock: ManualClock
  readonly history: DriverHistory
  readonly commands: SentCommand[]
  readonly epochs: Record<Id, number[]>
  /** Grows with everything that has a name. */
  number: number
}

/** Clients append, send commands again and take leases at random, while the store fails at random. */
export async function simulate({ seed, steps, faultRate, defect }: RunOptions): Promise<SimulatedRun> {
  const random = createSeededRandom(seed)
  const clock = createManualClock()
  const world: World = {
    random,
    clock,
    history: createDriverHistory(),
    commands: [],
    epochs: { a: [], b: [], c: [] },
    number: 0,
  }
  const faults = randomFailures({ random, rate: faultRate })
  const failing = { now: false }
  const failures = { at: (passage: Parameters<typeof faults.at>[0]) => (failing.now ? faults.at(passage) : null) }
  let simulated = createSimulatedStore({ clock, random, failures, ...(defect ? { defect } : {}) })

  const begun = Promise.all(IDS.map((conversationId) => begin(simulated, world, conversationId)))
  await clock.advance(100)
  await begun

  failing.now = true
  const surprises: unknown[] = []
  const working: Promise<void>[] = []
  for (let step = 0; step < steps; step++) {
    const act = random.next()
    if (act < 0.7) working.push(ignoringFaults(doSomething(simulated, world), surprises))
    else if (act < 0.98) await clock.advance(Math.floor(random.next() * 8))
    else simulated.crash()
    if (!simulated.isRunning()) simulated = simulated.restart()
  }

  await clock.advance(10_000)
  await Promise.all(working)
  failing.now = false
  simulated = simulated.restart()
  return {
    report: await world.history.check(simulated.store),
    faults: simulated.faults(),
    surprises,
    epochs: world.epochs,
  }
}

function doSomething(simulated: SimulatedStore, world: World): Promise<void> {
  const act = world.random.next()
  if (act < 0.4) return appendInputs(simulated, world, { conversationId: pick(world.random, IDS), command: null })
  if (act < 0.6) {
    const commandId = `command ${world.number++}`
    const sent = { conversationId: pick(world.random, IDS), command: { commandId, fingerprint: commandId } }
    world.commands.push(sent)
    return appendInputs(simulated, world, sent)
  }
  const again = act < 0.85 && world.commands.length > 0
  if (again) return appendInputs(simulated, world, pick(world.random, world.commands))
  return act < 0.93 ? runAlone(simulated, world) : runWithin(simulated, world)
}

/** A beginning of its own for each log: its entry is like that of others, but for the command. */
async function begin({ store }: SimulatedStore, { history, clock }: World, conversationId: Id): Promise<void> {
  const entries = [conversationCreated('user_1')]
  await history.append(store, { conversationId, after: 0, entries, at: clock.now() })
}

/** Appends three entries after the head that it reads, which may move on meanwhile. */
async function appendInputs(
  { store }: SimulatedStore,
  world: World,
  { conversationId, command }: { readonly conversationId: Id; readonly command: CommandKey | null },
): Promise<void> {
  const name = command?.commandId ?? `input ${world.number++}`
  const entries = [1, 2, 3].map((part) => inputAdmitted(`${name}, part ${part}`, name))
  const { head } = await store.read({ conversationId, after: 0, limit: 1 })
  const append = { conversationId, after: head, entries, at: world.clock.now() }
  await world.history.append(store, command ? { ...append, command } : append)
}

/** Takes the lease, which is over at once, and writes under its epoch if nobody took it since. */
async function runAlone({ store }: SimulatedStore, world: World): Promise<void> {
  const conversationId = pick(world.random, IDS)
  const runId = `run_${world.number++}`
  const lease = await store.acquireLease({ conversationId, holder: runId, ttlMs: 0 })
  if (!lease) return
  world.epochs[conversationId].push(lease.epoch)
  const { head } = await store.read({ conversationId, after: 0, limit: 1 })
  const entries = [runStarted(runId, 'turn')]
  await world.history.append(store, { conversationId, after: head, entries, at: world.clock.now(), epoch: lease.epoch })
}

/** Takes the lease, which is over at once, with what it writes. */
async function runWithin({ store }: SimulatedStore, world: World): Promise<void> {
  const conversationId = pick(world.random, IDS)
  const runId = `run_${world.number++}`
  const { head } = await store.read({ conversationId, after: 0, limit: 1 })
  const entries = [runStarted(runId, 'turn')]
  const acquire = { holder: runId, ttlMs: 0 }
  const append = { conversationId, after: head, entries, at: world.clock.now(), acquire }
  const { lease } = await world.history.append(store, append)
  if (!lease) throw new Error(`The append of ${runId} took no lease`)
  world.epochs[conversationId].push(lease.epoch)
}

const EXPECTED = [AppendConflictError, StaleEpochError, StoreWriteError, StoreReadError]

/** A caller knows what to do about these; everything else is kept. */
async function ignoringFaults(work: Promise<void>, surprises: unknown[]): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!EXPECTED.some((kind) => error instanceof kind)) surprises.push(error)
  }
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random.next() * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}
