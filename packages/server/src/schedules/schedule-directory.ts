import {
  allRecords,
  type Clock,
  type EntryStore,
  type Ids,
  type Records,
  RevisionConflictError,
} from '@holdfast/conversation'
import { HOOK_PATH, type OccurrenceRow, type routes, type ScheduleRow } from '@holdfast/protocol'
import type * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { changedSchedule, newSchedule, refuseStale, type ScheduleChange } from './changed-schedule.ts'
import { checkMadeWith, type MadeWithParts } from './check-made-with.ts'
import { checkRule, type NewSchedule, nextOf, type RuleCheckDeps } from './check-rule.ts'
import type { Folders } from './folder-looks.ts'
import { delayedBy, delayOf } from './jitter.ts'
import { OCCURRENCE, type StoredSchedule } from './schedule-record.ts'
import { toOccurrenceRow, toScheduleRow } from './schedule-rows.ts'
import type { Scheduler } from './scheduler.ts'
import { inOrder } from './set-back.ts'
import type { ScheduleRecord, StoredSchedules } from './stored-schedules.ts'
import { type AboutConversation, aboutConversation, type ConcernedConversation } from './told/about-conversation.ts'

/** Schedules of an installation, and of one person, at most. */
const MOST = 20_000
const MOST_OF_ONE = 1_000
const SHOWN_NEXT = 5

/** Where a schedule is called, and what its calls are signed with. */
export type HookSecret = z.infer<(typeof routes)['renewScheduleSecret']['answers'][200]>

/** The schedules of people, as they make and see them. A person sees their own alone. [SEC1] */
export interface ScheduleDirectory {
  readonly scheduler: Scheduler
  rows(userId: string): readonly ScheduleRow[]
  /** @throws {RefusedError} 404 for what is not there and for what is another's. */
  read(userId: string, id: string): ScheduleRow
  /** Those of a person that concern a conversation, from memory: those that are on first, by name. [SCHED52] */
  about(userId: string, conversation: ConcernedConversation): AboutConversation
  record(userId: string, id: string): ScheduleRecord
  /** @throws {RefusedError} 422 for a rule that cannot be read or never happens, and for what runs cannot be made with. */
  create(userId: string, wanted: NewSchedule): Promise<ScheduleRow>
  /** @throws {RefusedError} as `create` does, and 409 where it names a revision that is no more. [SCHED37] */
  change(userId: string, id: string, change: ScheduleChange): Promise<ScheduleRow>
  /** Changes what is kept of one, however often another writes first. */
  update(userId: string, id: string, next: (value: StoredSchedule) => StoredSchedule): Promise<ScheduleRow>
  /** Gives one a new address with a new secret; those before count no more. @throws {RefusedError} where no call sets it off. */
  renewSecret(userId: string, id: string): Promise<HookSecret>
  remove(userId: string, id: string): Promise<void>
  run(userId: string, id: string): Promise<OccurrenceRow>
  history(userId: string, id: string): Promise<readonly OccurrenceRow[]>
  next(userId: string, id: string, count: number): readonly number[]
  /** `scheduleId`: whose jitter is meant; a schedule that is not made has none yet. @throws {RefusedError} */
  tryRule(wanted: z.infer<(typeof routes)['tryScheduleRule']['body']>): readonly number[]
}

/** What it is made of. */
export interface ScheduleDirectoryDeps {
  readonly scheduler: Scheduler
  readonly records: Records
  readonly store: Pick<EntryStore, 'readListing'>
  readonly folders: Folders
  readonly madeWith: MadeWithParts
  readonly clock: Clock
  readonly ids: Ids
  readonly sha256: (text: string) => string
}

/** Makes the directory of what a scheduler runs. */
export function createScheduleDirectory(deps: ScheduleDirectoryDeps): ScheduleDirectory {
  const { scheduler, records, store, clock, ids } = deps
  const { stored } = scheduler
  const checking: RuleCheckDeps = { stored, store, folders: deps.folders, clock }
  const rowOf = (record: ScheduleRecord): ScheduleRow => toScheduleRow(record, scheduler.tableOf)

  function record(userId: string, id: string): ScheduleRecord {
    const found = stored.get(id)
    if (found?.value.ownerId === userId) return found
    throw new RefusedError(404, 'unknown-schedule', `There is no schedule ${id}`)
  }

  async function checkTarget(userId: string, target: string): Promise<void> {
    if (target === 'new') return
    if ((await store.readListing(target))?.ownerId !== userId)
      throw new RefusedError(404, 'unknown-conversation', `There is no conversation ${target}`)
  }

  function checkCount(userId: string): void {
    const all = stored.all()
    if (all.length >= MOST || all.filter(({ value }) => value.ownerId === userId).length >= MOST_OF_ONE)
      throw new RefusedError(422, 'too-large', `There are too many schedules; remove one that is not needed first`)
  }

  /** Writes what follows from what is there, however often another writes first. */
  async function written<Value>(
    { userId, id }: { readonly userId: string; readonly id: string },
    write: (record: ScheduleRecord) => Promise<Value>,
  ): Promise<Value> {
    for (;;) {
      await stored.read(id)
      try {
        return await write(record(userId, id))
      } catch (error) {
        if (!(error instanceof RevisionConflictError)) throw error
      }
    }
  }

  function update(userId: string, id: string, next: (value: StoredSchedule) => StoredSchedule): Promise<ScheduleRow> {
    return written({ userId, id }, async ({ revision, value }) =>
      rowOf(await stored.put({ id, revision, value: next(value), at: clock.now() })),
    )
  }

  return {
    scheduler,
    record,
    update,
    rows: (userId) =>
      stored
        .all()
        .filter(({ value }) => value.ownerId === userId)
        .toSorted((one, other) => one.value.name.localeCompare(other.value.name) || one.id.localeCompare(other.id))
        .map(rowOf),
    read: (userId, id) => rowOf(record(userId, id)),
    about: (userId, conversation) => aboutConversation(scheduler, userId, conversation),
    async create(userId, wanted) {
      checkCount(userId)
      await checkMadeWith(deps.madeWith, userId, wanted)
      const standing = await checkRule(checking, wanted, { userId, id: null })
      await checkTarget(userId, wanted.target)
      const now = clock.now()
      const id = ids.next('schedule')
      const delayMs = delayOf(deps.sha256, id, wanted.jitterMinutes)
      const value = { ...newSchedule(userId, wanted, now), ...standing, delayMs }
      return rowOf(await stored.put({ id, revision: 0, value, at: now }))
    },
    async change(userId, id, change) {
      const { value: before } = record(userId, id)
      refuseStale(before, change)
      await checkMadeWith(deps.madeWith, userId, change)
      const rule = change.rule ?? before.rule
      const timeZone = change.timeZone ?? before.timeZone
      const workspaceId = change.workspaceId === undefined ? before.workspaceId : change.workspaceId
      const isWaitNew = change.rule !== undefined || change.isOn === true || change.workspaceId !== undefined
      const place = workspaceId === null || workspaceId === undefined ? {} : { workspaceId }
      const standing =
        isWaitNew || change.timeZone !== undefined
          ? await checkRule(checking, { rule, timeZone, ...place }, { userId, id })
          : null
      if (change.target !== undefined) await checkTarget(userId, change.target)
      return update(userId, id, (value) => {
        refuseStale(value, change)
        const delayMs = delayOf(deps.sha256, id, change.jitterMinutes ?? value.jitterMinutes ?? 0)
        return changedSchedule(delayedBy(value, delayMs), change, { now: clock.now(), standing })
      })
    },
    renewSecret: (userId, id) =>
      written({ userId, id }, async ({ revision, value }) => {
        if (value.rule.type !== 'hook')
          throw new RefusedError(409, 'conflict', 'This schedule waits for no call; choose that first')
        const hookId = ids.next('hook')
        await stored.put({ id, revision, value: { ...value, hookId }, at: clock.now() })
        return { path: `${HOOK_PATH}/${hookId}`, secret: scheduler.hooks.secretOf(hookId) }
      }),
    remove: (userId, id) =>
      written({ userId, id }, async (found) => {
        refuseFollowed(stored, id)
        await stored.remove(found)
      }),
    async run(userId, id) {
      record(userId, id)
      return toOccurrenceRow(await scheduler.runNow(id))
    },
    async history(userId, id) {
      record(userId, id)
      const found = inOrder(await allRecords(records, OCCURRENCE, id), clock.now())
      return found.map(({ value }) => toOccurrenceRow(value)).reverse()
    },
    next(userId, id, count) {
      const { value } = record(userId, id)
      return scheduler.tableOf(value).after(Math.max(value.cursor, clock.now()), count)
    },
    tryRule({ rule, timeZone, jitterMinutes, scheduleId }) {
      const delayMs = scheduleId === undefined ? 0 : delayOf(deps.sha256, scheduleId, jitterMinutes)
      return nextOf({ rule, timeZone, delayMs }, { now: clock.now(), count: SHOWN_NEXT })
    },
  }
}

/** A schedule that others run after would leave them waiting without end. [SCHED36] */
function refuseFollowed({ all }: Pick<StoredSchedules, 'all'>, scheduleId: string): void {
  const isFollower = ({ value: { rule, isOn } }: ScheduleRecord): boolean =>
    isOn && rule.type === 'after-schedule' && rule.scheduleId === scheduleId
  const follower = all().find(isFollower)
  if (follower === undefined) return
  const words = `${follower.value.name} runs after this schedule and would never run again: change or turn off that one first`
  throw new RefusedError(409, 'conflict', words)
}
