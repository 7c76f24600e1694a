import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import type { Engine } from '../../../src/api/engine.ts'
import type { LiveBus } from '../../../src/api/live-bus.ts'
import type { Violate } from '../rules/violation.ts'
import type { Chance } from './chance.ts'

/** What runs beside the engine in a replica, such as the scheduler of the program. */
export interface Beside {
  /** When the engine has recovered. */
  start(): Promise<void>
  close(): Promise<void>
}

/** What of a replica it works with. */
export interface BesideParts {
  readonly name: string
  readonly store: EntryStore
  readonly records: Records
  readonly engine: Engine
  readonly bus: LiveBus
  readonly clock: Clock
  readonly chance: Chance
  readonly violate: Violate
}

/** Makes what runs beside the engine of a replica. */
export type MakeBeside = (parts: BesideParts) => Beside
