import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import type { Engine, LiveBus } from '@holdfast/engine'
import { newSchedule } from '../../src/schedules/changed-schedule.ts'
import type { MadeWithParts } from '../../src/schedules/check-made-with.ts'
import type { Folders } from '../../src/schedules/folder-looks.ts'
import { createScheduleDirectory, type ScheduleDirectory } from '../../src/schedules/schedule-directory.ts'
import type { StoredSchedule } from '../../src/schedules/schedule-record.ts'
import { createScheduler } from '../../src/schedules/scheduler.ts'
import { realIds, sha256 } from './real-ports.ts'

/** The parts of one process. */
export interface SchedulePorts {
  readonly store: EntryStore
  readonly records: Records
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly engine: Pick<Engine, 'admitOccurrence' | 'resume'>
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
  /** What a folder of this path is now; absent where there is none. */
  readonly folders?: Folders
  /** What there is beside the scripted model. */
  readonly madeWith?: Partial<MadeWithParts>
  /** Where it begins with what is due, from 0 to 1. */
  readonly begins?: number
}

const ONE_MODEL: MadeWithParts = {
  models: () => [{ modelId: 'scripted' }],
  agents: { find: () => Promise.resolve(null) },
  presets: { find: () => Promise.resolve(null) },
  hasWorkspace: () => true,
}

const NO_FOLDERS: Folders = { look: () => Promise.resolve(null) }

/** The scheduler and the directory of a process. */
export function scheduleParts({
  store,
  records,
  bus,
  engine,
  clock,
  onFault,
  folders = NO_FOLDERS,
  madeWith = {},
  begins = 0.5,
}: SchedulePorts): ScheduleDirectory {
  const scheduler = createScheduler({
    records,
    log: store,
    engine,
    bus,
    clock,
    ids: realIds,
    random: { next: () => begins },
    sha256,
    onFault,
    secret: new Uint8Array(32).fill(9),
    folders,
    wordsOf: ({ conversationId }) =>
      Promise.resolve({ type: 'mention', kind: 'conversation', id: conversationId, text: 'What was said there' }),
  })
  return createScheduleDirectory({
    scheduler,
    records,
    store,
    folders,
    madeWith: { ...ONE_MODEL, ...madeWith },
    clock,
    ids: realIds,
    sha256,
  })
}

/** Whose schedules they are. */
export const USER = 'user_1'

type Wanted = Parameters<ScheduleDirectory['create']>[1]

/** A schedule with this rule. */
export function wantedBy(rule: Wanted['rule']): Wanted {
  return {
    name: 'Bells',
    content: [{ type: 'text', text: 'Ring the bells' }],
    rule,
    timeZone: 'UTC',
    missed: 'once',
    missedLimit: 10,
    missedWindowHours: 24,
    overlap: 'skip',
    jitterMinutes: 0,
    target: 'new',
    unattended: 'deny',
    rules: [],
    budgets: {},
    isOn: true,
  }
}

/** A schedule of nine in the morning that was made at this time, as it is kept. */
export function storedSchedule(at: number): StoredSchedule {
  return newSchedule(USER, wantedBy({ type: 'cron', expression: '0 9 * * *' }), at)
}
