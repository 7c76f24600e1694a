import type { Entry } from '@holdfast/conversation'
import type { ModelChoice } from '../../src/api/ports.ts'
import type { PlantedBug } from './bugs/planted-bug.ts'
import type { MakeBeside } from './parts/beside.ts'
import { type Chance, createChance } from './parts/chance.ts'
import type { LeasesBy } from './parts/leases-by.ts'
import { createScheduler, type Scheduler, type SimulatedProcess, type Wall } from './parts/scheduler.ts'
import { createSimulatedBus, type SimulatedBus } from './parts/simulated-bus.ts'
import type { MachineFailure, MachineParts, SimulatedMachine } from './parts/simulated-machine.ts'
import { type ConversationWatch, createConversationWatch } from './rules/conversation-watch.ts'
import { createOwnerRules, type OwnerRules } from './rules/owner-rules.ts'
import type { FormatChecks } from './rules/request-rules.ts'
import { createSubAgentRules, type SubAgentRules } from './rules/sub-agent-rules.ts'
import type { Violation } from './rules/violation.ts'

/** Kinds of faults, counted. A run that injected none has tested nothing. */
export type FaultKind =
  | 'process-crash'
  | 'power-failure'
  | 'crash-at-failpoint'
  | 'shutdown'
  | 'pause'
  | 'partition'
  | 'lost-call'
  | 'clock-jump'
  | 'time-leap'
  | 'clock-set'
  | 'store-refusal'
  | 'store-delay'
  | 'provider-fault'
  | 'wrong-answer'
  | 'repeated-command'
  | 'reader-cut'

/** What a world is made of, beside its seed. */
export interface WorldParts {
  readonly seed: number
  readonly openMachine: (parts: MachineParts) => SimulatedMachine
  readonly formats: FormatChecks
  readonly planted: PlantedBug | null
  readonly leases: LeasesBy
  /** Whether a client offers a tool of its own, and answers its calls. */
  readonly clients: boolean
  /** Whether agents give tasks to others. */
  readonly subAgents: boolean
  /** What runs beside the engine in each replica; nothing where it is absent. */
  readonly beside?: MakeBeside
}

/** One simulated world: everything in it is moved by one seed. */
export interface World {
  readonly parts: WorldParts
  readonly chance: Chance
  readonly scheduler: Scheduler
  readonly bus: SimulatedBus
  /** Who sends commands and reads. */
  readonly people: SimulatedProcess
  readonly watches: readonly ConversationWatch[]
  readonly owners: OwnerRules
  readonly subAgents: SubAgentRules
  readonly violations: readonly Violation[]
  readonly faults: Map<FaultKind, number>
  /** Whether faults are let loose. */
  isRough: boolean
  /** The wall clock of the replicas. */
  readonly wall: Wall
  /** The rate at which the store refuses, delays and crashes now. */
  storeTrouble: number
  machine(): SimulatedMachine
  /** Opens what survived of the store. */
  restartMachine(): void
  violate(rule: string, text: string): void
  count(kind: FaultKind): void
  watchOf(conversationId: string): ConversationWatch
  addConversation(conversationId: string, models: () => readonly ModelChoice[]): void
  /** Has something looked at when all that follows from what happens now has happened. */
  whenSettled(look: () => void): void
  /** Looks at that. */
  settle(): void
  /** Lets every watch see what is durable now. */
  look(): void
  /** A number that no other has. */
  number(): number
}

/** Makes an empty world. */
export function createWorld(parts: WorldParts): World {
  const { planted, openMachine, formats } = parts
  const chance = createChance(parts.seed)
  const scheduler = createScheduler(chance)
  const people = processOf('people', { onMs: 0 })
  const disk = processOf('store', { onMs: 0 })
  const watches: ConversationWatch[] = []
  const violations: Violation[] = []
  const looks: (() => void)[] = []
  let numbers = 0
  let modelsHere: (() => readonly ModelChoice[]) | null = null

  function failureAt(): MachineFailure | null {
    if (!world.isRough || !chance.happens(world.storeTrouble)) return null
    const kind = chance.weighted([
      ['wait' as const, 70],
      ['refuse' as const, 27],
      ['crash' as const, 3],
    ])
    switch (kind) {
      case 'wait':
        world.count('store-delay')
        return { type: 'wait', delayMs: chance.below(chance.happens(0.1) ? 3_000 : 60) }
      case 'refuse':
        world.count('store-refusal')
        return { type: 'refuse', code: chance.pick(['disk-full', 'busy', 'disk-error', 'unreachable']) }
      case 'crash':
        world.count('crash-at-failpoint')
        return { type: 'crash' }
    }
  }

  let machine = openMachine({
    clock: scheduler.clockOf(disk),
    random: chance,
    failureAt,
    defect: planted?.defect ?? null,
  })

  const world: World = {
    parts,
    chance,
    scheduler,
    people,
    watches,
    owners: createOwnerRules({
      violate: (rule, text) => world.violate(rule, text),
      now: scheduler.clockOf(people).now,
    }),
    subAgents: createSubAgentRules((rule, text) => world.violate(rule, text)),
    violations,
    bus: createSimulatedBus({ chance, scheduler, wire: people, isLossy: () => world.isRough }),
    faults: new Map(),
    isRough: false,
    wall: { onMs: 0 },
    storeTrouble: 0.01,
    machine: () => machine,
    restartMachine() {
      machine = machine.restart()
    },
    violate: (rule, text) => void violations.push({ rule, text }),
    count: (kind) => void world.faults.set(kind, (world.faults.get(kind) ?? 0) + 1),
    watchOf(conversationId) {
      const watch = watches.find((other) => other.conversationId === conversationId)
      if (watch) return watch
      // What runs beside the engine, and calls of agents, begin conversations that nobody asked for.
      if ((!parts.beside && !parts.subAgents) || !modelsHere)
        throw new Error(`Nobody watches conversation ${conversationId}`)
      world.addConversation(conversationId, modelsHere)
      world.look()
      return world.watchOf(conversationId)
    },
    addConversation(conversationId, models) {
      modelsHere = models
      watches.push(
        createConversationWatch({ conversationId, formats, models, violate: world.violate, nowMs: scheduler.nowMs }),
      )
    },
    look() {
      for (const watch of watches) {
        watch.look(machine.durable)
        if (parts.leases === 'by-beats') world.owners.look(watch.conversationId, machine.durable)
      }
      world.subAgents.look(watches)
    },
    whenSettled: (look) => void looks.push(look),
    settle() {
      for (const look of looks.splice(0)) look()
    },
    number: () => ++numbers,
  }
  return world
}

/** A process that runs. */
export function processOf(name: string, wall: Wall): SimulatedProcess {
  return { name, state: 'running', wallOffsetMs: 0, wall, cutFrom: 'nothing' }
}

/** Whether the log holds an entry of this command and kind. */
export function hasEffect(watch: ConversationWatch, commandId: string, type: Entry['type'] | null): boolean {
  return watch.entries.some((entry) => entry.commandId === commandId && (type === null || entry.type === type))
}
