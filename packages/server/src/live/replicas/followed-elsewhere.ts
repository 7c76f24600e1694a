import type { Clock } from '@holdfast/conversation'

/** Which conversations are followed at which other replicas, as those have said. What is not said again runs out. [SCALE10] */
export interface FollowedElsewhere {
  /** The replicas that follow it. */
  replicasOf(conversationId: string): ReadonlySet<string>
  follows(replicaId: string, conversationIds: readonly string[]): void
  /** The replica follows these and no others. */
  followsOnly(replicaId: string, conversationIds: readonly string[]): void
  unfollows(replicaId: string, conversationIds: readonly string[]): void
  /** Forgets what has run out. */
  sweep(): void
}

/** What a replica said of itself, with the time until which it holds, by the monotonic clock. */
interface Said {
  readonly conversationIds: Set<string>
  until: number
}

const NOBODY: ReadonlySet<string> = new Set()

/** Makes the table; a replica that says nothing for `holdsMs` milliseconds follows nothing. */
export function createFollowedElsewhere(clock: Pick<Clock, 'monotonicMs'>, holdsMs: number): FollowedElsewhere {
  const saidBy = new Map<string, Said>()
  const followers = new Map<string, Set<string>>()

  function renewed(replicaId: string): Said {
    const said = saidBy.get(replicaId) ?? { conversationIds: new Set<string>(), until: 0 }
    said.until = clock.monotonicMs() + holdsMs
    saidBy.set(replicaId, said)
    return said
  }

  function add(replicaId: string, conversationIds: readonly string[]): void {
    const said = renewed(replicaId)
    for (const id of conversationIds) {
      said.conversationIds.add(id)
      const own = followers.get(id) ?? new Set()
      own.add(replicaId)
      followers.set(id, own)
    }
  }

  function remove(replicaId: string, conversationIds: Iterable<string>): void {
    const said = saidBy.get(replicaId)
    for (const id of conversationIds) {
      said?.conversationIds.delete(id)
      const own = followers.get(id)
      own?.delete(replicaId)
      if (own?.size === 0) followers.delete(id)
    }
  }

  return {
    replicasOf: (conversationId) => followers.get(conversationId) ?? NOBODY,
    follows: add,
    followsOnly(replicaId, conversationIds) {
      const kept = new Set(conversationIds)
      const known = saidBy.get(replicaId)?.conversationIds ?? []
      remove(
        replicaId,
        [...known].filter((id) => !kept.has(id)),
      )
      add(replicaId, conversationIds)
    },
    unfollows: remove,
    sweep() {
      const now = clock.monotonicMs()
      for (const [replicaId, { until, conversationIds }] of saidBy) {
        if (until > now) continue
        remove(replicaId, [...conversationIds])
        saidBy.delete(replicaId)
      }
    },
  }
}
