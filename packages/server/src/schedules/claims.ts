import type { Clock, Ids, InputPart, Records, Scheduled } from '@holdfast/conversation'
import { RevisionConflictError } from '@holdfast/conversation'
import { type Engine, RefusedCommandError } from '@holdfast/engine'
import { budgetLeft, usedUp } from './budget-left.ts'
import { afterFailure, lineOf, withNews } from './occurrence-lines.ts'
import { OCCURRENCE, type Occurrence, occurrenceId, SCHEDULE, SHELF, type StoredSchedule } from './schedule-record.ts'
import type { ScheduleRecord, StoredSchedules } from './stored-schedules.ts'

/** An occurrence that is to run. */
export interface Wanted extends Pick<Occurrence, 'plannedAt' | 'cause' | 'source' | 'chain'> {
  readonly isLate: boolean
  /** What the model is told beside what the schedule asks. */
  readonly said: readonly InputPart[]
}

/** Writes what becomes of a schedule: a run that begins, or a line of its history. */
export interface Claims {
  /**
   * The occurrence, where the schedule stands and the input that is to be answered, in one append; a budget that is used up
   * gives a line instead. [SCHED1]
   *
   * @throws {RevisionConflictError} where another was faster; nothing was written.
   */
  begin(record: ScheduleRecord, value: StoredSchedule, wanted: Wanted): Promise<Occurrence>
  /**
   * Writes where the schedule stands, with its newest lines, then these lines of the history: a line without a schedule that
   * has passed it would stand in the way of what another decides.
   *
   * @throws {RevisionConflictError} where another was faster; nothing was written.
   */
  write(record: ScheduleRecord, value: StoredSchedule, lines: readonly Occurrence[]): Promise<void>
  /** Writes lines of the history alone. */
  note(scheduleId: string, lines: readonly Occurrence[]): Promise<void>
  /** Writes the lines that a process did not come to write: the schedule itself holds the newest. [SCHED31] */
  heal(record: ScheduleRecord): Promise<void>
}

/** What it works with. */
export interface ClaimDeps {
  readonly stored: StoredSchedules
  readonly records: Records
  readonly engine: Pick<Engine, 'admitOccurrence'>
  readonly clock: Clock
  readonly ids: Ids
  readonly sha256: (text: string) => string
}

/** One decision writes so many lines at most, and the run that it began another. */
const NEWEST_LINES = 3

/** Makes them. */
export function createClaims({ stored, records, engine, clock, ids, sha256 }: ClaimDeps): Claims {
  async function note(scheduleId: string, lines: readonly Occurrence[]): Promise<void> {
    for (const value of lines) {
      const key = { ownerId: scheduleId, id: occurrenceId(value) }
      const revision = await revisionUnder(key)
      await unlessClaimed(records.put(OCCURRENCE, { ...key, revision, value, at: clock.now() }))
    }
  }

  /**
   * What was missed makes room: who died before the schedule was written had seen fewer of them pass, and by a clock that was
   * set back it comes still.
   */
  async function revisionUnder(key: { readonly ownerId: string; readonly id: string }): Promise<number> {
    const known = await records.get(OCCURRENCE, key)
    return known?.value.state === 'missed' ? known.revision : 0
  }

  async function write(record: ScheduleRecord, value: StoredSchedule, lines: readonly Occurrence[]): Promise<void> {
    const { id, revision } = record
    await stored.put({ id, revision, value: lines.reduce(withNews, value), at: clock.now() })
    await note(id, lines)
  }

  async function heal({ id, value: { last, news } }: ScheduleRecord): Promise<void> {
    const newest = [...news.slice(-NEWEST_LINES), ...(last === null ? [] : [last])]
    // What began stands in one append with its line.
    for (const line of newest.filter(({ conversationId }) => conversationId === null)) {
      const key = { ownerId: id, id: occurrenceId(line) }
      if ((await records.get(OCCURRENCE, key)) === null) await note(id, [line])
    }
  }

  async function begin(record: ScheduleRecord, value: StoredSchedule, wanted: Wanted): Promise<Occurrence> {
    const now = clock.now()
    const over = budgetLeft(value, now)
    if (wanted.cause !== 'person' && over !== null && over.limitUsd <= 0) {
      const { said: _, isLate: __, ...named } = wanted
      const skipped = lineOf({ ...named, state: 'skipped', ...usedUp(over) })
      await write(record, value, [skipped])
      return skipped
    }
    const key = { ownerId: record.id, id: occurrenceId(wanted) }
    const under = value.ahead === undefined ? 0 : await revisionUnder(key)
    const { line, command } = commandOf(record, value, { ...wanted, now, under })
    try {
      const { inputId } = await engine.admitOccurrence(command)
      // Another has claimed it, and what is to be told of it: what was decided here may be older.
      if (inputId !== command.inputId)
        throw new RevisionConflictError({ ...key, kind: OCCURRENCE.kind, revision: 0, currentRevision: 1 })
    } catch (error) {
      if (!(error instanceof RefusedCommandError)) throw error
      const failed: Occurrence = { ...line, state: 'failed', reason: error.message, conversationId: null, endedAt: now }
      const after = afterFailure(withNews(value, failed), error.message)
      await stored.put({ id: record.id, revision: record.revision, value: after, at: now })
      await note(record.id, [failed])
      return failed
    }
    await stored.read(record.id)
    return line
  }

  function commandOf(
    { id: scheduleId, revision }: ScheduleRecord,
    value: StoredSchedule,
    { isLate, said, now, under, ...named }: Wanted & { readonly now: number; readonly under: number },
  ): { readonly line: Occurrence; readonly command: Parameters<Engine['admitOccurrence']>[0] } {
    const { plannedAt, source } = named
    const commandId = `occurrence:${scheduleId}:${plannedAt}${source === undefined ? '' : `:${source}`}`
    const isNew = value.target === 'new'
    const conversationId = isNew ? `conversation_${sha256(commandId).slice(0, 24)}` : value.target
    const inputId = ids.next('input')
    const budget = budgetLeft(value, now)
    const { unattended, rules } = value
    const schedule: Scheduled = { scheduleId, plannedAt, unattended, rules, ...(budget === null ? {} : { budget }) }
    const line = { ...lineOf({ ...named, state: 'started', reason: null }), conversationId, startedAt: now }
    const open = {
      plannedAt,
      ...(source === undefined ? {} : { source }),
      conversationId,
      inputId,
      isLate,
      capUsd: budget?.limitUsd ?? null,
    }
    const next: StoredSchedule = { ...value, last: line, open: [...value.open, open] }
    return {
      line,
      command: {
        commandId,
        actor: { type: 'schedule', scheduleId },
        conversationId,
        inputId,
        content: [{ type: 'text', text: value.text }, ...said],
        schedule,
        begins: isNew ? beginningOf(value) : null,
        records: [
          { kind: SCHEDULE.kind, ownerId: SHELF, id: scheduleId, revision, value: next },
          { kind: OCCURRENCE.kind, ownerId: scheduleId, id: occurrenceId(line), revision: under, value: line },
        ],
      },
    }
  }

  return { begin, write, note, heal }
}

/** How a conversation of its own begins. */
function beginningOf({ ownerId, name, modelId, agentId, workspaceId, presetId }: StoredSchedule) {
  return {
    ownerId,
    title: name,
    modelId: modelId ?? null,
    ...(workspaceId === undefined ? {} : { settings: { workspaceId } }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(presetId === undefined ? {} : { presetId }),
  }
}

/** Another process was faster: it has done the same. */
export async function unlessClaimed(act: Promise<unknown>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error
  }
}
