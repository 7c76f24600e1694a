import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { routes, toOpenQuestion, toPermissionRequest, toPermissionRule } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'

/** What the routes about what waits for a person need. */
export interface WaitingRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** Serves what waits for a person in a conversation: requests for permission and questions. */
export function bindWaiting({ store, ...deps }: WaitingRoutesDeps): void {
  bindRoute(deps, routes.listPermissions, async ({ params: { id }, answer }) => {
    const { pendingPermissions, permissionRules } = (await readOverview(store, id)).state
    return answer(200, {
      requests: pendingPermissions.map(toPermissionRequest),
      rules: permissionRules.map(toPermissionRule),
    })
  })

  bindRoute(deps, routes.listQuestions, async ({ params: { id }, answer }) => {
    const { pendingQuestions } = (await readOverview(store, id)).state
    return answer(200, { questions: pendingQuestions.map(toOpenQuestion) })
  })
}
