import { createHash } from 'node:crypto'
import {
  type Clock,
  type Records,
  type ReplicaStore,
  RevisionConflictError,
  StoreReadError,
} from '@holdfast/conversation'
import * as z from 'zod'

/** What several replicas on one store count together. [SCALE25] */
export interface SharedTries {
  /** Counts a try of who is named. @returns how many there were in its window, and how long that still lasts. */
  count(
    name: string,
    window: { readonly windowMs: number },
  ): Promise<{ readonly count: number; readonly waitMs: number }>
}

/** The tries of one name, and the end of their window by the store's clock. */
const Tries = z.object({ count: z.number(), until: z.number() })

const TRIES = { kind: 'tries', schema: Tries } as const

const OWNER_ID = 'installation'

/** Records of windows that are over are removed with a new one, at most so many. */
const SWEPT = 20

/** Another replica counts at the same moment at most as often; who cannot be counted has tried too much. */
const ATTEMPTS = 20

/** Counts in the records of the store, one for each name, in the time of the store. */
export function createSharedTries(records: Records, replicas: ReplicaStore): SharedTries {
  async function sweep(now: number, afterId: string): Promise<void> {
    const around = await records.list(TRIES, { ownerId: OWNER_ID, limit: SWEPT, afterId })
    for (const { id, revision, value } of around)
      if (value.until <= now) await records.remove(TRIES, { ownerId: OWNER_ID, id, revision }).catch(ofAnother)
  }

  return {
    async count(name, { windowMs }) {
      const now = await storeTime(replicas)
      const id = createHash('sha256').update(name).digest('hex')
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const known = await records.get(TRIES, { ownerId: OWNER_ID, id })
        const value =
          known && known.value.until > now
            ? { ...known.value, count: known.value.count + 1 }
            : { count: 1, until: now + windowMs }
        const written = await records
          .put(TRIES, { ownerId: OWNER_ID, id, revision: known?.revision ?? 0, value, at: now })
          .catch(ofAnother)
        if (!written) continue
        if (known === null) await sweep(now, id)
        return { count: value.count, waitMs: value.until - now }
      }
      return { count: Number.POSITIVE_INFINITY, waitMs: windowMs }
    },
  }
}

/** So long a count of replicas is good, in milliseconds. */
const COUNTED_MS = 5_000

/**
 * Tells how many replicas are alive: at least this one. It is asked of the store by who has not known it for a while;
 * where the store cannot be read, what was known last holds. [SCALE31]
 */
export function createReplicaCount(replicas: ReplicaStore, clock: Pick<Clock, 'monotonicMs'>): () => Promise<number> {
  let known: { readonly at: number; readonly count: Promise<number> } | null = null
  return () => {
    const now = clock.monotonicMs()
    if (known === null || now - known.at > COUNTED_MS)
      known = { at: now, count: aliveCount(replicas, known?.count ?? Promise.resolve(1)) }
    return known.count
  }
}

async function aliveCount(replicas: ReplicaStore, before: Promise<number>): Promise<number> {
  try {
    return Math.max(1, (await replicas.listReplicas()).filter(({ isAlive }) => isAlive).length)
  } catch (error) {
    if (error instanceof StoreReadError) return before
    throw error
  }
}

/** The time of the last beat: replicas whose clocks differ count in the same windows. */
async function storeTime(replicas: ReplicaStore): Promise<number> {
  return Math.max(0, ...(await replicas.listReplicas()).map(({ beatAt }) => beatAt))
}

function ofAnother(error: unknown): null {
  if (error instanceof RevisionConflictError) return null
  throw error
}
