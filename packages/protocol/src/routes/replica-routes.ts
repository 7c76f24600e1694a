import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { limitUpTo, nothing } from '../parts/route-parts.ts'

const time = z.int().nonnegative()

/** A replica, as administrators see it. Times are milliseconds since the Unix epoch, by the database's clock. */
export const ReplicaRow = z.object({
  id: z.string(),
  /** The name of its machine. */
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  /** Where it listens; null where it does not yet. */
  url: z.string().nullable(),
  /** Whether it is the one that answers. */
  isThis: z.boolean(),
  /** `gone`: it has not beaten in time, or has ended. */
  state: z.enum(['alive', 'draining', 'gone']),
  startedAt: time,
  beatAt: time,
  /** How many conversations it works on. */
  conversationCount: z.int().nonnegative(),
  /** The first of them by their ids, as many as were asked for. */
  conversationIds: z.array(z.string()),
})
export type ReplicaRow = z.infer<typeof ReplicaRow>

/** The routes about the servers of one database. */
export const replicaRoutes = {
  /** Those that are there, and that went within the hour, by the time of their start; none where a server has its store alone. [SCALE7] */
  listReplicas: {
    method: 'GET',
    path: '/replicas',
    access: 'admin',
    params: nothing,
    query: z.object({ conversations: limitUpTo(1_000, 100) }),
    body: nothing,
    answers: { 200: z.object({ replicas: z.array(ReplicaRow) }) },
  },
} as const satisfies Readonly<Record<string, Route>>
