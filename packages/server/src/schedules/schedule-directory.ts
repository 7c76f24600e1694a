import { type Clock, type EntryStore, type Ids, type Records, RevisionConflictError } from '@holdfast/conversation'
import type { OccurrenceRow, routes, ScheduleRow } from '@holdfast/protocol'
import type * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import { MalformedScheduleError } from './read-cron.ts'
import { OCCURRENCE, type Occurrence, type StoredSchedule } from './schedule-record.ts'
import type { Scheduler } from './scheduler.ts'
import type { ScheduleRecord } from './stored-schedules.ts'
import { readTimetable } from './timetable.ts'

/** Schedules of an installation, and of one person, at most. */
const MOST = 20_000
const MOST_OF_ONE = 1_000
const KEPT_OCCURRENCES = 200
const YEARS = 50

type NewSchedule = z.infer<(typeof routes)['createSchedule']['body']>
type ScheduleChange = z.infer<(typeof routes)['changeSchedule']['body']>

/** The schedules of people, as they make and see them. A person sees their own alone. [SEC1] */
export interface ScheduleDirectory {
  readonly scheduler: Scheduler
  rows(userId: string): readonly ScheduleRow[]
  /** @throws {RefusedError} 404 for what is not there and for what is another's. */
  read(userId: string, id: string): ScheduleRow
  record(userId: string, id: string): ScheduleRecord
  /** @throws {RefusedError} 422 for a rule that cannot be read, or never happens. */
  create(userId: string, wanted: NewSchedule): Promise<ScheduleRow>
  change(userId: string, id: string, change: ScheduleChange): Promise<ScheduleRow>
  /** Changes what is kept of one, however often another writes first. */
  update(userId: string, id: string, next: (value: StoredSchedule) => StoredSchedule): Promise<ScheduleRow>
  remove(userId: string, id: string): Promise<void>
  run(userId: string, id: string): Promise<OccurrenceRow>
  history(userId: string, id: string): Promise<readonly OccurrenceRow[]>
  next(userId: string, id: string, count: number): readonly number[]
  /** @throws {RefusedError} */
  tryRule(wanted: Pick<NewSchedule, 'rule' | 'timeZone'>): readonly number[]
}

/** What it is made of. */
export interface ScheduleDirectoryDeps {
  readonly scheduler: Scheduler
  readonly records: Records
  readonly store: Pick<EntryStore, 'readListing'>
  readonly clock: Clock
  readonly ids: Ids
}

/** Makes the directory of what a scheduler runs. */
export function createScheduleDirectory({
  scheduler,
  records,
  store,
  clock,
  ids,
}: ScheduleDirectoryDeps): ScheduleDirectory {
  const { stored } = scheduler

  function record(userId: string, id: string): ScheduleRecord {
    const found = stored.get(id)
    if (found?.value.ownerId === userId) return found
    throw new RefusedError(404, 'unknown-schedule', `There is no schedule ${id}`)
  }

  function checkRule(wanted: Pick<NewSchedule, 'rule' | 'timeZone'>, count: number): readonly number[] {
    const now = clock.now()
    try {
      const next = readTimetable({ ...wanted, anchorAt: now }).after(now, count)
      if (next.length > 0) return next
    } catch (error) {
      if (error instanceof MalformedScheduleError) throw new RefusedError(422, 'bad-schedule', error.message)
      throw error
    }
    const words =
      wanted.rule.type === 'once' ? `"${wanted.rule.at}" is over` : `This rule never happens in the next ${YEARS} years`
    throw new RefusedError(422, 'bad-schedule', `${words}; choose another time.`)
  }

  async function checkTarget(userId: string, target: string): Promise<void> {
    if (target === 'new') return
    const listing = await store.readListing(target)
    if (listing?.ownerId !== userId)
      throw new RefusedError(404, 'unknown-conversation', `There is no conversation ${target}`)
  }

  function rowOf({ id, value }: ScheduleRecord): ScheduleRow {
    const { ownerId: _, text, cursor, open, news: __, anchorAt: ___, rules, ...shown } = value
    return {
      id,
      name: shown.name,
      content: [{ type: 'text', text }],
      ...(shown.agentId === undefined ? {} : { agentId: shown.agentId }),
      ...(shown.modelId === undefined ? {} : { modelId: shown.modelId }),
      ...(shown.workspaceId === undefined ? {} : { workspaceId: shown.workspaceId }),
      rule: shown.rule,
      timeZone: shown.timeZone,
      missed: shown.missed,
      missedLimit: shown.missedLimit,
      missedWindowHours: shown.missedWindowHours,
      overlap: shown.overlap,
      target: shown.target,
      unattended: shown.unattended,
      rules: rules.map(({ tool, pattern }) => ({ tool, ...(pattern === undefined ? {} : { pattern }) })),
      budgets: shown.budgets,
      isOn: shown.isOn,
      createdAt: shown.createdAt,
      nextAt: shown.isOn ? (nextOf(value, cursor)[0] ?? null) : null,
      pausedReason: shown.pausedReason,
      openCount: open.length,
      failuresInRow: shown.failuresInRow,
      last: shown.last === null ? null : toRow(shown.last),
    }
  }

  function nextOf(value: StoredSchedule, after: number): readonly number[] {
    return scheduler.tableOf(value).after(after, 1)
  }

  async function update(
    userId: string,
    id: string,
    next: (value: StoredSchedule) => StoredSchedule,
  ): Promise<ScheduleRow> {
    for (;;) {
      await stored.read(id)
      const { revision, value } = record(userId, id)
      try {
        return rowOf(await stored.put({ id, revision, value: next(value), at: clock.now() }))
      } catch (error) {
        if (!(error instanceof RevisionConflictError)) throw error
      }
    }
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
    async create(userId, { content, rules, ...wanted }) {
      const all = stored.all()
      if (all.length >= MOST || all.filter(({ value }) => value.ownerId === userId).length >= MOST_OF_ONE)
        throw new RefusedError(422, 'too-large', `There are too many schedules; remove one that is not needed first`)
      checkRule(wanted, 1)
      await checkTarget(userId, wanted.target)
      const now = clock.now()
      const value: StoredSchedule = {
        ...wanted,
        ownerId: userId,
        text: content.map(({ text }) => text).join('\n\n'),
        rules: allowances(rules),
        createdAt: now,
        anchorAt: now,
        cursor: now,
        open: [],
        queuedAt: null,
        failuresInRow: 0,
        pausedReason: null,
        spent: { day: '', dayUsd: 0, month: '', monthUsd: 0 },
        news: [],
        moreNews: 0,
        last: null,
      }
      return rowOf(await stored.put({ id: ids.next('schedule'), revision: 0, value, at: now }))
    },
    async change(userId, id, { content, rules, agentId, modelId, workspaceId, ...changes }) {
      const { value: before } = record(userId, id)
      const wanted = { rule: changes.rule ?? before.rule, timeZone: changes.timeZone ?? before.timeZone }
      const isRuleNew = changes.rule !== undefined || changes.timeZone !== undefined
      if (isRuleNew) checkRule(wanted, 1)
      if (changes.target !== undefined) await checkTarget(userId, changes.target)
      return update(userId, id, (value) => {
        const now = clock.now()
        const isTurnedOn = changes.isOn === true && !value.isOn
        const { agentId: ownAgent, modelId: ownModel, workspaceId: ownWorkspace, ...rest } = value
        return {
          ...rest,
          ...changes,
          ...chosen('agentId', agentId, ownAgent),
          ...chosen('modelId', modelId, ownModel),
          ...chosen('workspaceId', workspaceId, ownWorkspace),
          ...(content === undefined ? {} : { text: content.map(({ text }) => text).join('\n\n') }),
          ...(rules === undefined ? {} : { rules: allowances(rules) }),
          ...(isRuleNew ? { anchorAt: now } : {}),
          // What passed before a person chose this rule, or turned it on, was not missed.
          ...(isRuleNew || isTurnedOn ? { cursor: Math.max(now, value.cursor), queuedAt: null } : {}),
          ...(isTurnedOn ? { failuresInRow: 0, pausedReason: null } : {}),
          ...(changes.isOn === false ? { queuedAt: null, pausedReason: null } : {}),
        }
      })
    },
    async remove(userId, id) {
      for (;;) {
        await stored.read(id)
        try {
          return await stored.remove(record(userId, id))
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
    async run(userId, id) {
      record(userId, id)
      return toRow(await scheduler.runNow(id))
    },
    async history(userId, id) {
      record(userId, id)
      const found = await records.list(OCCURRENCE, { ownerId: id, limit: KEPT_OCCURRENCES })
      return found.map(({ value }) => toRow(value)).reverse()
    },
    next(userId, id, count) {
      const { value } = record(userId, id)
      return scheduler.tableOf(value).after(Math.max(value.cursor, clock.now()), count)
    },
    tryRule: (wanted) => checkRule(wanted, 5),
  }
}

/** An occurrence as people see it. */
function toRow(value: Occurrence): OccurrenceRow {
  return { ...value, denied: value.denied.slice() }
}

function chosen<Key extends string>(key: Key, wanted: string | null | undefined, own: string | undefined) {
  const value = wanted === undefined ? own : (wanted ?? undefined)
  const named: { [Name in Key]?: string } = {}
  if (value !== undefined) named[key] = value
  return named
}

function allowances(rules: NewSchedule['rules']): StoredSchedule['rules'] {
  return rules.map((rule, index) => ({ ...rule, id: `schedule_${index + 1}`, effect: 'allow' }))
}
