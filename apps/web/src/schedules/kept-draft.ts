import { ScheduleRow } from '@holdfast/protocol'
import * as z from 'zod'
import { unsentKeeper } from '../shared/tab-storage.ts'

/** What is written in the form, as it is written. */
const ScheduleValue = z.object({
  name: z.string(),
  text: z.string(),
  timeZone: z.string(),
  unattended: z.enum(['deny', 'allow-list', 'full']),
  missed: z.enum(['once', 'skip', 'all']),
  overlap: z.enum(['skip', 'queue', 'parallel']),
  rules: z.array(z.object({ tool: z.string(), pattern: z.string().exactOptional() })),
  target: z.string(),
  /** Minutes; empty for none. */
  jitter: z.string(),
  /** Empty for the usual ones. */
  agentId: z.string(),
  modelId: z.string(),
  presetId: z.string(),
  workspaceId: z.string(),
  /** Dollars; empty for no budget. */
  runUsd: z.string(),
  dayUsd: z.string(),
  monthUsd: z.string(),
})
export type ScheduleValue = z.infer<typeof ScheduleValue>

/** The ways in which a rule is chosen, as they are offered. */
export const RULE_KINDS = [
  'hourly',
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'once',
  'raw',
  'hook',
  'after-schedule',
  'after-conversation',
  'folder',
] as const

/** What a person chooses of a rule without writing one. */
const BuiltRule = z.object({
  kind: z.enum(RULE_KINDS),
  /** `HH:MM`. */
  time: z.string(),
  /** As RRULE has them. */
  weekdays: z.array(z.string()).readonly(),
  /** As it is written. */
  monthDay: z.string(),
  /** What becomes of a month that does not have the day. */
  short: z.enum(['skip', 'last-day']),
  /** `YYYY-MM-DDTHH:MM`. */
  at: z.string(),
  raw: z.string(),
  /** The schedule or the conversation that it waits for. */
  awaited: z.string(),
  /** The folder that it watches, within the workspace. */
  path: z.string(),
})
export type BuiltRule = Readonly<z.infer<typeof BuiltRule>>

const KeptDraft = z.object({
  value: ScheduleValue,
  built: BuiltRule,
  /** What was read before it was written over; null for a new schedule. */
  base: ScheduleRow.nullable(),
})
export type KeptDraft = z.infer<typeof KeptDraft>

/** What was typed into the form of a schedule and not saved, over leaving and a reload of the tab. `id`: null for a new one. [UI113] */
export function keptDraft(id: string | null): KeptDraft | null {
  const kept = unsentKeeper.load(keyOf(id))
  // What an older version of the page has left and this one cannot read is dropped.
  return kept === null ? null : (KeptDraft.safeParse(JSON.parse(kept)).data ?? null)
}

/** Null for nothing to keep. */
export function keepDraft(id: string | null, draft: KeptDraft | null): void {
  try {
    unsentKeeper.save(keyOf(id), draft === null ? null : JSON.stringify(draft))
  } catch (error) {
    // A browser gives a page only so much room. What was kept before is none of what is written now.
    if (!(error instanceof DOMException)) throw error
    unsentKeeper.save(keyOf(id), null)
  }
}

/** Of schedules that are there no more, what was typed into the form of the first: its new schedule is what it becomes. [UI113] */
export function takeOrphan(ids: readonly string[]): KeptDraft | null {
  for (const key of Object.keys(sessionStorage)) {
    const [, id] = /^holdfast\.unsent\.schedule\.(?!new$)(.+)$/.exec(key) ?? []
    const draft = id === undefined || ids.includes(id) ? null : keptDraft(id)
    if (id === undefined || draft === null || keptDraft(null) !== null) continue
    keepDraft(null, { ...draft, base: null })
    keepDraft(id, null)
    return draft
  }
  return null
}

function keyOf(id: string | null): string {
  return `schedule.${id ?? 'new'}`
}
