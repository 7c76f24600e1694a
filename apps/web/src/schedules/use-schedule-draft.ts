import { type Client, RequestFailedError } from '@holdfast/client'
import type { ScheduleRow, ScheduleRule } from '@holdfast/protocol'
import { useEffect, useMemo, useState } from 'react'
import { errorText } from '../shared/problem-words.ts'
import { builtOf, ruleOf } from './built-rule.ts'
import { mineOver } from './draft-conflict.ts'
import { inWordsOfTheForm } from './field-words.ts'
import { type BuiltRule, type KeptDraft, keepDraft, keptDraft, type ScheduleValue } from './kept-draft.ts'
import { jitterOf, type Lacks, missingIn, usdOf, wrongIn } from './lacking.ts'

/** A schedule that is being made or changed. */
export interface ScheduleDraft {
  readonly value: ScheduleValue
  readonly built: BuiltRule
  /** Null while it lacks something. */
  readonly rule: ScheduleRule | null
  /** What is missing or wrong, by field. */
  readonly lacks: Lacks
  readonly isBusy: boolean
  /** Why it was refused; null from the next change on. */
  readonly problem: string | null
  /** What is written here, as it would be kept. */
  readonly mine: KeptDraft
  /** What was read before it was written over. */
  readonly before: KeptDraft
  /** What another has saved since; null where nobody has. [UI115] */
  readonly theirs: KeptDraft | null
  readonly change: (changes: Partial<ScheduleValue>) => void
  readonly changeRule: (changes: Partial<BuiltRule>) => void
  readonly save: () => Promise<void>
  /** What another saved takes the place of what is written. */
  readonly takeTheirs: () => void
  /** What was changed here is saved over what another saved; what was not stays theirs. */
  readonly saveMine: () => Promise<void>
  /** Nothing of it is kept any more. */
  readonly drop: () => void
}

/** Keeps what is written, also over leaving and a reload, and saves it. [UI113] */
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
  const id = row?.id ?? null
  const [draft, setDraft] = useState(() => firstDraft(row, text))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a command of the composer brought is kept once
  useEffect(() => {
    if (text !== '') keepDraft(id, draft)
  }, [])
  const [isBusy, setBusy] = useState(false)
  const [wasPressed, setPressed] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { value, built, base } = draft
  const rule = useMemo(() => ruleOf(built), [built])
  const missing = missingIn(draft)
  const wrong = wrongIn(draft)
  const isStale = row !== null && base !== null && row.revision !== base.revision
  const merged = () => mineOver({ mine: draft, base: draftOf(base, ''), theirs: draftOf(row, '') })

  function write(next: KeptDraft): void {
    setDraft(next)
    setProblem(null)
    keepDraft(id, next)
  }

  function drop(): void {
    keepDraft(id, null)
    onClose()
  }

  async function send(meant: KeptDraft): Promise<void> {
    const meantRule = ruleOf(meant.built)
    setPressed(true)
    if (meantRule === null || Object.keys({ ...missingIn(meant), ...wrongIn(meant) }).length > 0) return
    setBusy(true)
    setProblem(null)
    try {
      await sent(client, meant, meantRule)
      drop()
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      // Another has saved or deleted it meanwhile: what there is now says how it goes on.
      if (error.code === 'conflict' || error.code === 'unknown-schedule') client.schedules.load()
      setProblem(inWordsOfTheForm(errorText(error)))
    } finally {
      setBusy(false)
    }
  }

  return {
    value,
    built,
    rule,
    lacks: wasPressed ? { ...missing, ...wrong } : wrong,
    isBusy,
    problem: isStale ? null : problem,
    mine: draft,
    before: draftOf(base, ''),
    theirs: isStale ? draftOf(row, '') : null,
    change: (changes) => write({ ...draft, value: { ...value, ...changes } }),
    changeRule: (changes) => write({ ...draft, built: { ...built, ...changes } }),
    save: () => send(draft),
    takeTheirs: () => write(draftOf(row, '')),
    async saveMine() {
      const meant = merged()
      write(meant)
      await send(meant)
    },
    drop,
  }
}

/** What was typed and not saved, with what a command of the composer brought for it. */
function firstDraft(row: ScheduleRow | null, text: string): KeptDraft {
  const kept = keptDraft(row?.id ?? null)
  if (kept === null) return draftOf(row, text)
  const before = kept.value.text
  if (before.includes(text)) return kept
  return { ...kept, value: { ...kept.value, text: before.trim() === '' ? text : `${before}\n\n${text}` } }
}

function sent(client: Client, { value, base }: KeptDraft, rule: ScheduleRule): Promise<ScheduleRow> {
  const said = saidOf(value, rule)
  if (base === null) return client.createSchedule({ ...said, ...chosenNames(value) })
  const { id, revision } = base
  return client.changeSchedule(id, { revision, ...withoutSame(said, base), ...changedNames(value, base) })
}

/** What the form shows of a schedule before anything is written; of a new one what is usual. */
function draftOf(row: ScheduleRow | null, text: string): KeptDraft {
  const { runUsd, dayUsd, monthUsd } = row?.budgets ?? {}
  const value: ScheduleValue = {
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
  return { value, built: builtOf(row?.rule ?? null), base: row }
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
    jitterMinutes: jitterOf(rest) ?? 0,
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
  const usd = usdOf(text)
  return usd === undefined || usd === null ? {} : { [name]: usd }
}
