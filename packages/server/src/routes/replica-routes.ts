import type { Replica, ReplicaStore } from '@holdfast/conversation'
import { type ReplicaRow, routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { replicaState } from '../parts/replica-state.ts'

/** What the route about replicas needs. */
export interface ReplicaRoutesDeps extends BindDeps {
  /** Null where this server has its store alone. */
  readonly replicas: Pick<ReplicaStore, 'listReplicas' | 'leasesOf'> | null
  /** The replica that answers. */
  readonly serverId: string
}

/** Serves which servers work on the database, and what each of them has. [SCALE7] */
export function bindReplicas({ replicas, serverId, ...deps }: ReplicaRoutesDeps): void {
  bindRoute(deps, routes.listReplicas, async ({ query, answer }) => {
    if (replicas === null) return answer(200, { replicas: [] })
    const all = await replicas.listReplicas()
    const rows = await Promise.all(all.map((replica) => rowOf(replica, query.conversations)))
    return answer(200, { replicas: rows })
  })

  async function rowOf(replica: Replica, limit: number): Promise<ReplicaRow> {
    const { replicaId, host, pid, version, url, startedAt, beatAt, leaseCount } = replica
    const leases = leaseCount === 0 ? [] : ((await replicas?.leasesOf({ replicaId, limit })) ?? [])
    return {
      id: replicaId,
      host,
      pid,
      version,
      url,
      isThis: replicaId === serverId,
      state: replicaState(replica),
      startedAt,
      beatAt,
      conversationCount: leaseCount,
      conversationIds: leases.map(({ conversationId }) => conversationId),
    }
  }
}
