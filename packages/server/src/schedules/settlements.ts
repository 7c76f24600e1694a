import { allRecords, type Clock, type EntryLog, type Records } from '@holdfast/conversation'
import { spentAt } from './budget-left.ts'
import { unlessClaimed } from './claims.ts'
import { afterFailure, lineOf, withNews } from './occurrence-lines.ts'
import { type OccurrenceOutcome, outcomeOf } from './occurrence-outcome.ts'
import { OCCURRENCE, type Occurrence, occurrenceId, type StoredSchedule } from './schedule-record.ts'
import { inOrder } from './set-back.ts'
import type { StoredSchedules } from './stored-schedules.ts'

type OpenRun = StoredSchedule['open'][number]

/** What it works with. */
export interface SettlementDeps {
  readonly stored: StoredSchedules
  readonly records: Records
  readonly log: Pick<EntryLog, 'read'>
  readonly clock: Clock
  /** Told of the end of a run before that counts as seen: whoever dies in between is told again. */
  readonly beforeSeen: (scheduleId: string, line: Occurrence) => Promise<void>
  readonly afterSeen: (value: StoredSchedule, open: OpenRun) => void
}

const KEPT_OCCURRENCES = 100
/** So long a line stays in any case: a call that is sent again finds it. [SCHED19] */
const KEPT_MS = 900_000

/**
 * Sees what became of the open runs of one schedule, and writes it into its history. The history is written first: what is
 * done twice is done once. [SCHED10]
 */
export function createSettlements(deps: SettlementDeps): (scheduleId: string) => Promise<void> {
  const { stored, records, clock } = deps

  async function settle(id: string, open: OpenRun, outcome: OccurrenceOutcome): Promise<void> {
    const now = clock.now()
    const line = await writeLine(id, open, outcome)
    await deps.beforeSeen(id, line)
    const record = await stored.read(id)
    if (!record?.value.open.some((each) => each.inputId === open.inputId)) return
    const { value } = record
    const spent = spentAt(value, now)
    const costUsd = line.costUsd ?? 0
    const settled: StoredSchedule = {
      ...withNews(value, line),
      open: value.open.filter(({ inputId }) => inputId !== open.inputId),
      spent: { ...spent, dayUsd: spent.dayUsd + costUsd, monthUsd: spent.monthUsd + costUsd },
      // What its own run changed in the folder sets off no other.
      ...(value.folder === undefined ? {} : { folder: { ...value.folder, seen: null } }),
    }
    const after = outcome.isFailure
      ? afterFailure(settled, line.reason ?? 'It failed')
      : { ...settled, failuresInRow: 0 }
    await stored.put({ id, revision: record.revision, value: after, at: now })
    deps.afterSeen(after, open)
    await prune(id)
  }

  async function writeLine(id: string, open: OpenRun, outcome: OccurrenceOutcome): Promise<Occurrence> {
    const now = clock.now()
    const key = { ownerId: id, id: occurrenceId(open) }
    const known = await records.get(OCCURRENCE, key)
    const { isFailure: _, ...became } = outcome
    const { plannedAt, source } = open
    const named = { plannedAt, ...(source === undefined ? {} : { source }) }
    const before = known?.value ?? lineOf({ ...named, state: 'started', reason: null, cause: 'clock' })
    const line: Occurrence = { ...before, ...became, endedAt: before.endedAt ?? now }
    if (before.state === 'started')
      await records.put(OCCURRENCE, { ...key, revision: known?.revision ?? 0, value: line, at: now })
    return line
  }

  async function prune(scheduleId: string): Promise<void> {
    const now = clock.now()
    const all = inOrder(await allRecords(records, OCCURRENCE, scheduleId), now)
    const old = all.slice(0, Math.max(0, all.length - KEPT_OCCURRENCES))
    for (const { id, revision } of old.filter(({ updatedAt }) => Math.abs(now - updatedAt) > KEPT_MS))
      await unlessClaimed(records.remove(OCCURRENCE, { ownerId: scheduleId, id, revision }))
  }

  return async (scheduleId) => {
    for (const open of stored.get(scheduleId)?.value.open ?? []) {
      const outcome = await outcomeOf(deps.log, open)
      if (outcome !== null) await settle(scheduleId, open, outcome)
    }
  }
}
