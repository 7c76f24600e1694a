import type { Clock, ReplicaStore } from '@holdfast/conversation'
import type { Beats } from '../../../src/api/beats.ts'
import { createOwnReplica, type OwnReplica } from '../../../src/process/own-replica.ts'
import type { World } from '../world.ts'

/** How replicas beat and drain, in milliseconds: as the program has them by itself. */
export const TIMES = { beatMs: 1_000, expiryMs: 3_000, drainMs: 10_000, closingMs: 10_000 } as const

/** A replica among those that beat. */
export interface BeatingReplica {
  readonly own: OwnReplica
  /** What its engine is told. */
  readonly beats: Beats
}

/** What runs in a replica for a conversation: a tool, or an answer of a model. */
export interface AtWork {
  readonly conversationId: string
  readonly name: string
  /** Fires when it is to end. */
  readonly signal: AbortSignal
}

/** What it is made of. */
export interface BeatingParts {
  readonly name: string
  readonly replicas: ReplicaStore
  readonly clock: Clock
  readonly atWork: () => readonly AtWork[]
  readonly onFault: (error: unknown) => void
}

/** Makes the beats of a replica, and sees that it ends what others have taken from it. [SCALE5] */
export function createBeatingReplica(world: World, parts: BeatingParts): BeatingReplica {
  const { name, clock, atWork, onFault } = parts
  const { planted } = world.parts
  const replicas = planted?.replicas ? planted.replicas(parts.replicas) : parts.replicas
  /** What ran for others when the last whole beat began: it has heard of its end by the next one. */
  let taken: readonly AtWork[] = []
  let isWhole = false
  let isLeaving = false

  function worksForOthers(): readonly AtWork[] {
    const { durable } = world.machine()
    return atWork().filter(({ conversationId, signal }) => {
      const found = durable.lease(conversationId)
      return found !== null && found.lease.holder !== name && !signal.aborted
    })
  }

  function seeEnded(works: readonly AtWork[]): void {
    const still = new Set(atWork())
    for (const work of works)
      if (still.has(work) && !work.signal.aborted && !isLeaving)
        world.violate(
          'SCALE5',
          `${name} has beaten, and ${work.name} works on for ${work.conversationId}, which another has`,
        )
  }

  const own = createOwnReplica({
    replicas: {
      ...replicas,
      async beat(beat) {
        if (isWhole) seeEnded(taken)
        taken = worksForOthers()
        isWhole = false
        const answer = await replicas.beat(beat)
        isWhole = true
        return answer
      },
      async leasesOf(query) {
        isWhole = false
        const asked = worksForOthers()
        const leases = await replicas.leasesOf(query)
        isWhole = true
        world.whenSettled(() => seeEnded(asked))
        return leases
      },
      async drain(request) {
        isLeaving = true
        world.owners.leaves(name)
        await replicas.drain(request)
      },
      async leave(replicaId) {
        isLeaving = true
        world.owners.leaves(name)
        await replicas.leave(replicaId)
      },
    },
    clock,
    beatMs: TIMES.beatMs,
    expiryMs: TIMES.expiryMs,
    self: () => ({ replicaId: name, host: name, pid: 1, version: '1.0.0', url: null }),
    onFault,
  })
  return { own, beats: planted?.beats ? planted.beats(own) : own }
}
