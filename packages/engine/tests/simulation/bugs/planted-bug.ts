import type { Clock, EntryStore, Records, ReplicaStore } from '@holdfast/conversation'
import type { Tool } from '@holdfast/tool'
import type { Beats } from '../../../src/api/beats.ts'
import type { Engine } from '../../../src/api/engine.ts'
import type { LiveBus } from '../../../src/api/live-bus.ts'
import type { Chance } from '../parts/chance.ts'
import type { MachineDefect } from '../parts/simulated-machine.ts'

/** What a planted bug may use. */
export interface Soil {
  readonly chance: Chance
  /** The bus of the replica. */
  readonly bus: LiveBus
  /** Its clock, as the engine has it. */
  readonly clock: Clock
  /** The rows of the replicas. */
  readonly replicas: ReplicaStore
  /** The records beside the log. */
  readonly records: Records
}

/**
 * A bug put there on purpose, to see that the simulation finds it. It sits between the engine and its ports, so that
 * the product's code knows nothing of it; each is what some line of the product would do if it were wrong.
 */
export interface PlantedBug {
  readonly name: string
  /** In the store's machine. */
  readonly defect?: MachineDefect
  /** On the way from the engine to the store. */
  readonly store?: (store: EntryStore, soil: Soil) => EntryStore
  readonly clock?: (clock: Clock) => Clock
  readonly bus?: (bus: LiveBus) => LiveBus
  /** On the way from a replica to its row. */
  readonly replicas?: (replicas: ReplicaStore) => ReplicaStore
  /** On the way from the beats of a replica to its engine. */
  readonly beats?: (beats: Beats) => Beats
  /** On the way from the engine to the tools. */
  readonly tool?: (tool: Tool) => Tool
  /** On the way from people to the engine. */
  readonly engine?: (engine: Engine, store: EntryStore) => Engine
}
