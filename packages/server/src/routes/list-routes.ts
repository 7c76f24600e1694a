import type { EntryStore, ListQuery } from '@holdfast/conversation'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Imports } from '../imports/imports.ts'
import type { Desks } from '../parts/desks.ts'
import { rowOf } from '../parts/row-of.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'

/** What the conversation list is read from. */
export interface ListRoutesDeps extends BindDeps {
  readonly store: Pick<EntryStore, 'listConversations'>
  readonly commands: Pick<UserCommands, 'owned'>
  readonly desks: Pick<Desks, 'readMark'>
  /** What an import has not finished is not listed; null where nothing is imported. */
  readonly imports: Pick<Imports, 'isHidden'> | null
}

/** Serves the rows of the conversation list. */
export function bindConversationList({ store, commands, desks, imports, ...deps }: ListRoutesDeps): void {
  bindRoute(deps, routes.listConversations, async ({ query: { before, limit, archived }, userId, answer }) => {
    const rows = await store.listConversations({
      ownerId: userId,
      archived,
      limit,
      ...(before === undefined ? {} : { before: toListCursor(before) }),
    })
    const last = rows.length === limit ? rows.at(-1) : undefined
    return answer(200, {
      conversations: await Promise.all(
        rows.filter((row) => !imports?.isHidden(row.conversationId)).map((row) => rowOf(desks, row)),
      ),
      next: last ? `${last.updatedAt}_${last.conversationId}` : null,
    })
  })

  bindRoute(deps, routes.readConversation, async ({ params, userId, answer }) =>
    answer(200, await rowOf(desks, await commands.owned(userId, params.id))),
  )
}

/** The cursor of a list page: when the last row changed, and which it is. */
function toListCursor(text: string): NonNullable<ListQuery['before']> {
  const [, updatedAt, conversationId] = /^(\d{1,16})_(.+)$/.exec(text) ?? []
  if (updatedAt === undefined || conversationId === undefined) {
    throw new RefusedError(400, 'bad-request', 'before is the next of an earlier page')
  }
  return { updatedAt: Number(updatedAt), conversationId }
}
