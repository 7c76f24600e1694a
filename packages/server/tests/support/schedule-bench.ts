import { createHash } from 'node:crypto'
import type { Clock, EntryStore, Records } from '@holdfast/conversation'
import type { Engine, LiveBus } from '@holdfast/engine'

import type { Folders } from '../../src/schedules/folder-looks.ts'
import { createScheduleDirectory, type ScheduleDirectory } from '../../src/schedules/schedule-directory.ts'
import type { StoredSchedule } from '../../src/schedules/schedule-record.ts'
import { createScheduler } from '../../src/schedules/scheduler.ts'
import { realIds } from './real-ports.ts'

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
}: SchedulePorts): ScheduleDirectory {
  const scheduler = createScheduler({
    records,
    log: store,
    engine,
    bus,
    clock,
    ids: realIds,
    random: { next: () => 0.5 },
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    onFault,
    secret: new Uint8Array(32).fill(9),
    folders,
    wordsOf: ({ conversationId }) =>
      Promise.resolve({ type: 'mention', kind: 'conversation', id: conversationId, text: 'What was said there' }),
  })
  return createScheduleDirectory({ scheduler, records, store, folders, clock, ids: realIds })
}

/** A schedule that was made at this time, as it is kept. */
export function storedSchedule(at: number): StoredSchedule {
  return {
    ownerId: 'user_1',
    name: 'Morning',
    text: 'Say good morning',
    rule: { type: 'cron', expression: '0 9 * * *' },
    timeZone: 'UTC',
    missed: 'once',
    missedLimit: 10,
    missedWindowHours: 24,
    overlap: 'skip',
    target: 'new',
    unattended: 'deny',
    rules: [],
    budgets: {},
    isOn: true,
    createdAt: at,
    anchorAt: at,
    cursor: at,
    open: [],
    queuedAt: null,
    failuresInRow: 0,
    pausedReason: null,
    spent: { day: '', dayUsd: 0, month: '', monthUsd: 0 },
    news: [],
    moreNews: 0,
    last: null,
  }
}
