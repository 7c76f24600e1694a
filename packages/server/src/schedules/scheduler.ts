import {
  type Clock,
  type EntryLog,
  type Ids,
  type Random,
  type Records,
  RevisionConflictError,
  type Scheduled,
} from '@holdfast/conversation'
import { type Engine, type LiveBus, RefusedCommandError } from '@holdfast/engine'
import { budgetLeft, spentAt } from './budget-left.ts'
import { type DueDecision, decideDue, nextDue } from './decide-due.ts'
import { type OccurrenceOutcome, outcomeOf } from './occurrence-outcome.ts'
import { OCCURRENCE, type Occurrence, occurrenceId, SCHEDULE, SHELF, type StoredSchedule } from './schedule-record.ts'
import { createStoredSchedules, type ScheduleRecord, type StoredSchedules } from './stored-schedules.ts'
import { readTimetable, type Timetable } from './timetable.ts'

/** What sets off the runs of schedules in one process; others on the same store may do so too. [SCHED1] */
export interface Scheduler {
  readonly stored: StoredSchedules
  readonly tableOf: (value: StoredSchedule) => Timetable
  /** Reads the schedules and begins. */
  start(): Promise<void>
  /** Reads what other processes on the store have changed. */
  refresh(): Promise<void>
  /** Runs one now, whatever its rule says, beside that: nothing of the rule is used up. @throws {RefusedCommandError} */
  runNow(id: string): Promise<Occurrence>
  /** Begins nothing more. */
  close(): Promise<void>
}

/** What it works with. */
export interface SchedulerDeps {
  readonly records: Records
  readonly log: Pick<EntryLog, 'read'>
  readonly engine: Pick<Engine, 'admitOccurrence' | 'resume'>
  readonly bus: Pick<LiveBus, 'subscribeToAll'>
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly sha256: (text: string) => string
  readonly onFault: (error: unknown) => void
}

/** The wall clock is looked at so often while something is planned: it may jump, and the machine may sleep. */
const LOOK_MS = 30_000
/** What is open is looked at so often, for an end that nobody told of, or a process that died before it began. */
const HEAL_MS = 15_000
/** What failed for the store is tried again after so long. */
const RETRY_MS = 5_000
const CLAIMS_AT_ONCE = 4
/** Missed runs of one person that are made up for at a time. [SCHED8] */
const MOST_CATCHING_UP = 2
const FAILURES_TO_PAUSE = 3
const KEPT_OCCURRENCES = 100
const KEPT_NEWS = 20

/** Makes the scheduler of a process. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { records, clock, ids, engine } = deps
  const dueAt = new Map<string, number>()
  const tables = new Map<string, { readonly source: string; readonly table: Timetable }>()
  const openIn = new Map<string, Set<string>>()
  const work = new Set<Promise<void>>()
  let isClosing = false
  let isStarted = false
  let cancelTimer = (): void => {}
  let cancelHeal: (() => void) | null = null
  let looking: Promise<void> | null = null
  let isWanted = false
  const stored = createStoredSchedules({ records, onChange: changed })
  const unsubscribe = deps.bus.subscribeToAll((message) => {
    if (!openIn.has(message.conversationId)) return
    const isEnd =
      message.type === 'grown' ||
      (message.type === 'entries' &&
        message.entries.some(({ type }) => type === 'run-finished' || type === 'input-removed'))
    if (isEnd) inBackground(settleIn(message.conversationId))
  })

  function tableOf(value: StoredSchedule): Timetable {
    const { rule, timeZone, anchorAt } = value
    const source = JSON.stringify({ rule, timeZone, anchorAt })
    const before = tables.get(source)
    if (before) return before.table
    if (tables.size > 20_000) tables.clear()
    const table = readTimetable(value)
    tables.set(source, { source, table })
    return table
  }

  function changed(id: string): void {
    for (const [conversationId, schedules] of openIn) {
      schedules.delete(id)
      if (schedules.size === 0) openIn.delete(conversationId)
    }
    dueAt.delete(id)
    const record = stored.get(id)
    if (record) {
      for (const { conversationId } of record.value.open) {
        const own = openIn.get(conversationId) ?? new Set()
        openIn.set(conversationId, own.add(id))
      }
      const at = dueOf(record)
      if (at !== null) dueAt.set(id, at)
    }
    if (isStarted) plan()
  }

  function dueOf({ value }: ScheduleRecord): number | null {
    if (value.isOn && value.queuedAt !== null && value.open.length === 0) return value.queuedAt
    try {
      return nextDue(value, tableOf(value))
    } catch (error) {
      // A zone that the next version of the zone database does not have any more.
      deps.onFault(error)
      return null
    }
  }

  /** One timer to what is due next. */
  function plan(): void {
    cancelTimer()
    cancelTimer = () => {}
    if (isClosing) return
    let next = Number.POSITIVE_INFINITY
    for (const at of dueAt.values()) next = Math.min(next, at)
    if (next < Number.POSITIVE_INFINITY)
      cancelTimer = clock.after(Math.min(LOOK_MS, Math.max(0, next - clock.now())), () => inBackground(look()))
    if (openIn.size === 0) {
      cancelHeal?.()
      cancelHeal = null
    } else
      cancelHeal ??= clock.after(HEAL_MS * (0.7 + 0.6 * deps.random.next()), () => {
        cancelHeal = null
        inBackground(heal())
      })
  }

  function inBackground(started: Promise<void>): void {
    const done = started.catch(deps.onFault).finally(() => work.delete(done))
    work.add(done)
  }

  /** Decides about all that is due; where it is asked for meanwhile, once more. */
  function look(): Promise<void> {
    isWanted = looking !== null
    looking ??= lookThrough().finally(() => {
      looking = null
      if (isWanted && !isClosing) inBackground(look())
      else plan()
    })
    return looking
  }

  async function lookThrough(): Promise<void> {
    const now = clock.now()
    const due = [...dueAt].filter(([, at]) => at <= now).map(([id]) => id)
    // Processes on one store begin in different places, so that most find their own.
    const from = Math.floor(deps.random.next() * due.length)
    const order = [...due.slice(from), ...due.slice(0, from)]
    await Promise.all(
      Array.from({ length: CLAIMS_AT_ONCE }, async () => {
        for (let id = order.pop(); id !== undefined && !isClosing; id = order.pop()) await decideSafely(id)
      }),
    )
  }

  async function decideSafely(id: string): Promise<void> {
    try {
      await decide(id)
    } catch (error) {
      deps.onFault(error)
      dueAt.delete(id)
      clock.after(RETRY_MS, () => changed(id))
    }
  }

  async function decide(id: string): Promise<void> {
    // Another process may have claimed it since: it is read before it is tried.
    for (let record = await stored.read(id); record && !isClosing; record = await stored.read(id)) {
      const now = clock.now()
      const decision = decideDue(record.value, tableOf(record.value), now)
      if (decision === null || (isCatchUp(decision) && catchingUp(record.value.ownerId) >= MOST_CATCHING_UP)) {
        dueAt.delete(id)
        const next = tableOf(record.value).after(now, 1)[0]
        if (record.value.isOn && next !== undefined) dueAt.set(id, next)
        return
      }
      await unlessClaimed(carryOut(record, decision, now))
    }
  }

  function isCatchUp({ act }: DueDecision): boolean {
    return act.type === 'run' && act.isLate
  }

  function catchingUp(ownerId: string): number {
    return stored
      .all()
      .reduce(
        (sum, { value }) => sum + (value.ownerId === ownerId ? value.open.filter(({ isLate }) => isLate).length : 0),
        0,
      )
  }

  async function carryOut(record: ScheduleRecord, decision: DueDecision, now: number): Promise<void> {
    const { cursor, missed, act } = decision
    const value: StoredSchedule = { ...record.value, cursor: Math.max(cursor, record.value.cursor) }
    const missedLine =
      missed === null
        ? []
        : [lineOf({ plannedAt: missed.lastAt, state: 'missed', reason: missedWords(missed), cause: 'clock' })]
    switch (act.type) {
      case 'none':
        await write(record, { value, lines: missedLine, at: now })
        return
      case 'queue':
        await write(record, { value: { ...value, queuedAt: act.plannedAt }, lines: missedLine, at: now })
        return
      case 'skip':
        await write(record, {
          value,
          lines: [
            ...missedLine,
            lineOf({ plannedAt: act.plannedAt, state: 'skipped', reason: act.reason, cause: 'clock' }),
          ],
          at: now,
        })
        return
      case 'run': {
        for (const line of missedLine) await note(record.id, line, now)
        const told = missedLine.reduce(withNews, value)
        const queuedAt = act.plannedAt === value.queuedAt ? null : value.queuedAt
        const over = budgetLeft(told, now)
        if (over !== null && over.limitUsd <= 0) {
          const reason = `Its budget of this ${over.period} is used up`
          const skipped = lineOf({ plannedAt: act.plannedAt, state: 'skipped', reason, cause: 'clock' })
          await write(record, { value: { ...told, queuedAt }, lines: [skipped], at: now })
          return
        }
        await claim(record, { ...told, queuedAt }, { plannedAt: act.plannedAt, isLate: act.isLate, cause: 'clock' })
      }
    }
  }

  /** Writes lines of the history, then where the schedule stands: a line that is there already is the same one. */
  async function write(
    record: ScheduleRecord,
    { value, lines, at }: { value: StoredSchedule; lines: readonly Occurrence[]; at: number },
  ): Promise<void> {
    for (const line of lines) await note(record.id, line, at)
    await stored.put({ id: record.id, revision: record.revision, value: lines.reduce(withNews, value), at })
  }

  async function note(scheduleId: string, line: Occurrence, at: number): Promise<void> {
    const write = { ownerId: scheduleId, id: occurrenceId(line.plannedAt), revision: 0, value: line, at }
    await unlessClaimed(records.put(OCCURRENCE, write).then(() => {}))
  }

  interface Claim {
    readonly plannedAt: number
    readonly isLate: boolean
    readonly cause: Occurrence['cause']
  }

  /** The occurrence, where the schedule stands and the input that is to be answered, in one append. [SCHED1] */
  async function claim(
    record: ScheduleRecord,
    value: StoredSchedule,
    { plannedAt, isLate, cause }: Claim,
  ): Promise<Occurrence> {
    const scheduleId = record.id
    const now = clock.now()
    const commandId = `occurrence:${scheduleId}:${plannedAt}`
    const isNew = value.target === 'new'
    const conversationId = isNew ? `conversation_${deps.sha256(commandId).slice(0, 24)}` : value.target
    const inputId = ids.next('input')
    const budget = budgetLeft(value, now)
    const schedule: Scheduled = {
      scheduleId,
      plannedAt,
      unattended: value.unattended,
      rules: value.rules,
      ...(budget === null ? {} : { budget }),
    }
    const line: Occurrence = {
      ...lineOf({ plannedAt, state: 'started', reason: null, cause }),
      conversationId,
      startedAt: now,
    }
    const capUsd = budget?.limitUsd ?? null
    const next: StoredSchedule = {
      ...value,
      last: line,
      open: [...value.open, { plannedAt, conversationId, inputId, isLate, capUsd }],
    }
    const { workspaceId, agentId, modelId, ownerId, name, text } = value
    try {
      await engine.admitOccurrence({
        commandId,
        actor: { type: 'schedule', scheduleId },
        conversationId,
        inputId,
        content: [{ type: 'text', text }],
        schedule,
        begins: isNew
          ? {
              ownerId,
              title: name,
              modelId: modelId ?? null,
              ...(workspaceId === undefined ? {} : { settings: { workspaceId } }),
              ...(agentId === undefined ? {} : { agentId }),
            }
          : null,
        records: [
          { kind: SCHEDULE.kind, ownerId: SHELF, id: scheduleId, revision: record.revision, value: next },
          { kind: OCCURRENCE.kind, ownerId: scheduleId, id: occurrenceId(plannedAt), revision: 0, value: line },
        ],
      })
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error
      const failed: Occurrence = { ...line, state: 'failed', reason: error.message, conversationId: null, endedAt: now }
      const after = afterFailure(withNews(value, failed), error.message)
      await note(scheduleId, failed, now)
      await stored.put({ id: scheduleId, revision: record.revision, value: after, at: now })
      return failed
    }
    await stored.read(scheduleId)
    return line
  }

  async function settleIn(conversationId: string): Promise<void> {
    for (const id of openIn.get(conversationId) ?? []) await unlessClaimed(settleOpen(id))
  }

  /** Sees what became of the open runs of one schedule. The history is written first: what is done twice is done once. */
  async function settleOpen(id: string): Promise<void> {
    for (const open of stored.get(id)?.value.open ?? []) {
      const outcome = await outcomeOf(deps.log, open)
      if (outcome !== null) await settle(id, open, outcome)
    }
  }

  async function settle(id: string, open: StoredSchedule['open'][number], outcome: OccurrenceOutcome): Promise<void> {
    const { plannedAt } = open
    const now = clock.now()
    const key = { ownerId: id, id: occurrenceId(plannedAt) }
    const known = await records.get(OCCURRENCE, key)
    const { isFailure, ...became } = outcome
    const before = known?.value ?? lineOf({ plannedAt, state: 'started', reason: null, cause: 'clock' })
    const line: Occurrence = { ...before, ...became, endedAt: before.endedAt ?? now }
    if (before.state === 'started')
      await records.put(OCCURRENCE, { ...key, revision: known?.revision ?? 0, value: line, at: now })
    const record = await stored.read(id)
    if (!record?.value.open.some((each) => each.inputId === open.inputId)) return
    const { value } = record
    const spent = spentAt(value, now)
    const costUsd = line.costUsd ?? 0
    const settled: StoredSchedule = {
      ...withNews(value, line),
      open: value.open.filter(({ inputId }) => inputId !== open.inputId),
      spent: { ...spent, dayUsd: spent.dayUsd + costUsd, monthUsd: spent.monthUsd + costUsd },
    }
    const after = isFailure ? afterFailure(settled, line.reason ?? 'It failed') : { ...settled, failuresInRow: 0 }
    await stored.put({ id, revision: record.revision, value: after, at: now })
    if (open.isLate)
      for (const { id: other, value: each } of stored.all()) if (each.ownerId === value.ownerId) changed(other)
    await prune(id)
    if (dueAt.size > 0) inBackground(look())
  }

  async function prune(scheduleId: string): Promise<void> {
    const all = await records.list(OCCURRENCE, { ownerId: scheduleId, limit: 2 * KEPT_OCCURRENCES })
    for (const { id, revision } of all.slice(0, Math.max(0, all.length - KEPT_OCCURRENCES)))
      await unlessClaimed(records.remove(OCCURRENCE, { ownerId: scheduleId, id, revision }))
  }

  /** A process may have died between the claim and the run, or before it saw the end. [SCHED9] */
  async function heal(): Promise<void> {
    for (const [conversationId, schedules] of openIn) {
      if (isClosing) return
      await settleIn(conversationId)
      const isOpen = [...schedules].some((id) =>
        stored.get(id)?.value.open.some((open) => open.conversationId === conversationId),
      )
      if (isOpen) await engine.resume(conversationId)
    }
    plan()
  }

  return {
    stored,
    tableOf,
    async start() {
      await stored.refresh()
      isStarted = true
      inBackground(heal())
      plan()
    },
    refresh: stored.refresh,
    async runNow(id) {
      for (;;) {
        const record = await stored.read(id)
        if (!record) throw new RefusedCommandError('conflict', `Schedule ${id} was deleted`, { conversationId: id })
        try {
          return await claim(record, record.value, { plannedAt: clock.now(), isLate: false, cause: 'person' })
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error
        }
      }
    },
    async close() {
      isClosing = true
      unsubscribe()
      cancelTimer()
      cancelHeal?.()
      while (work.size > 0) await Promise.all(work)
    },
  }
}

/** Another process was faster: it has done the same. */
async function unlessClaimed(act: Promise<unknown>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
  }
}

function lineOf(said: Pick<Occurrence, 'plannedAt' | 'state' | 'reason' | 'cause'>): Occurrence {
  return { ...said, conversationId: null, startedAt: null, endedAt: null, costUsd: null, denied: [] }
}

/** What its owner is told the next time, at most so many. [SCHED2] */
function withNews(value: StoredSchedule, line: Occurrence): StoredSchedule {
  const news = [...value.news.filter(({ plannedAt }) => plannedAt !== line.plannedAt), line]
  const over = Math.max(0, news.length - KEPT_NEWS)
  return { ...value, last: line, news: news.slice(over), moreNews: value.moreNews + over }
}

/** [SCHED11] */
function afterFailure(value: StoredSchedule, reason: string): StoredSchedule {
  const failuresInRow = value.failuresInRow + 1
  if (failuresInRow < FAILURES_TO_PAUSE) return { ...value, failuresInRow }
  const pausedReason = `It failed ${failuresInRow} times in a row. The last time: ${reason}`
  return { ...value, failuresInRow, isOn: false, queuedAt: null, pausedReason }
}

function missedWords({ count, firstAt, lastAt }: NonNullable<DueDecision['missed']>): string {
  const shown = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (count === 1) return `Nothing ran at ${shown(lastAt)}: the server was off or asleep`
  return `${count} runs from ${shown(firstAt)} to ${shown(lastAt)} did not take place: the server was off or asleep`
}
