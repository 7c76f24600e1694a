import { type Clock, type Records, RevisionConflictError } from '@holdfast/conversation'
import { type Because, because } from './because.ts'
import { budgetLeft, untilNewBudget, usedUp } from './budget-left.ts'
import type { Claims } from './claims.ts'
import { roomFor } from './decide-due.ts'
import { lineOf } from './occurrence-lines.ts'
import { OCCURRENCE, occurrenceId, type StoredSchedule, type Trigger } from './schedule-record.ts'
import type { StoredSchedules } from './stored-schedules.ts'

/**
 * What became of something that sets off a run. `known`: it did so before; `off`: the schedule is paused, or waits for something
 * else; `refused`: a call that cannot be taken now, of which nothing is kept, so that it may come again.
 */
export type Triggered = 'begun' | 'queued' | 'skipped' | 'known' | 'off' | RefusedCall

/** Why a call is not taken now, and after how long it may be, in milliseconds. */
export interface RefusedCall {
  readonly refused: string
  readonly waitMs: number
}

/** Sets off runs by what is no time. One thing sets off one run, whichever process sees it, however often. [SCHED16] */
export interface Triggers {
  /** `next`: where the schedule stands after it; null where it waits for something else by now. */
  fire(scheduleId: string, trigger: Trigger, next: (value: StoredSchedule) => StoredSchedule | null): Promise<Triggered>
}

/** How long a run takes nobody knows: a call that found one open may come again after so long, well within the time of its signature. */
const OPEN_WAIT_MS = 30_000
/** So many runs may follow one another, each set off by the end of the one before. [SCHED22] */
const LONGEST_CHAIN = 10

/** Makes them. */
export function createTriggers({
  stored,
  records,
  claims,
  clock,
}: {
  readonly stored: StoredSchedules
  readonly records: Pick<Records, 'get'>
  readonly claims: Claims
  readonly clock: Clock
}): Triggers {
  async function fireOnce(...[scheduleId, trigger, next]: Parameters<Triggers['fire']>): Promise<Triggered> {
    const record = await stored.read(scheduleId)
    const value = record?.value.isOn ? next(record.value) : null
    if (!record || !value) return 'off'
    const { said, at: plannedAt, cause, source, chain } = trigger
    const named = { plannedAt, cause, source, chain }
    const isKnown = await records.get(OCCURRENCE, { ownerId: scheduleId, id: occurrenceId(named) })
    const isTold = record.value.news.some((line) => line.source === source)
    if (isKnown || isTold || value.queuedTrigger?.source === source) return 'known'
    const skip = async (said: Because, waitMs: number): Promise<Triggered> => {
      if (cause === 'hook') return { refused: said.reason, waitMs }
      await claims.write(record, value, [lineOf({ ...named, state: 'skipped', ...said })])
      return 'skipped'
    }
    if (chain > LONGEST_CHAIN) return skip(because({ code: 'chain-too-long', count: LONGEST_CHAIN }), OPEN_WAIT_MS)
    const room = roomFor(value)
    if (room.type === 'skip') return skip(room.because, OPEN_WAIT_MS)
    if (room.type === 'queue') {
      await claims.write(record, { ...value, queuedAt: plannedAt, queuedTrigger: trigger }, [])
      return 'queued'
    }
    const now = clock.now()
    const over = budgetLeft(value, now)
    if (over !== null && over.limitUsd <= 0) return skip(usedUp(over), untilNewBudget(value, over, now))
    const line = await claims.begin(record, value, { ...named, isLate: false, said })
    return line.state === 'skipped' ? 'skipped' : 'begun'
  }

  return {
    async fire(scheduleId, trigger, next) {
      for (;;) {
        try {
          return await fireOnce(scheduleId, trigger, next)
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
  }
}
