import { sha256, systemClock, systemIds, systemRandom } from '@holdfast/engine/system'
import {
  createPointedAt,
  createScheduleDirectory,
  createScheduler,
  type Diagnostics,
  RefusedError,
  type WorkspaceDirectory,
} from '@holdfast/server'
import { createFolderPrints } from './workspaces/folder-prints.ts'

type Parts = Pick<Parameters<typeof createScheduler>[0], 'records' | 'engine' | 'bus' | 'secret'> & {
  readonly store: Parameters<typeof createPointedAt>[0]['store']
  readonly workspaces: Pick<WorkspaceDirectory, 'rootOf'>
  readonly log: Diagnostics
}

/** Opens the schedules of people, and what runs them when they are due. */
export function openSchedules({ records, store, engine, bus, secret, workspaces, log }: Parts) {
  const at = { records, clock: systemClock, ids: systemIds, folders: createFolderPrints(workspaces) }
  const pointedAt = createPointedAt({ store, log, agents: null })
  const scheduler = createScheduler({
    ...at,
    log: store,
    engine,
    bus,
    secret,
    random: systemRandom,
    sha256,
    async wordsOf({ userId, conversationId }) {
      const part = { type: 'mention' as const, kind: 'conversation' as const, id: conversationId }
      try {
        return await pointedAt.mention({ userId, conversationId: null }, part)
      } catch (error) {
        if (error instanceof RefusedError) return null
        throw error
      }
    },
    onFault: (error) => log.error('a schedule has a fault', { error }),
  })
  return { scheduler, schedules: createScheduleDirectory({ ...at, scheduler, store }) }
}
