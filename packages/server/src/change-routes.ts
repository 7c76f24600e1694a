import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { routes, toOpenQuestion, toPermissionRequest, toPermissionRule } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from './bind-route.ts'
import type { ChangeCommand, Commands } from './commands.ts'

/** What the routes that change a conversation need. */
export interface ChangeRoutesDeps extends BindDeps {
  readonly commands: Commands
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** Serves the queue and the permissions of a conversation. */
export function bindChanges({ commands, store, ...deps }: ChangeRoutesDeps): void {
  async function change(userId: string, asked: ChangeCommand) {
    const { conversationId, head } = await commands.change(userId, asked)
    return { conversationId, seq: head }
  }

  bindRoute(deps, routes.changeInput, async ({ params: { id, inputId }, body, userId, answer }) => {
    const command = { type: 'command', name: 'change-input', conversationId: id, inputId, ...body } as const
    return answer(200, await change(userId, command))
  })

  bindRoute(deps, routes.removeInput, async ({ params: { id, inputId }, query, userId, answer }) => {
    const command = { type: 'command', name: 'remove-input', conversationId: id, inputId, ...query } as const
    return answer(200, await change(userId, command))
  })

  bindRoute(deps, routes.sendInputNow, async ({ params: { id, inputId }, body, userId, answer }) => {
    const command = { type: 'command', name: 'send-input-now', conversationId: id, inputId, ...body } as const
    return answer(200, await change(userId, command))
  })

  bindRoute(deps, routes.holdQueue, async ({ params: { id }, body, userId, answer }) =>
    answer(200, await change(userId, { type: 'command', name: 'hold-queue', conversationId: id, ...body })),
  )

  bindRoute(deps, routes.releaseQueue, async ({ params: { id }, body, userId, answer }) =>
    answer(200, await change(userId, { type: 'command', name: 'release-queue', conversationId: id, ...body })),
  )

  bindRoute(deps, routes.listPermissions, async ({ params: { id }, answer }) => {
    const { pendingPermissions, permissionRules } = (await readOverview(store, id)).state
    return answer(200, {
      requests: pendingPermissions.map(toPermissionRequest),
      rules: permissionRules.map(toPermissionRule),
    })
  })

  bindRoute(deps, routes.answerPermission, async ({ params: { id, requestId }, body, userId, answer }) =>
    answer(200, await commands.answerPermission(userId, { conversationId: id, requestId, ...body })),
  )

  bindRoute(deps, routes.listQuestions, async ({ params: { id }, answer }) => {
    const { pendingQuestions } = (await readOverview(store, id)).state
    return answer(200, { questions: pendingQuestions.map(toOpenQuestion) })
  })

  bindRoute(deps, routes.answerQuestion, async ({ params: { id, questionId }, body, userId, answer }) =>
    answer(200, await commands.answerQuestion(userId, { conversationId: id, questionId, ...body })),
  )

  bindRoute(deps, routes.revokeRule, async ({ params: { id, ruleId }, query, userId, answer }) => {
    const command = { type: 'command', name: 'revoke-rule', conversationId: id, ruleId, ...query } as const
    return answer(200, await change(userId, command))
  })
}
