import type { Clock, Records, ReplicaStore } from '@holdfast/conversation'
import type { Route } from '@holdfast/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RefusedForNowError } from '../parts/to-problem.ts'
import { isProbe } from './probes.ts'
import { createReplicaCount, createSharedTries } from './shared-tries.ts'

/** How many requests are answered in a time. */
export interface RateLimit {
  readonly max: number
  readonly windowMs: number
}

/** Limits of requests. The page's own files have none. */
export interface RateLimits {
  /** Of one address, over all routes. */
  readonly api: RateLimit
  /** Of one address, for everything that checks a password or a set-up token. */
  readonly signIn: RateLimit
  /** For one e-mail address, from wherever. */
  readonly account: RateLimit
}

/** The usual limits of an installation with accounts. A start-up token on loopback needs none. */
export const RATE_LIMITS: RateLimits = {
  api: { max: 6_000, windowMs: 60_000 },
  signIn: { max: 10, windowMs: 60_000 },
  account: { max: 30, windowMs: 15 * 60_000 },
}

/** Applies the limits. */
export interface Limiter {
  /** Counts a request before anything else is done with it; probes are not counted. @throws {RefusedError} when there were too many. */
  count(route: Pick<Route, 'path'>, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a try for an account. @throws {RefusedError} when there were too many. */
  countTry(request: FastifyRequest, email: string): Promise<void>
}

const SIGN_IN_PATHS: ReadonlySet<string> = new Set(['/auth/sign-in/email', '/auth/setup', '/auth/change-password'])

/** With what limits are counted. */
export interface LimiterDeps {
  /** Null for none. */
  readonly limits: RateLimits | null
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly records: Records
  /** Where there are several, requests are divided among them, and tries counted together. [SCALE25] */
  readonly replicas: ReplicaStore | null
}

/** Registers the limits. */
export async function createLimiter(app: FastifyInstance, deps: LimiterDeps): Promise<Limiter> {
  const { limits, replicas } = deps
  if (!limits) return { count: async () => {}, countTry: async () => {} }
  const tries = replicas && createSharedTries(deps.records, replicas)
  const countOf = replicas && createReplicaCount(replicas, deps.clock)
  const { default: rateLimit } = await import('@fastify/rate-limit')
  // Its own hook counts for each route apart; counters that routes share are asked here.
  await app.register(rateLimit, { global: false })
  const emails = new WeakMap<FastifyRequest, string>()
  const counterOf = ({ max, windowMs }: RateLimit, keyGenerator: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max, timeWindow: windowMs, keyGenerator })
  const api = app.createRateLimit({
    max: countOf ? async () => Math.max(1, Math.floor(limits.api.max / (await countOf()))) : limits.api.max,
    timeWindow: limits.api.windowMs,
    keyGenerator: ({ ip }) => ip,
  })
  const signIn = counterOf(limits.signIn, ({ ip }) => ip)
  const account = counterOf(limits.account, (request) => emails.get(request) ?? '')

  return {
    async count({ path }, request, reply) {
      if (isProbe({ path })) return
      if (tries && SIGN_IN_PATHS.has(path)) {
        const { count, waitMs } = await tries.count(`address ${request.ip}`, limits.signIn)
        if (count <= limits.signIn.max) return
        reply.header('retry-after', secondsOf(waitMs))
        throw tooMany(waitMs)
      }
      const counted = await (SIGN_IN_PATHS.has(path) ? signIn : api)(request)
      if (counted.isAllowed) return
      const resetSeconds = secondsOf(counted.ttl)
      reply.headers({
        'x-ratelimit-limit': counted.max,
        'x-ratelimit-remaining': counted.remaining,
        'x-ratelimit-reset': resetSeconds,
        ...(counted.isExceeded ? { 'retry-after': resetSeconds } : {}),
      })
      if (counted.isExceeded) throw tooMany(counted.ttl)
    },
    async countTry(request, email) {
      if (tries) {
        const { count, waitMs } = await tries.count(`account ${email.toLowerCase()}`, limits.account)
        if (count > limits.account.max) throw tooMany(waitMs)
        return
      }
      emails.set(request, email.toLowerCase())
      const counted = await account(request)
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl)
    },
  }
}

function tooMany(waitMs: number): RefusedForNowError {
  return new RefusedForNowError(`Too many requests; try again in ${secondsOf(waitMs)} s`, waitMs)
}

function secondsOf(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1_000))
}
