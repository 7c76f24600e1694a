import type { Client } from '@holdfast/client'
import type { ScheduleRow, ScheduleRule } from '@holdfast/protocol'
import { useMemo, useState } from 'react'
import { useTold } from '../shared/ask-server.ts'
import { type BuiltRule, builtOf, ruleOf } from './built-rule.ts'

/** What is written in the form, as it is written. */
export interface ScheduleValue
  extends Pick<ScheduleRow, 'name' | 'timeZone' | 'unattended' | 'missed' | 'overlap' | 'rules' | 'target'> {
  readonly text: string
  /** Minutes; empty for none. */
  readonly jitter: string
  /** Empty for the usual ones. */
  readonly agentId: string
  readonly modelId: string
  readonly presetId: string
  readonly workspaceId: string
  /** Dollars; empty for no budget. */
  readonly runUsd: string
  readonly dayUsd: string
  readonly monthUsd: string
}

/** A schedule that is being made or changed. */
export interface ScheduleDraft {
  readonly value: ScheduleValue
  readonly built: BuiltRule
  /** Null while it lacks something. */
  readonly rule: ScheduleRule | null
  readonly canSave: boolean
  /** Why it was refused. */
  readonly problem: string | null
  readonly change: (changes: Partial<ScheduleValue>) => void
  readonly changeRule: (changes: Partial<BuiltRule>) => void
  readonly save: () => Promise<void>
}

/** Keeps what is written, and saves it. */
export function useScheduleDraft({
  client,
  row,
  text,
  onClose,
}: {
  readonly client: Client
  /** Null for a new one. */
  readonly row: ScheduleRow | null
  readonly text: string
  readonly onClose: () => void
}): ScheduleDraft {
  const [value, setValue] = useState(() => draftOf(row, text))
  const [built, setBuilt] = useState(() => builtOf(row?.rule ?? null))
  const telling = useTold()
  const rule = useMemo(() => ruleOf(built), [built])

  async function save(): Promise<void> {
    if (rule === null) return
    const said = saidOf(value, rule)
    const work = row
      ? client.changeSchedule(row.id, { ...withoutSame(said, row), ...changedNames(value, row) })
      : client.createSchedule({ ...said, ...chosenNames(value) })
    if (await telling.run(() => work)) onClose()
  }

  return {
    value,
    built,
    rule,
    canSave: value.name.trim() !== '' && value.text.trim() !== '' && rule !== null && !telling.isBusy,
    problem: telling.problem,
    change: (changes) => setValue((before) => ({ ...before, ...changes })),
    changeRule: (changes) => setBuilt((before) => ({ ...before, ...changes })),
    save,
  }
}

function draftOf(row: ScheduleRow | null, text: string): ScheduleValue {
  const { runUsd, dayUsd, monthUsd } = row?.budgets ?? {}
  return {
    name: row?.name ?? '',
    text: row?.content.map((part) => part.text).join('\n\n') ?? text,
    timeZone: row?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    agentId: row?.agentId ?? '',
    modelId: row?.modelId ?? '',
    presetId: row?.presetId ?? '',
    workspaceId: row?.workspaceId ?? '',
    target: row?.target ?? 'new',
    unattended: row?.unattended ?? 'deny',
    missed: row?.missed ?? 'once',
    overlap: row?.overlap ?? 'skip',
    jitter: row === null || row.jitterMinutes === 0 ? '' : String(row.jitterMinutes),
    runUsd: runUsd?.toString() ?? '',
    dayUsd: dayUsd?.toString() ?? '',
    monthUsd: monthUsd?.toString() ?? '',
    rules: row?.rules ?? [],
  }
}

function saidOf(
  { name, text, timeZone, unattended, missed, overlap, rules, target, ...rest }: ScheduleValue,
  rule: ScheduleRule,
) {
  const { runUsd, dayUsd, monthUsd } = rest
  return {
    name: name.trim(),
    content: [{ type: 'text' as const, text: text.trim() }],
    rule,
    timeZone,
    unattended,
    missed,
    overlap,
    target,
    jitterMinutes: jitterOf(rest),
    budgets: { ...bound('runUsd', runUsd), ...bound('dayUsd', dayUsd), ...bound('monthUsd', monthUsd) },
    rules: [...rules],
  }
}

type Names = Pick<ScheduleValue, (typeof NAMES)[number]>

/** What runs are made with. */
const NAMES = ['agentId', 'modelId', 'workspaceId', 'presetId'] as const

function chosenNames(value: Names): { [Name in keyof Names]?: string } {
  return Object.fromEntries(NAMES.map((name) => [name, value[name]]).filter(([, id]) => id !== ''))
}

/** One that stays is not sent: it may be gone since, and that is no reason to keep nothing else. */
function changedNames(value: Names, row: ScheduleRow): { [Name in keyof Names]?: string | null } {
  const changed = NAMES.filter((name) => value[name] !== (row[name] ?? ''))
  return Object.fromEntries(changed.map((name) => [name, value[name] === '' ? null : value[name]]))
}

/** How much later the runs of what is written may be, in minutes. */
export function jitterOf({ jitter }: Pick<ScheduleValue, 'jitter'>): number {
  return Math.min(60, Math.max(0, Math.round(Number(jitter)) || 0))
}

/** A rule and a zone that stay the same go on from where they stand. */
function withoutSame({ rule, timeZone, target, ...said }: ReturnType<typeof saidOf>, row: ScheduleRow) {
  return {
    ...said,
    ...(JSON.stringify(rule) === JSON.stringify(row.rule) ? {} : { rule }),
    ...(timeZone === row.timeZone ? {} : { timeZone }),
    ...(target === row.target ? {} : { target }),
  }
}

function bound(name: 'runUsd' | 'dayUsd' | 'monthUsd', text: string): { readonly [Key in typeof name]?: number } {
  return text.trim() === '' ? {} : { [name]: Number(text.replace(',', '.')) }
}
