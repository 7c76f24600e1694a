import { sha256, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import { createScheduleDirectory, createScheduler, type Diagnostics } from '@holdfast/server'

type Parts = Pick<Parameters<typeof createScheduler>[0], 'records' | 'engine' | 'bus'> & {
  readonly store: Parameters<typeof createScheduleDirectory>[0]['store'] & Parameters<typeof createScheduler>[0]['log']
  readonly log: Diagnostics
}

/** Opens the schedules of people, and what runs them when they are due. */
export function openSchedules({ records, store, engine, bus, log }: Parts) {
  const at = { records, clock: systemClock, ids: systemIds }
  const scheduler = createScheduler({
    ...at,
    log: store,
    engine,
    bus,
    random: systemRandom,
    sha256,
    onFault: (error) => log.error('a schedule has a fault', { error }),
  })
  return { scheduler, schedules: createScheduleDirectory({ ...at, scheduler, store }) }
}
