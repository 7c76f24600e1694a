import type { routes } from '@holdfast/protocol'
import type * as z from 'zod'
import { RefusedError } from '../parts/to-problem.ts'
import type { NewSchedule, Standing } from './check-rule.ts'
import { withoutPause, withoutQueued } from './occurrence-lines.ts'
import type { StoredSchedule } from './schedule-record.ts'
import { spelledZone } from './times/zone-time.ts'

/** What of a schedule is changed; what is absent stays. */
export type ScheduleChange = z.infer<(typeof routes)['changeSchedule']['body']>

/** A schedule that nothing has happened to. */
export function newSchedule(ownerId: string, { content, rules, ...wanted }: NewSchedule, now: number): StoredSchedule {
  return {
    ...wanted,
    timeZone: spelledZone(wanted.timeZone),
    ownerId,
    text: textOf(content),
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
}

/** A schedule as a person wants it now. `standing`: from where it waits, where it waits anew. */
export function changedSchedule(
  value: StoredSchedule,
  { revision: _, content, rules, agentId, modelId, workspaceId, presetId, ...changes }: ScheduleChange,
  { now, standing }: { readonly now: number; readonly standing: Standing | null },
): StoredSchedule {
  const isRuleNew = changes.rule !== undefined || changes.timeZone !== undefined
  const isTurnedOn = changes.isOn === true && !value.isOn
  const { isOn: _isOn, ...said } = { content, rules, agentId, modelId, workspaceId, presetId, ...changes }
  const saysMore = Object.values(said).some((one) => one !== undefined)
  const isAnew = isRuleNew || isTurnedOn
  const kept = isAnew || changes.isOn === false ? withoutQueued(value) : value
  const going = isTurnedOn || changes.isOn === false ? withoutPause(kept) : kept
  const { agentId: ownAgent, modelId: ownModel, workspaceId: ownWorkspace, presetId: ownPreset, ...rest } = going
  return {
    ...rest,
    ...changes,
    ...(changes.timeZone === undefined ? {} : { timeZone: spelledZone(changes.timeZone) }),
    ...chosen('agentId', agentId, ownAgent),
    ...chosen('modelId', modelId, ownModel),
    ...chosen('workspaceId', workspaceId, ownWorkspace),
    ...chosen('presetId', presetId, ownPreset),
    ...(saysMore ? { saidRevision: revisionOf(value) + 1 } : {}),
    ...(content === undefined ? {} : { text: textOf(content) }),
    ...(rules === undefined ? {} : { rules: allowances(rules) }),
    ...(isRuleNew ? { anchorAt: now } : {}),
    ...(isRuleNew && value.ahead ? { ahead: { ...value.ahead, anchorAt: now } } : {}),
    // What passed before a person chose this rule, or turned it on, was not missed.
    ...(isAnew ? { cursor: Math.max(now, value.cursor) } : {}),
    ...(standing ?? {}),
    ...(isTurnedOn ? { failuresInRow: 0 } : {}),
  }
}

/** How often people changed what they say of a schedule. [SCHED37] */
export function revisionOf({ saidRevision }: Pick<StoredSchedule, 'saidRevision'>): number {
  return saidRevision ?? 1
}

/** Refuses a change of what was read before another changed it. [SCHED37] @throws {RefusedError} */
export function refuseStale(value: StoredSchedule, { revision }: Pick<ScheduleChange, 'revision'>): void {
  const now = revisionOf(value)
  if (revision === undefined || revision === now) return
  const words = `${value.name} was changed since it was read (revision ${now}, not ${revision}). Nothing was saved: read it again, or leave the revision out to save over that`
  throw new RefusedError(409, 'conflict', words)
}

function textOf(content: NewSchedule['content']): string {
  return content.map(({ text }) => text).join('\n\n')
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
