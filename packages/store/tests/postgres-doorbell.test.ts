import type { Doorbell, Ring } from '@holdfast/conversation'
import { afterEach, describe, expect, it } from 'vitest'
import { startPooler } from './support/pgbouncer.ts'
import { createTestDatabase, type TestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Heard {
  readonly doorbell: Doorbell
  readonly rings: Ring[]
  /** What was said of whether it is heard, in order. */
  readonly changes: (string | null)[]
  missed(): number
}

/** One replica on a database, which listens at an address. */
async function openReplica(replicaId: string, at: string, listenTo: string): Promise<Heard> {
  const opened = await openOn({ connectionString: at })
  const rings: Ring[] = []
  const changes: (string | null)[] = []
  let missed = 0
  const doorbell = opened.openDoorbell(
    { replicaId, listenTo },
    {
      onRing: (ring) => void rings.push(ring),
      onMissed: () => {
        missed += 1
      },
      onChange: ({ isHeard, reason }) => void changes.push(isHeard ? 'heard' : reason),
    },
  )
  closing.push(opened.close, () => doorbell.close())
  return { doorbell, rings, changes, missed: () => missed }
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  return database
}

const grown = (conversationId: string, head: number): Ring => ({ type: 'grown', conversationId, head })

describe('the doorbell of replicas on PostgreSQL', () => {
  it('[SCALE11] tells the others what was rung, joined, and not whoever rang', async () => {
    const { connectionString } = await newDatabase()
    const [one, other, third] = await Promise.all(
      ['run_1', 'run_2', 'run_3'].map((id) => openReplica(id, connectionString, connectionString)),
    )
    if (!one || !other || !third) throw new Error('There are three')
    await expect.poll(() => [one, other, third].every(({ doorbell }) => doorbell.isHeard())).toBe(true)
    for (let head = 1; head <= 500; head += 1) one.doorbell.ring(grown('a', head))
    one.doorbell.ring({ type: 'draft-kept', conversationId: 'b' })
    const rung = [grown('a', 500), { type: 'draft-kept', conversationId: 'b' }]
    await expect.poll(() => other.rings).toEqual(rung)
    await expect.poll(() => third.rings).toEqual(rung)
    other.doorbell.ring(grown('c', 1))
    await expect.poll(() => one.rings).toEqual([grown('c', 1)])
    expect(other.changes).toEqual(['heard'])
  })

  it('[SCALE11] is not heard while its session is gone, says so once, and comes back by itself', async () => {
    const database = await newDatabase()
    const { connectionString } = database
    const one = await openReplica('run_1', connectionString, connectionString)
    const other = await openReplica('run_2', connectionString, connectionString)
    await expect.poll(() => one.doorbell.isHeard() && other.doorbell.isHeard()).toBe(true)
    await database.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdfast doorbell'`,
    )
    await expect.poll(() => other.doorbell.isHeard()).toBe(false)
    await expect.poll(() => other.doorbell.isHeard()).toBe(true)
    expect(other.changes).toEqual(['heard', expect.stringContaining('terminat'), 'heard'])
    expect(other.missed()).toBe(2)
    one.doorbell.ring(grown('a', 2))
    await expect.poll(() => other.rings).toEqual([grown('a', 2)])
  })

  it('[SCALE14] knows that a pooler in transaction mode passes nothing on, and is heard at the direct address', async () => {
    const { connectionString } = await newDatabase()
    const pooler = await startPooler(connectionString)
    closing.push(pooler.stop)
    const one = await openReplica('run_1', pooler.connectionString, pooler.connectionString)
    const other = await openReplica('run_2', pooler.connectionString, connectionString)
    await expect.poll(() => other.doorbell.isHeard()).toBe(true)
    await expect.poll(() => one.changes).toEqual([expect.stringContaining('pooler in transaction mode')])
    expect(one.doorbell.isHeard()).toBe(false)
    one.doorbell.ring(grown('a', 3))
    await expect.poll(() => other.rings).toContainEqual(grown('a', 3))
  })
})
