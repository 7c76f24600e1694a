import { hostname } from 'node:os'
import {
  type BeatAnswer,
  type Clock,
  type ReplicaBeat,
  type ReplicaStore,
  StoreOpenError,
} from '@holdfast/conversation'
import { createOwnReplica, type Engine, type OwnReplica } from '@holdfast/engine'
import type { Diagnostics } from '@holdfast/server'
import { VERSION } from '../version.ts'
import type { ReplicaTimes } from './replica-times.ts'

/** Longer than a server takes to close when its drain has ended: until then nobody else takes what it still writes. */
const CLOSING_MS = 10_000

/** This process as one of several on a database. */
export interface Replica {
  readonly beats: OwnReplica
  /** Resolves when a newer Holdfast has changed the database so that this server cannot go on. [SCALE30] */
  readonly outdated: Promise<void>
  start(): Promise<void>
  /** Waits for what runs here, not longer than the drain may last, while others take what waits. [SCALE6] */
  drain(engine: Pick<Engine, 'drain'>): Promise<void>
  leave(): Promise<void>
}

/** What it needs. */
export interface ReplicaDeps {
  readonly replicas: ReplicaStore
  /** The holder of its leases. */
  readonly replicaId: string
  readonly clock: Clock
  readonly log: Pick<Diagnostics, 'warn' | 'error'>
  readonly times: ReplicaTimes
  /** Where it listens; empty while it does not. */
  readonly url: () => string
}

/** Makes the replica of this process. That the database does not answer keeps no server from ending. */
export function createReplica({ replicas, replicaId, clock, log, times, url }: ReplicaDeps): Replica {
  const host = hostname()
  const outdated = Promise.withResolvers<void>()
  async function beat(own: ReplicaBeat): Promise<BeatAnswer> {
    try {
      return await replicas.beat(own)
    } catch (error) {
      if (isOutdated(error)) outdated.resolve()
      throw error
    }
  }
  const beats = createOwnReplica({
    replicas: { ...replicas, beat },
    clock,
    ...times,
    self: () => ({ replicaId, host, pid: process.pid, version: VERSION, url: url() || null }),
    onFault: (error) => log.warn('the database did not take a beat of this server; it is tried again', { error }),
  })
  return {
    beats,
    outdated: outdated.promise,
    start: beats.start,
    async drain(engine) {
      await beats
        .drain(times.drainMs + CLOSING_MS)
        .catch((error: unknown) => log.error('the database was not told that this server ends', { error }))
      const limit = Promise.withResolvers<void>()
      const cancel = clock.after(times.drainMs, limit.resolve)
      await Promise.race([engine.drain(), limit.promise])
      cancel()
    },
    leave: () =>
      beats
        .leave()
        .catch((error: unknown) => log.error('the database was not told that this server has ended', { error })),
  }
}

function isOutdated(error: unknown): boolean {
  if (error instanceof StoreOpenError) return error.code === 'newer-version'
  return error instanceof Error && isOutdated(error.cause)
}
