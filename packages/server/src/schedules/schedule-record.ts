import type { RecordKind } from '@holdfast/conversation'
import * as z from 'zod'

const time = z.int().nonnegative()

const Rule = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cron'), expression: z.string() }),
  z.object({ type: z.literal('rrule'), text: z.string() }),
  z.object({ type: z.literal('once'), at: z.string() }),
])

const Allowance = z.object({
  id: z.string(),
  effect: z.literal('allow'),
  tool: z.string(),
  pattern: z.string().exactOptional(),
})

/** What people say of a schedule. */
const definition = {
  name: z.string(),
  text: z.string(),
  agentId: z.string().exactOptional(),
  modelId: z.string().exactOptional(),
  workspaceId: z.string().exactOptional(),
  rule: Rule,
  timeZone: z.string(),
  missed: z.enum(['once', 'skip', 'all']),
  missedLimit: z.int().positive(),
  missedWindowHours: z.int().positive(),
  overlap: z.enum(['skip', 'queue', 'parallel']),
  /** A new conversation for each run, or the id of one. */
  target: z.string(),
  unattended: z.enum(['deny', 'allow-list', 'full']),
  rules: z.array(Allowance),
  budgets: z.object({
    runUsd: z.number().exactOptional(),
    dayUsd: z.number().exactOptional(),
    monthUsd: z.number().exactOptional(),
  }),
  isOn: z.boolean(),
}

const OccurrenceState = z.enum(['started', 'succeeded', 'failed', 'denied', 'skipped', 'missed'])

/** One planned instant of a schedule, and what became of it. */
export const Occurrence = z.object({
  plannedAt: time,
  /** What set it off. */
  cause: z.enum(['clock', 'person']),
  state: OccurrenceState,
  /** In words, for a person; null where there is nothing to say. */
  reason: z.string().nullable(),
  conversationId: z.string().nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  costUsd: z.number().nullable(),
  /** Calls that were denied because nobody was there to be asked, each as a rule that would allow exactly it. */
  denied: z.array(z.object({ tool: z.string(), pattern: z.string() })),
})
export type Occurrence = z.infer<typeof Occurrence>

/** A schedule as it is kept, with where it stands. */
export const StoredSchedule = z.object({
  ownerId: z.string().min(1),
  ...definition,
  createdAt: time,
  /** Where a rule without a beginning of its own begins. */
  anchorAt: time,
  /** Everything planned up to here is decided. [SCHED1] */
  cursor: time,
  /** Occurrences whose run has not been seen to end. */
  open: z.array(
    z.object({
      plannedAt: time,
      conversationId: z.string(),
      inputId: z.string(),
      isLate: z.boolean(),
      capUsd: z.number().nullable(),
    }),
  ),
  /** One that waits for those to end. */
  queuedAt: time.nullable(),
  failuresInRow: z.int().nonnegative(),
  /** Why it does not run, in words, where it was not a person who paused it. */
  pausedReason: z.string().nullable(),
  /** What was spent in the last day and month in which it ran, by its time zone. */
  spent: z.object({ day: z.string(), dayUsd: z.number(), month: z.string(), monthUsd: z.number() }),
  /** What its owner has not acknowledged, oldest first. [SCHED2] */
  news: z.array(Occurrence),
  /** How many older ones are no more in the list. */
  moreNews: z.int().nonnegative(),
  /** The last one of which something is to be told; null before the first. */
  last: Occurrence.nullable(),
})
export type StoredSchedule = z.infer<typeof StoredSchedule>

export const SCHEDULE: RecordKind<StoredSchedule> = { kind: 'schedule', schema: StoredSchedule }

/** Occurrences stand under the id of their schedule: one record for each planned instant, and never two. [SCHED1] */
export const OCCURRENCE: RecordKind<Occurrence> = { kind: 'occurrence', schema: Occurrence }

/** All schedules stand together: whose one is, it says itself. */
export const SHELF = 'installation'

/** The id of an occurrence; ids are in the order of their time. */
export function occurrenceId(plannedAt: number): string {
  return String(plannedAt).padStart(16, '0')
}
