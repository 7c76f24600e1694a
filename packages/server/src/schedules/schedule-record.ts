import { InputPart, type RecordKind } from '@holdfast/conversation'
import { ScheduleWhy } from '@holdfast/protocol'
import * as z from 'zod'

const time = z.int().nonnegative()

const Rule = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cron'), expression: z.string() }),
  z.object({ type: z.literal('rrule'), text: z.string() }),
  z.object({ type: z.literal('once'), at: z.string() }),
  z.object({ type: z.literal('hook') }),
  z.object({ type: z.literal('after-schedule'), scheduleId: z.string() }),
  z.object({ type: z.literal('after-conversation'), conversationId: z.string() }),
  z.object({ type: z.literal('folder'), path: z.string() }),
])

/** What set a run off. */
const Cause = z.enum(['clock', 'person', 'hook', 'run', 'folder'])

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
  presetId: z.string().exactOptional(),
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
  /** Its runs are later by up to so many minutes; absent for not at all. */
  jitterMinutes: z.int().nonnegative().exactOptional(),
  budgets: z.object({
    runUsd: z.number().exactOptional(),
    dayUsd: z.number().exactOptional(),
    monthUsd: z.number().exactOptional(),
  }),
  isOn: z.boolean(),
}

/** Something but a time that sets off a run: when, what, and what it says to the model beside what the schedule asks. */
export const Trigger = z.object({
  at: time,
  cause: z.enum(['hook', 'run', 'folder']),
  source: z.string(),
  chain: z.int().nonnegative(),
  /** Words of ours, and words of strangers. [PERM7] */
  said: z.array(InputPart),
})
export type Trigger = z.infer<typeof Trigger>

/** `set-back`: no run, but that the clock was set back and what follows goes by it. [SCHED43] */
const OccurrenceState = z.enum(['started', 'succeeded', 'stopped', 'failed', 'denied', 'skipped', 'missed', 'set-back'])

/** One planned instant of a schedule, and what became of it. */
export const Occurrence = z.object({
  plannedAt: time,
  cause: Cause,
  /** Names what set it off, where that was no time: one thing sets off one run. [SCHED16] */
  source: z.string().exactOptional(),
  /** How many runs went before it, each of which set the next off. [SCHED22] */
  chain: z.int().nonnegative().exactOptional(),
  state: OccurrenceState,
  /** In words, for a person; null where there is nothing to say. */
  reason: z.string().nullable(),
  /** What the words were made of; absent where they are another's. */
  why: ScheduleWhy.exactOptional(),
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
  /** How often people changed what they say of it, from 1; absent for not since that is counted. [SCHED37] */
  saidRevision: z.int().positive().exactOptional(),
  createdAt: time,
  /** Where a rule without a beginning of its own begins. */
  anchorAt: time,
  /** How much later than its rule it runs, always the same; follows from its id. [SCHED24] */
  delayMs: time.exactOptional(),
  /** Everything planned up to here is decided. [SCHED1] */
  cursor: time,
  /** What was decided by a clock that was far ahead, where it was set back since; absent for nothing. [SCHED43] */
  ahead: z
    .object({
      /** All up to here was; a clock that comes there finds it decided. */
      until: time,
      /** Where the rule began by that clock. */
      anchorAt: time,
      /** What of it has a line in the history, and never runs again. */
      taken: z.array(time),
    })
    .exactOptional(),
  /** Names its address, where a call of that sets it off. Its secret follows from it. [SCHED19] */
  hookId: z.string().exactOptional(),
  /** The end of a run behind this place of a log sets it off. */
  afterSeq: time.exactOptional(),
  /** The folder as it was last seen, null before that, and when it last set a run off. [SCHED23] */
  folder: z.object({ seen: z.string().nullable(), at: time }).exactOptional(),
  /** Occurrences whose run has not been seen to end. */
  open: z.array(
    z.object({
      plannedAt: time,
      source: z.string().exactOptional(),
      conversationId: z.string(),
      inputId: z.string(),
      isLate: z.boolean(),
      capUsd: z.number().nullable(),
    }),
  ),
  /** One that waits for those to end. */
  queuedAt: time.nullable(),
  /** What set off the one that waits, where that was no time. */
  queuedTrigger: Trigger.exactOptional(),
  failuresInRow: z.int().nonnegative(),
  /** Why it does not run, in words, where it was not a person who paused it. */
  pausedReason: z.string().nullable(),
  pausedWhy: ScheduleWhy.exactOptional(),
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
export function occurrenceId({ plannedAt, source }: Pick<Occurrence, 'plannedAt' | 'source'>): string {
  const time = String(plannedAt).padStart(16, '0')
  return source === undefined ? time : `${time}-${source}`
}
