import type { PermissionGuard } from '../entries/tool-entries.ts'
import type { Json } from '../json.ts'
import type { Projection } from '../projection.ts'

/** A call that waits for a person. */
export interface PendingPermission {
  readonly requestId: string
  readonly seq: number
  readonly at: number
  readonly runId: string
  readonly callId: string
  readonly userId: string
  readonly tool: string
  readonly input: Json
  readonly reason: string
  /** What asks, in the order of PERM1. */
  readonly source: string
  /** Which guard asks; absent where none does. */
  readonly guard?: PermissionGuard
  /** Names what the input only names; the reason says in words what that is. Absent where the input says it all. */
  readonly pinned?: string
}

/** The requests for permission that nobody has answered, oldest first. [PERM3] */
export const pendingPermissions: Projection<readonly PendingPermission[]> = {
  name: 'pending-permissions',
  version: 3,
  initial: [],
  reduce(state, entries) {
    const pending = new Map(state.map((request) => [request.requestId, request]))
    let changed = false
    for (const entry of entries) {
      if (entry.type === 'permission-requested') {
        const { requestId, seq, at, runId, callId, userId, tool, input, reason, source, guard, pinned } = entry
        const request = { requestId, seq, at, runId, callId, userId, tool, input, reason, source }
        pending.set(requestId, {
          ...request,
          ...(guard === undefined ? {} : { guard }),
          ...(pinned === undefined ? {} : { pinned }),
        })
        changed = true
      }
      if (entry.type === 'permission-settled') changed = pending.delete(entry.requestId) || changed
      if (entry.type === 'body-erased') changed = pending.delete(entry.of.requestId ?? '') || changed
    }
    return changed ? [...pending.values()] : state
  },
}
