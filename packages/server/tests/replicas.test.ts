import { type ReplicaBeat, StoreReadError } from '@holdfast/conversation'
import { createMetrics } from '@holdfast/server'
import { createMemoryStore } from '@holdfast/store/memory'
import { afterEach, expect, test } from 'vitest'
import { realClock } from './support/real-ports.ts'
import { type Served, serve } from './support/serve.ts'

const LONG_MS = 3_600_000

const open: Served[] = []

afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})

async function served(options: Omit<Parameters<typeof serve>[0], 'webRoot'>): Promise<Served> {
  const started = await serve({ webRoot: null, ...options })
  open.push(started)
  return started
}

function beatOf(replicaId: string, ttlMs: number): ReplicaBeat {
  return { replicaId, host: 'machine', pid: 7, version: '1.2.3', url: 'http://127.0.0.1:4747', ttlMs }
}

/** A store with one replica that works, one that drains, and one that is gone and held something. */
async function storeOfThree() {
  const { store, records, replicas } = createMemoryStore({ clock: realClock })
  for (const id of ['first', 'second', 'third']) await replicas.beat(beatOf(id, LONG_MS))
  for (const conversationId of ['a', 'b']) await store.acquireLease({ conversationId, holder: 'first', ttlMs: 0 })
  await store.acquireLease({ conversationId: 'c', holder: 'third', ttlMs: 0 })
  await replicas.drain({ replicaId: 'second', ttlMs: LONG_MS })
  await replicas.beat(beatOf('third', 0))
  return { store, records, replicas }
}

test('[SCALE7] lists the replicas of the database, and which conversations each of them has', async () => {
  const { store, records, replicas } = await storeOfThree()
  const { call } = await served({ openStore: async () => ({ store, records }), replicas })
  const known = { host: 'machine', pid: 7, version: '1.2.3', url: 'http://127.0.0.1:4747', isThis: false }
  expect(await call('GET', '/api/v1/replicas')).toMatchObject({
    status: 200,
    body: {
      replicas: [
        { ...known, id: 'first', state: 'alive', conversationCount: 2, conversationIds: ['a', 'b'] },
        { ...known, id: 'second', state: 'draining', conversationCount: 0, conversationIds: [] },
        { ...known, id: 'third', state: 'gone', conversationCount: 1, conversationIds: ['c'] },
      ],
    },
  })
  expect(await call('GET', '/api/v1/replicas?conversations=1')).toMatchObject({
    body: { replicas: [{ conversationCount: 2, conversationIds: ['a'] }, {}, {}] },
  })
})

test('[SCALE7] lists none where the server has its store alone', async () => {
  const { call } = await served({})
  expect(await call('GET', '/api/v1/replicas')).toMatchObject({ status: 200, body: { replicas: [] } })
})

test('[SCALE7] counts the replicas by state in the metrics, and says nothing of them while the store cannot be read', async () => {
  const { replicas } = await storeOfThree()
  let isFailing = false
  const metrics = createMetrics({ ofProcess: false, clock: realClock })
  metrics.watchReplicas({
    async listReplicas() {
      if (isFailing) throw new StoreReadError('The database does not answer')
      return replicas.listReplicas()
    },
  })
  const lines = async () =>
    (await metrics.text({ openRunCount: 0 })).text.split('\n').filter((line) => /^holdfast_(repl|conv)/.test(line))
  expect(await lines()).toEqual([
    'holdfast_replicas{state="alive"} 1',
    'holdfast_replicas{state="draining"} 1',
    'holdfast_replicas{state="gone"} 1',
    'holdfast_conversations_held{state="alive"} 2',
    'holdfast_conversations_held{state="draining"} 0',
    'holdfast_conversations_held{state="gone"} 1',
  ])
  isFailing = true
  expect(await lines()).toEqual([])
})
