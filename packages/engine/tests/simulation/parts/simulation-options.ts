import type { PlantedBug } from '../bugs/planted-bug.ts'
import type { FormatChecks } from '../rules/request-rules.ts'
import type { LeasesBy } from './leases-by.ts'
import type { SealThinking } from './replica.ts'
import type { MachineParts, SimulatedMachine } from './simulated-machine.ts'

/** What to simulate, and in what. */
export interface SimulationOptions {
  readonly seed: number
  /** How many things happen in all, faults included. */
  readonly steps: number
  readonly openMachine: (parts: MachineParts) => SimulatedMachine
  readonly formats: FormatChecks
  readonly sealThinking: SealThinking
  readonly leases: LeasesBy
  readonly planted: PlantedBug | null
  /** Whether schedules are due beside all else; then sleep and clocks that are set are among what happens. */
  readonly schedules?: true
  /** Whether clients offer tools of their own, and answer their calls when they like. */
  readonly clients?: true
  /** Whether agents give tasks to others, which have conversations of their own. */
  readonly subAgents?: true
  /** Ends it between two worlds: `simulate` throws the reason. */
  readonly signal?: AbortSignal
}
