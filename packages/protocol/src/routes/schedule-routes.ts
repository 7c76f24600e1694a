import { PermissionGuard, WrittenPermissionRule } from '@holdfast/conversation'
import * as z from 'zod'
import { RuleTrialAnswer } from '../answers/rule-trial-answer.ts'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'

/** How much may be said of a schedule: characters, unless the name says otherwise. */
export const SCHEDULE_LIMITS = { name: 80, text: 100_000, rule: 2_000, ruleCount: 100 } as const

const time = z.int().nonnegative()
/** Less than a hundredth of a cent bounds nothing that is asked: every run would be refused. */
const usd = z.number().min(0.0001).max(1_000_000)

/** Where calls from outside arrive, and the headers by which they are signed. */
export const HOOK_PATH = '/api/v1/hooks'
export const HOOK_HEADERS = { timestamp: 'holdfast-timestamp', signature: 'holdfast-signature' } as const
export const HOOK_LIMITS = { bodyBytes: 1_000_000 } as const

/** When a schedule runs: at times, by five fields of cron, an RRULE, or once; or when something else happens. */
export const ScheduleRule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('cron'), expression: z.string().trim().min(1).max(SCHEDULE_LIMITS.rule) }),
  z.strictObject({ type: z.literal('rrule'), text: z.string().trim().min(1).max(SCHEDULE_LIMITS.rule) }),
  /** A wall time of its zone such as `2026-03-29T02:30`, or an instant with its offset. */
  z.strictObject({ type: z.literal('once'), at: z.string().trim().min(1).max(40) }),
  /** A signed call of an address of its own. */
  z.strictObject({ type: z.literal('hook') }),
  /** Each end of a run of another schedule. */
  z.strictObject({ type: z.literal('after-schedule'), scheduleId: OutsideId }),
  /** The end of the run that a conversation is in, or of its next one; once. */
  z.strictObject({ type: z.literal('after-conversation'), conversationId: OutsideId }),
  /** What changes in a folder of the workspace; empty for the workspace itself. */
  z.strictObject({ type: z.literal('folder'), path: z.string().trim().max(1_000) }),
])
export type ScheduleRule = z.infer<typeof ScheduleRule>

const Content = z
  .array(z.strictObject({ type: z.literal('text'), text: z.string().trim().min(1).max(SCHEDULE_LIMITS.text) }))
  .min(1)
  .max(20)

/** What a schedule allows its runs without a question. */
const Allowance = z.strictObject({ tool: z.string().min(1).max(200), pattern: z.string().max(10_000).exactOptional() })

const fields = {
  name: z.string().trim().min(1).max(SCHEDULE_LIMITS.name),
  content: Content,
  agentId: OutsideId,
  modelId: OutsideId,
  workspaceId: OutsideId,
  /** What each new conversation begins with. */
  presetId: OutsideId,
  rule: ScheduleRule,
  timeZone: z.string().min(1).max(80),
  /** What becomes of runs whose time passed while nothing was there: the newest of them, none, or all up to a limit. */
  missed: z.enum(['once', 'skip', 'all']),
  missedLimit: z.int().min(1).max(100),
  missedWindowHours: z.int().min(1).max(720),
  overlap: z.enum(['skip', 'queue', 'parallel']),
  /** Every run is later by up to so many minutes, by a delay that the schedule keeps: many of one time are spread. */
  jitterMinutes: z.int().min(0).max(60),
  /** `new`: a conversation for each run; else the one of this id. */
  target: OutsideId,
  unattended: z.enum(['deny', 'allow-list', 'full']),
  rules: z.array(Allowance).max(SCHEDULE_LIMITS.ruleCount),
  budgets: z.strictObject({ runUsd: usd.exactOptional(), dayUsd: usd.exactOptional(), monthUsd: usd.exactOptional() }),
  isOn: z.boolean(),
}

/** Calls that were denied because nobody was there to be asked, as rules that would allow exactly these. */
const Denied = z.array(z.object({ tool: z.string(), pattern: z.string() }))

const count = z.int().positive()

/** Why something became of a planned run, where it is not what a model, a tool or a store said: a client says it in its own language. */
export const ScheduleWhy = z.discriminatedUnion('code', [
  /** So many runs did not take place: the server was off or asleep. */
  z.object({ code: z.literal('server-off'), count, isMore: z.boolean(), firstAt: time, lastAt: time }),
  z.object({ code: z.literal('clock-set-back'), from: time, until: time }),
  /** So many runs before it had not ended. */
  z.object({ code: z.literal('runs-open'), count }),
  /** One run was open, and another waited for it. */
  z.object({ code: z.literal('run-waits') }),
  z.object({
    code: z.literal('budget-used'),
    period: z.enum(['run', 'day', 'month']),
    wholeUsd: z.number(),
    usedUsd: z.number(),
  }),
  /** So many runs had set each other off before it. */
  z.object({ code: z.literal('chain-too-long'), count }),
  z.object({ code: z.literal('nobody-there'), tools: z.array(z.string()) }),
  z.object({ code: z.literal('stopped') }),
  z.object({ code: z.literal('taken-out-of-queue') }),
  z.object({ code: z.literal('conversation-deleted') }),
  z.object({ code: z.literal('server-ended') }),
  /** It failed so many times in a row; what was said the last time. */
  z.object({ code: z.literal('failed-in-a-row'), count, last: z.string() }),
])
export type ScheduleWhy = z.infer<typeof ScheduleWhy>

/** A planned instant and what became of it. */
export const OccurrenceRow = z.object({
  id: z.string(),
  plannedAt: time,
  /** What set it off. */
  cause: z.enum(['clock', 'person', 'hook', 'run', 'folder']),
  /** `set-back`: no run; the clock of the server was set back, and what follows goes by it. */
  state: z.enum(['planned', 'started', 'succeeded', 'stopped', 'failed', 'denied', 'skipped', 'missed', 'set-back']),
  /** In words, in English; null where there is nothing to say. */
  reason: z.string().nullable(),
  /** What those words were made of; absent where they are those of a model, a tool or a store. */
  why: ScheduleWhy.exactOptional(),
  conversationId: z.string().nullable(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  /** Null where nothing was spent, or nobody knows what. */
  costUsd: z.number().nullable(),
  denied: Denied,
})
export type OccurrenceRow = z.infer<typeof OccurrenceRow>

/** A schedule as its owner sees it. */
export const ScheduleRow = z.object({
  id: z.string(),
  name: z.string(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  agentId: z.string().exactOptional(),
  modelId: z.string().exactOptional(),
  workspaceId: z.string().exactOptional(),
  presetId: z.string().exactOptional(),
  rule: ScheduleRule,
  timeZone: z.string(),
  missed: fields.missed,
  missedLimit: z.int(),
  missedWindowHours: z.int(),
  overlap: fields.overlap,
  jitterMinutes: z.int(),
  target: z.string(),
  unattended: fields.unattended,
  rules: z.array(z.object({ tool: z.string(), pattern: z.string().exactOptional() })),
  budgets: z.object({
    runUsd: z.number().exactOptional(),
    dayUsd: z.number().exactOptional(),
    monthUsd: z.number().exactOptional(),
  }),
  isOn: z.boolean(),
  /** How often what is said here was changed, from 1: what a change names that is not to overwrite another. Runs, pausing and resuming leave it. */
  revision: z.int().positive(),
  createdAt: time,
  /** Null for none: it is paused, or its rule has come to its end. */
  nextAt: time.nullable(),
  /** Where calls that set it off arrive; null where none do, and before it has a secret. */
  hookPath: z.string().nullable(),
  /** Why it is paused, in words, where it was not a person who did it. */
  pausedReason: z.string().nullable(),
  pausedWhy: ScheduleWhy.exactOptional(),
  openCount: z.int().nonnegative(),
  /** Those of its runs that are under way or about to begin. */
  openRuns: z.array(z.object({ plannedAt: time, conversationId: z.string() })),
  failuresInRow: z.int().nonnegative(),
  /** The last one that began or ended; null before the first. */
  last: OccurrenceRow.nullable(),
})
export type ScheduleRow = z.infer<typeof ScheduleRow>

/** Something that needs a person, or that they have not seen. */
export const InboxItem = z.object({
  kind: z.enum([
    'permission',
    'question',
    // Its next call was handed to a client, which has not said for a while what came of it. [TOOL19]
    'client',
    'failed',
    'finished',
    'schedule-failed',
    'schedule-finished',
    // A person stopped it.
    'schedule-stopped',
    'schedule-missed',
    // The clock of the server was set back, and it goes on by that. [SCHED43]
    'schedule-clock',
    'schedule-paused',
  ]),
  /** Names the item, to acknowledge it. */
  id: z.string(),
  conversationId: z.string().nullable(),
  scheduleId: z.string().nullable(),
  /** Who answers there; null for the usual agent. */
  agentId: z.string().nullable(),
  title: z.string(),
  at: time,
  /** In words, in English; null where there is nothing to add. */
  detail: z.string().nullable(),
  /** What those words were made of; absent where they are another's. */
  why: ScheduleWhy.exactOptional(),
  costUsd: z.number().nullable(),
  /** The request that can be answered from here; null for none. */
  request: z
    .object({
      requestId: z.string(),
      tool: z.string(),
      input: z.string(),
      reason: z.string(),
      /** What asks, as in the log. */
      source: z.string(),
      guard: PermissionGuard.exactOptional(),
      /** Names what the input only names; the reason says in words what that is. */
      pinned: z.string().exactOptional(),
    })
    .nullable(),
  /** What would let a schedule do what it was denied. */
  denied: Denied,
})
export type InboxItem = z.infer<typeof InboxItem>

const one = z.object({ scheduleId: OutsideId })

/** Schedules, what they did, and the one inbox of all that needs a person. */
export const scheduleRoutes = {
  listSchedules: {
    method: 'GET',
    path: '/schedules',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ schedules: z.array(ScheduleRow) }) },
  },
  createSchedule: {
    method: 'POST',
    path: '/schedules',
    access: 'user',
    scope: 'tools',
    params: nothing,
    query: nothing,
    /** What is absent is as usual: a new conversation for each run, one missed run made up for, no overlap, nothing allowed. */
    body: z.strictObject({
      name: fields.name,
      content: fields.content,
      rule: fields.rule,
      timeZone: fields.timeZone,
      agentId: fields.agentId.exactOptional(),
      modelId: fields.modelId.exactOptional(),
      workspaceId: fields.workspaceId.exactOptional(),
      presetId: fields.presetId.exactOptional(),
      missed: fields.missed.default('once'),
      missedLimit: fields.missedLimit.default(10),
      missedWindowHours: fields.missedWindowHours.default(24),
      overlap: fields.overlap.default('skip'),
      jitterMinutes: fields.jitterMinutes.default(0),
      target: fields.target.default('new'),
      unattended: fields.unattended.default('deny'),
      rules: fields.rules.default([]),
      budgets: fields.budgets.default({}),
      isOn: fields.isOn.default(true),
    }),
    answers: { 201: ScheduleRow },
  },
  /** The next instants of a rule that is not kept yet. */
  tryScheduleRule: {
    method: 'POST',
    path: '/schedules/try',
    access: 'user',
    scope: 'read',
    params: nothing,
    query: nothing,
    /** The delay of a schedule that has jitter follows from its id: without one, the times are those of the rule. */
    body: z.strictObject({
      rule: fields.rule,
      timeZone: fields.timeZone,
      jitterMinutes: fields.jitterMinutes.default(0),
      scheduleId: OutsideId.exactOptional(),
    }),
    answers: { 200: z.object({ next: z.array(time) }) },
  },
  readSchedule: {
    method: 'GET',
    path: '/schedules/:scheduleId',
    access: 'record',
    params: one,
    query: nothing,
    body: nothing,
    answers: { 200: ScheduleRow },
  },
  changeSchedule: {
    method: 'PATCH',
    path: '/schedules/:scheduleId',
    access: 'record',
    scope: 'tools',
    params: one,
    query: nothing,
    /**
     * What is absent stays; null takes an agent, a model, a workspace or a preset away. `revision`: the one that was read, and
     * where another has changed it since, 409 and nothing is changed; without it the last one holds.
     */
    body: z.strictObject({
      revision: z.int().positive().exactOptional(),
      name: fields.name.exactOptional(),
      content: fields.content.exactOptional(),
      rule: fields.rule.exactOptional(),
      timeZone: fields.timeZone.exactOptional(),
      agentId: fields.agentId.nullable().exactOptional(),
      modelId: fields.modelId.nullable().exactOptional(),
      workspaceId: fields.workspaceId.nullable().exactOptional(),
      presetId: fields.presetId.nullable().exactOptional(),
      missed: fields.missed.exactOptional(),
      missedLimit: fields.missedLimit.exactOptional(),
      missedWindowHours: fields.missedWindowHours.exactOptional(),
      overlap: fields.overlap.exactOptional(),
      jitterMinutes: fields.jitterMinutes.exactOptional(),
      target: fields.target.exactOptional(),
      unattended: fields.unattended.exactOptional(),
      rules: fields.rules.exactOptional(),
      budgets: fields.budgets.exactOptional(),
      isOn: fields.isOn.exactOptional(),
    }),
    answers: { 200: ScheduleRow },
  },
  removeSchedule: {
    method: 'DELETE',
    path: '/schedules/:scheduleId',
    access: 'record',
    scope: 'tools',
    params: one,
    query: nothing,
    body: nothing,
    /** Its conversations stay. */
    answers: { 200: z.object({ scheduleId: z.string() }) },
  },
  /** A new address and a new secret, shown this once; those before count no more. */
  renewScheduleSecret: {
    method: 'POST',
    path: '/schedules/:scheduleId/secret',
    access: 'record',
    scope: 'tools',
    params: one,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ path: z.string(), secret: z.string() }) },
  },
  /** A call that cannot run is answered 429, and may be sent again as it is. `Holdfast-Signature: v1=` and the HMAC-SHA256, by the secret, of `Holdfast-Timestamp`, a full stop and the body. */
  callHook: {
    method: 'POST',
    path: '/hooks/:hookId',
    access: 'anyone',
    takes: 'application/octet-stream',
    params: z.object({ hookId: OutsideId }),
    query: nothing,
    body: z.unknown(),
    answers: { 202: z.object({ state: z.enum(['begun', 'queued']) }) },
  },
  runSchedule: {
    method: 'POST',
    path: '/schedules/:scheduleId/run',
    access: 'record',
    scope: 'tools',
    params: one,
    query: nothing,
    body: nothing,
    answers: { 202: OccurrenceRow },
  },
  /** Stops what runs of it, as a stop in the conversation does, and takes out what has not begun; what waits for its end is next. */
  stopSchedule: {
    method: 'POST',
    path: '/schedules/:scheduleId/stop',
    access: 'record',
    scope: 'chat',
    params: one,
    query: nothing,
    body: nothing,
    /** In how many conversations something was stopped. */
    answers: { 202: z.object({ stopped: z.int().nonnegative() }) },
  },
  listOccurrences: {
    method: 'GET',
    path: '/schedules/:scheduleId/occurrences',
    access: 'record',
    params: one,
    query: nothing,
    body: nothing,
    /** The newest first, as many as are kept. */
    answers: { 200: z.object({ occurrences: z.array(OccurrenceRow) }) },
  },
  nextOfSchedule: {
    method: 'GET',
    path: '/schedules/:scheduleId/next',
    access: 'record',
    params: one,
    query: z.strictObject({ count: z.coerce.number().int().min(1).max(100).default(5) }),
    body: nothing,
    answers: { 200: z.object({ next: z.array(time) }) },
  },
  /** What a rule would have done with the past calls of all conversations. */
  dryRunSchedule: {
    method: 'POST',
    path: '/schedules/:scheduleId/dry-run',
    access: 'record',
    scope: 'read',
    params: one,
    query: nothing,
    body: z.strictObject({ rule: WrittenPermissionRule }),
    answers: { 200: RuleTrialAnswer },
  },
  readInbox: {
    method: 'GET',
    path: '/inbox',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    /** What needs an answer first, then the newest. */
    answers: { 200: z.object({ items: z.array(InboxItem), needsYou: z.int().nonnegative() }) },
  },
  acknowledgeInbox: {
    method: 'POST',
    path: '/inbox/acknowledge',
    access: 'user',
    params: nothing,
    query: nothing,
    body: z.strictObject({ ids: z.array(z.string().min(1).max(500)).min(1).max(500) }),
    answers: { 200: z.object({ acknowledged: z.int().nonnegative() }) },
  },
} as const satisfies Readonly<Record<string, Route>>
