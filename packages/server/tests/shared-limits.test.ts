import type { Clock } from '@holdfast/conversation'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createLimiter, type RateLimits } from '../src/door/rate-limits.ts'

const BEAT = { host: 'machine', pid: 7, version: '1.2.3', url: null, ttlMs: 10_000 }
const SIGN_IN = '/auth/sign-in/email'

const time = { wallMs: 1_000_000, monotonicMs: 0 }
const clock: Clock = { now: () => time.wallMs, monotonicMs: () => time.monotonicMs, after: () => () => {} }
const apps: FastifyInstance[] = []

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** A server on a store that others use too; it tries passwords and lists conversations. */
async function replica({ records, replicas }: MemoryStore, limits: Partial<RateLimits>): Promise<FastifyInstance> {
  const many = { max: 1_000, windowMs: 60_000 }
  const app = fastify()
  apps.push(app)
  const all = { api: many, signIn: many, account: many, ...limits }
  const limiter = await createLimiter(app, { limits: all, records, replicas, clock })
  for (const path of [SIGN_IN, '/conversations'])
    app.post<{ Body: { email: string } }>(path, {
      onRequest: (request, reply) => limiter.count({ path }, request, reply),
      handler: async (request) => {
        if (path === SIGN_IN) await limiter.countTry(request, request.body.email)
        return 'done'
      },
    })
  app.setErrorHandler((error: Error & { status?: number }, _request, reply) =>
    reply.code(error.status ?? 500).send(error.message),
  )
  return app
}

async function statuses(given: readonly (readonly [FastifyInstance, string, string])[]): Promise<readonly number[]> {
  const answers = given.map(([app, url, remoteAddress]) =>
    app.inject({ method: 'POST', url, remoteAddress, payload: { email: 'Ada@example.org' } }),
  )
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode)
}

const countOf = (found: readonly number[], status: number) => found.filter((other) => other === status).length

test('[SCALE25] tries of one address are counted over all replicas, also at the same moment', async () => {
  const store = createMemoryStore({ clock })
  await store.replicas.beat({ ...BEAT, replicaId: 'first' })
  const limits = { signIn: { max: 5, windowMs: 60_000 } }
  const all = [await replica(store, limits), await replica(store, limits), await replica(store, limits)]
  const found = await statuses(
    Array.from({ length: 12 }, (_, index) => [all[index % 3] ?? fastify(), SIGN_IN, '192.0.2.1']),
  )
  expect([countOf(found, 200), countOf(found, 429)]).toEqual([5, 7])
  const [first, second] = all
  if (!first || !second) throw new Error('There are three')
  expect(await statuses([[first, SIGN_IN, '192.0.2.2']])).toEqual([200])
  time.monotonicMs += 59_000
  await store.replicas.beat({ ...BEAT, replicaId: 'first' })
  const refused = await second.inject({ method: 'POST', url: SIGN_IN, remoteAddress: '192.0.2.1', payload: {} })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
  time.monotonicMs += 1_000
  await store.replicas.beat({ ...BEAT, replicaId: 'first' })
  expect(await statuses([[second, SIGN_IN, '192.0.2.1']])).toEqual([200])
})

test('[SCALE25] tries of one account are counted over all replicas, in the time of the store', async () => {
  const store = createMemoryStore({ clock })
  await store.replicas.beat({ ...BEAT, replicaId: 'first' })
  const limits = { account: { max: 3, windowMs: 60_000 } }
  const [first, second] = [await replica(store, limits), await replica(store, limits)]
  const found: number[] = []
  for (let index = 0; index < 6; index += 1) {
    // The clock of a replica jumps; the time of the last beat does not.
    time.wallMs += index % 2 === 0 ? 300_000 : -300_000
    found.push(...(await statuses([[index % 2 === 0 ? first : second, SIGN_IN, `192.0.2.${index}`]])))
  }
  expect(found).toEqual([200, 200, 200, 429, 429, 429])
})

test('[SCALE25] requests of one address are divided among the replicas that are alive', async () => {
  const store = createMemoryStore({ clock })
  for (const replicaId of ['first', 'second', 'third']) await store.replicas.beat({ ...BEAT, replicaId })
  const limits = { api: { max: 10, windowMs: 60_000 } }
  const all = [await replica(store, limits), await replica(store, limits), await replica(store, limits)]
  const found: number[] = []
  for (let index = 0; index < 30; index += 1)
    found.push(...(await statuses([[all[index % 3] ?? fastify(), '/conversations', '192.0.2.1']])))
  expect(countOf(found, 200)).toBe(9)
  await store.replicas.leave('second')
  await store.replicas.leave('third')
  time.monotonicMs += 6_000
  const [first] = all
  if (!first) throw new Error('There are three')
  const more: number[] = []
  for (let index = 0; index < 30; index += 1) more.push(...(await statuses([[first, '/conversations', '192.0.2.9']])))
  expect(countOf(more, 200)).toBe(10)
})

test('[SCALE25] what is counted of windows that are over does not pile up', async () => {
  const store = createMemoryStore({ clock })
  await store.replicas.beat({ ...BEAT, replicaId: 'first' })
  const app = await replica(store, {})
  for (let round = 0; round < 4; round += 1) {
    for (let index = 0; index < 10; index += 1) await statuses([[app, SIGN_IN, `192.0.${round}.${index}`]])
    time.monotonicMs += 60_000
    await store.replicas.beat({ ...BEAT, replicaId: 'first' })
  }
  const changes = await store.records.changes(0, 1_000)
  expect(changes.filter(({ deleted }) => !deleted).length).toBeLessThan(30)
})
