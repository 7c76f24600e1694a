import type { Replica } from '@holdfast/conversation'
import type { ReplicaRow } from '@holdfast/protocol'

/** Every state that a replica can be in. */
export const REPLICA_STATES = ['alive', 'draining', 'gone'] as const satisfies readonly ReplicaRow['state'][]

/** How a replica is. */
export function replicaState({ isAlive, isDraining }: Pick<Replica, 'isAlive' | 'isDraining'>): ReplicaRow['state'] {
  if (!isAlive) return 'gone'
  return isDraining ? 'draining' : 'alive'
}
