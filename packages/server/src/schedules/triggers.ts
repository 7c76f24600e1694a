import { type Clock, type Records, RevisionConflictError } from '@holdfast/conversation'
import { budgetLeft } from './budget-left.ts'
import { type Claims, usedUpWords } from './claims.ts'
import { roomFor } from './decide-due.ts'
import { lineOf } from './occurrence-lines.ts'
import { OCCURRENCE, occurrenceId, type StoredSchedule, type Trigger } from './schedule-record.ts'
import type { StoredSchedules } from './stored-schedules.ts'

/**
 * What became of something that sets off a run. `known`: it did so before; `off`: the schedule is paused, or waits for something
 * else; `refused`: a call that cannot be taken now, of which nothing is kept, so that it may come again.
 */
export type Triggered = 'begun' | 'queued' | 'skipped' | 'known' | 'off' | { readonly refused: string }

/** Sets off runs by what is no time. One thing sets off one run, whichever process sees it, however often. [SCHED16] */
export interface Triggers {
  /** `next`: where the schedule stands after it; null where it waits for something else by now. */
  fire(scheduleId: string, trigger: Trigger, next: (value: StoredSchedule) => StoredSchedule | null): Promise<Triggered>
}

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
    const skip = async (reason: string): Promise<Triggered> => {
      if (cause === 'hook') return { refused: reason }
      await claims.write(record, value, [lineOf({ ...named, state: 'skipped', reason })])
      return 'skipped'
    }
    if (chain > LONGEST_CHAIN) return skip(`${LONGEST_CHAIN} runs had set each other off before it`)
    const room = roomFor(value)
    if (room.type === 'skip') return skip(room.reason)
    if (room.type === 'queue') {
      await claims.write(record, { ...value, queuedAt: plannedAt, queuedTrigger: trigger }, [])
      return 'queued'
    }
    const over = budgetLeft(value, clock.now())
    if (over !== null && over.limitUsd <= 0) return skip(usedUpWords(over.period))
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
