import type { Clock, EntryStore } from '@holdfast/conversation'
import type { routes } from '@holdfast/protocol'
import type * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { isTimed } from './decide-due.ts'
import type { Folders } from './folder-looks.ts'
import type { StoredSchedule } from './schedule-record.ts'
import type { StoredSchedules } from './stored-schedules.ts'
import { MalformedScheduleError } from './times/read-cron.ts'
import { readTimetable } from './times/timetable.ts'

/** What a person says of a new schedule. */
export type NewSchedule = z.infer<(typeof routes)['createSchedule']['body']>
type Timed = Pick<NewSchedule, 'rule' | 'timeZone'>
/** A rule, and how much later than it says it runs. */
export type Delayed = Timed & Pick<StoredSchedule, 'delayMs'>

/** What rules are checked against. */
export interface RuleCheckDeps {
  readonly stored: StoredSchedules
  readonly store: Pick<EntryStore, 'readListing'>
  readonly folders: Folders
  readonly clock: Clock
}

const YEARS = 50

/** From where a rule that no time sets off waits. */
export type Standing = Pick<StoredSchedule, 'afterSeq' | 'folder'>

/** Whether a rule can be kept: it happens, and what it waits for is there. @returns from where it waits. @throws {RefusedError} */
export async function checkRule(
  { stored, store, folders, clock }: RuleCheckDeps,
  wanted: Timed & Pick<StoredSchedule, 'workspaceId'>,
  /** The schedule that is to have it; null for a new one. */
  { userId, id }: { readonly userId: string; readonly id: string | null },
): Promise<Standing> {
  const { rule, workspaceId } = wanted
  nextOf(wanted, { now: clock.now(), count: 1 })
  switch (rule.type) {
    case 'after-schedule':
      checkCircle(stored, rule.scheduleId, { userId, id })
      return {}
    case 'after-conversation': {
      const listing = await store.readListing(rule.conversationId)
      if (listing?.ownerId === userId) return { afterSeq: listing.head }
      throw new RefusedError(404, 'unknown-conversation', `There is no conversation ${rule.conversationId}`)
    }
    case 'folder': {
      const seen = await folders.look({ userId, workspaceId, path: rule.path })
      if (seen !== null) return { folder: { seen, at: 0 } }
      throw new RefusedError(422, 'bad-schedule', `There is no folder "${rule.path}" in the workspace`)
    }
    case 'cron':
    case 'rrule':
    case 'once':
    case 'hook':
      return {}
  }
}

/** The next instants of a rule; none for one that no time sets off. @throws {RefusedError} for one that never happens. [SCHED3] */
export function nextOf(
  { rule, timeZone, delayMs }: Delayed,
  { now, count }: { readonly now: number; readonly count: number },
): readonly number[] {
  try {
    const next = readTimetable({ rule, timeZone, anchorAt: now, delayMs }).after(now, count)
    if (next.length > 0 || !isTimed(rule)) return next
  } catch (error) {
    if (error instanceof MalformedScheduleError) throw new RefusedError(422, 'bad-schedule', error.message)
    throw error
  }
  const words = rule.type === 'once' ? `"${rule.at}" is over` : `This rule never happens in the next ${YEARS} years`
  throw new RefusedError(422, 'bad-schedule', `${words}; choose another time.`)
}

/** Schedules may not wait for each other in a circle. [SCHED22] */
function checkCircle(
  stored: StoredSchedules,
  first: string,
  { userId, id }: { readonly userId: string; readonly id: string | null },
): void {
  const passed = new Set<string>()
  for (let at: string | null = first; at !== null; ) {
    const found: StoredSchedule | undefined = stored.get(at)?.value
    if (at === first && found?.ownerId !== userId)
      throw new RefusedError(404, 'unknown-schedule', `There is no schedule ${first}`)
    if (at === id || passed.has(at))
      throw new RefusedError(422, 'bad-schedule', 'These schedules would set each other off without end')
    passed.add(at)
    at = found?.rule.type === 'after-schedule' ? found.rule.scheduleId : null
  }
}
