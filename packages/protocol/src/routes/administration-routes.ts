import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { limitUpTo, nothing } from '../parts/route-parts.ts'
import { OutsideId } from '../parts/sent-content.ts'
import { Account, SessionRow } from './account-routes.ts'

const time = z.int().nonnegative()
const count = z.int().nonnegative()

/** A person as administrators see one: figures, and nothing of what they write. Times are milliseconds since the Unix epoch. [SCALE18] */
export const PersonRow = z.object({
  account: Account,
  /** When a session or a key of theirs was last noted as used; null where none is left. */
  lastSeenAt: time.nullable(),
  sessionCount: count,
  /** What is kept of their attachments and of what tools gave, in bytes. */
  storedBytes: count,
  /** What their requests cost since the beginning of the day and of the month (UTC), in US dollars, where the price is known. */
  spentTodayUsd: z.number().nonnegative(),
  spentThisMonthUsd: z.number().nonnegative(),
})
export type PersonRow = z.infer<typeof PersonRow>

/** A request for permission that was settled. What the call was to do is content, and is not here. [SCALE19] */
export const AuditRow = z.object({
  conversationId: z.string(),
  /** Whose conversation it is. */
  ownerId: z.string(),
  seq: z.int().positive(),
  at: time,
  /** Null where the request was erased, or stands too far before its answer. */
  tool: z.string().nullable(),
  outcome: z.enum(['allowed', 'denied', 'cancelled']),
  /** What settled it. */
  by: z.enum(['person', 'mode', 'rule', 'stop', 'recovery', 'unattended']),
  /** How far a person's yes goes; null where nobody said. */
  scope: z.enum(['call', 'conversation', 'pattern', 'category', 'always']).nullable(),
  /** The person who settled it; null where nobody did. */
  userId: z.string().nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

/** A page of the audit. */
export const AuditAnswer = z.object({
  rows: z.array(AuditRow),
  /** Conversations whose logs are damaged: their rows are missing here. */
  damagedIds: z.array(z.string()),
  /** Where the next page begins; null where everything was looked through. A page may be empty and have a next one. */
  next: z.string().nullable(),
})
export type AuditAnswer = z.infer<typeof AuditAnswer>

/** How the server that answers is, and its store. [SCALE20] */
export const ServerHealth = z.object({
  version: z.string(),
  /** How long its process has run, in milliseconds. */
  uptimeMs: z.number().nonnegative(),
  /** What its process takes of the memory of the machine, in bytes. */
  memoryBytes: count,
  /** Null where the program that embeds the server has not said what its store is. */
  store: z
    .object({
      kind: z.enum(['sqlite', 'postgres']),
      sizeBytes: count,
      /** What waits in the write-ahead file; null where the store has none of its own. */
      writeAheadBytes: count.nullable(),
    })
    .nullable(),
  /** How late the event loop was while it was looked at for a quarter of a second, in milliseconds. */
  loopLag: z.object({ meanMs: z.number().nonnegative(), mostMs: z.number().nonnegative() }),
  /** Sockets of this server. */
  openSocketCount: count,
  /** What is at work, at whichever server, in so many of the newest conversations of each person. */
  work: z.object({
    conversationsOfEach: count,
    runningCount: count,
    /** Conversations that wait for a person: for a permission, or for an answer to a question. */
    waitingForPersonCount: count,
    /** Messages that wait in queues. */
    queuedCount: count,
  }),
})
export type ServerHealth = z.infer<typeof ServerHealth>

const person = z.object({ userId: OutsideId })

/** The routes of the page *Administration*: only for administrators, and only where there are accounts. */
export const administrationRoutes = {
  listPeople: {
    method: 'GET',
    path: '/administration/people',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ people: z.array(PersonRow) }) },
  },
  listSessionsOf: {
    method: 'GET',
    path: '/administration/people/:userId/sessions',
    access: 'admin',
    params: person,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ sessions: z.array(SessionRow) }) },
  },
  endSessionOf: {
    method: 'DELETE',
    path: '/administration/people/:userId/sessions/:sessionId',
    access: 'admin',
    scope: 'session',
    params: person.extend({ sessionId: OutsideId }),
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ done: z.literal(true) }) },
  },
  /** Conversations by their newest message, newest first; in each of them what was settled last comes first. [SCALE19] */
  readAudit: {
    method: 'GET',
    path: '/administration/audit',
    access: 'admin',
    params: nothing,
    query: z.object({
      /** `next` of the page before. */
      before: z.string().max(400).exactOptional(),
      limit: limitUpTo(200, 50),
    }),
    body: nothing,
    answers: { 200: AuditAnswer },
  },
  readServerHealth: {
    method: 'GET',
    path: '/administration/health',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: ServerHealth },
  },
} as const satisfies Readonly<Record<string, Route>>
