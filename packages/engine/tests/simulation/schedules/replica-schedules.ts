import { createScheduleDirectory, createScheduler, type ScheduleDirectory } from '@holdfast/server'
import type { Beside, BesideParts } from '../parts/beside.ts'
import { isExpected } from '../parts/replica.ts'
import { sha256 } from '../parts/sha256.ts'

/** The scheduler of the program beside the engine of a replica. */
export interface ReplicaSchedules extends Beside {
  readonly directory: ScheduleDirectory
}

/** What other processes have changed is read so often, in milliseconds. */
const REFRESH_MS = 7_500

const NO_FOLDERS = { look: () => Promise.resolve(null) }

/** Makes the scheduler and the directory of a process, without what is not part of a world: folders, calls from outside, other agents. */
export function createReplicaSchedules(parts: BesideParts): ReplicaSchedules {
  const { name, store, records, engine, bus, clock, chance, violate } = parts
  let made = 0
  let isClosed = false
  let cancel = (): void => {}
  const ids = { next: (prefix: string) => `${prefix}_${name}_beside_${++made}` }
  const scheduler = createScheduler({
    records,
    log: store,
    engine,
    bus,
    clock,
    ids,
    random: chance,
    sha256,
    secret: new Uint8Array(32),
    folders: NO_FOLDERS,
    wordsOf: () => Promise.resolve(null),
    onFault: told,
  })
  const directory = createScheduleDirectory({
    scheduler,
    records,
    store,
    folders: NO_FOLDERS,
    clock,
    ids,
    sha256,
    madeWith: {
      models: () => [],
      agents: { find: () => Promise.resolve(null) },
      presets: { find: () => Promise.resolve(null) },
      hasWorkspace: () => false,
    },
  })

  function told(error: unknown): void {
    if (!isExpected(error))
      violate('SCHED1', `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  }

  function again(): void {
    if (isClosed) return
    cancel = clock.after(REFRESH_MS, () => void scheduler.refresh().catch(told).finally(again))
  }

  return {
    directory,
    async start() {
      await scheduler.start()
      again()
    },
    async close() {
      isClosed = true
      cancel()
      await scheduler.close()
    },
  }
}
