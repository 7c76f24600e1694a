import { HOOK_PATH, type OccurrenceRow, type ScheduleRow } from '@holdfast/protocol'
import { revisionOf } from './changed-schedule.ts'
import { type Occurrence, occurrenceId, type StoredSchedule } from './schedule-record.ts'
import type { ScheduleRecord } from './stored-schedules.ts'
import type { Timetable } from './times/timetable.ts'

/** A schedule as its owner sees it. */
export function toScheduleRow(
  { id, value }: ScheduleRecord,
  tableOf: (value: StoredSchedule) => Timetable,
): ScheduleRow {
  const { agentId, modelId, workspaceId, presetId, rule, hookId } = value
  return {
    id,
    name: value.name,
    content: [{ type: 'text', text: value.text }],
    ...(agentId === undefined ? {} : { agentId }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(presetId === undefined ? {} : { presetId }),
    rule,
    timeZone: value.timeZone,
    missed: value.missed,
    missedLimit: value.missedLimit,
    missedWindowHours: value.missedWindowHours,
    overlap: value.overlap,
    jitterMinutes: value.jitterMinutes ?? 0,
    target: value.target,
    unattended: value.unattended,
    rules: value.rules.map(({ tool, pattern }) => ({ tool, ...(pattern === undefined ? {} : { pattern }) })),
    budgets: value.budgets,
    isOn: value.isOn,
    revision: revisionOf(value),
    createdAt: value.createdAt,
    nextAt: value.isOn ? (tableOf(value).after(value.cursor, 1)[0] ?? null) : null,
    hookPath: rule.type === 'hook' && hookId !== undefined ? `${HOOK_PATH}/${hookId}` : null,
    pausedReason: value.pausedReason,
    ...(value.pausedWhy === undefined ? {} : { pausedWhy: value.pausedWhy }),
    openCount: value.open.length,
    openRuns: value.open.map(({ plannedAt, conversationId }) => ({ plannedAt, conversationId })),
    failuresInRow: value.failuresInRow,
    last: value.last === null ? null : toOccurrenceRow(value.last),
  }
}

/** An occurrence as people see it. */
export function toOccurrenceRow(value: Occurrence): OccurrenceRow {
  const { source: _, chain: __, ...shown } = value
  return { id: occurrenceId(value), ...shown, denied: value.denied.slice() }
}
