import rateLimit from '@fastify/rate-limit'
import type { Route } from '@holdfast/protocol'
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { RefusedError } from './to-problem.ts'

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
  /** What a route is registered with. */
  optionsOf(route: Route): Pick<RouteShorthandOptions, 'config'>
  /** Counts a try for an account. @throws {RefusedError} when there were too many. */
  countTry(request: FastifyRequest, email: string): Promise<void>
}

const SIGN_IN_PATHS: ReadonlySet<string> = new Set(['/auth/sign-in/email', '/auth/setup', '/auth/change-password'])

/** Registers the limits; null for none. */
export async function createLimiter(app: FastifyInstance, limits: RateLimits | null): Promise<Limiter> {
  if (!limits) return { optionsOf: () => ({}), countTry: async () => {} }
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  })
  const emails = new WeakMap<FastifyRequest, string>()
  const tryOf = app.createRateLimit({
    max: limits.account.max,
    timeWindow: limits.account.windowMs,
    keyGenerator: (request) => `account ${emails.get(request) ?? ''}`,
  })

  return {
    optionsOf({ path }) {
      const [groupId, { max, windowMs }] = SIGN_IN_PATHS.has(path)
        ? (['sign-in', limits.signIn] as const)
        : (['api', limits.api] as const)
      return { config: { rateLimit: { max, timeWindow: windowMs, groupId } } }
    },
    async countTry(request, email) {
      emails.set(request, email.toLowerCase())
      const counted = await tryOf(request)
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl)
    },
  }
}

function tooMany(waitMs: number): RefusedError {
  return new RefusedError(
    429,
    'too-many-requests',
    `Too many requests; try again in ${Math.max(1, Math.ceil(waitMs / 1_000))} s`,
  )
}
