import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { type Engine, readOverview } from '@holdfast/engine'
import { type BodyOf, type FinishHow, routes, type WorktreeRow } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import type { Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'

/** The worktrees of conversations on this machine. Everything throws {RefusedError} where it cannot be done. [WS8] */
export interface WorktreeDirectory {
  /** Those of one person; of all for null. */
  list(of: { readonly ownerId: string | null; readonly conversationId: string | null }): Promise<readonly WorktreeRow[]>
  /** Null for what is not there, or is another's than this person's; null asks for whoever's. */
  find(worktreeId: string, ownerId: string | null): WorktreeRow | null
  make(wish: {
    readonly conversationId: string
    readonly ownerId: string
    readonly workspaceId: string | undefined
    readonly title: string
  }): Promise<WorktreeRow>
  finish(asked: {
    readonly conversationId: string
    readonly commandId: string
    readonly how: FinishHow
    readonly title: string
  }): Promise<BodyOf<typeof routes.finishWorktree, 200>>
  restore(worktreeId: string): Promise<WorktreeRow>
  remove(worktreeId: string): Promise<WorktreeRow>
}

/** What the routes about worktrees need. */
export interface WorktreeRoutesDeps extends BindDeps {
  /** Null where none are made. */
  readonly worktrees: WorktreeDirectory | null
  readonly engine: Pick<Engine, 'changeSettings'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

const UNTITLED = 'Work of a conversation'

/** Serves the worktrees of conversations. [WS8, WS10] */
export function bindWorktrees({ worktrees, engine, store, ...deps }: WorktreeRoutesDeps): void {
  function kept(): WorktreeDirectory {
    if (worktrees) return worktrees
    throw new RefusedError(404, 'unknown-worktree', 'This server makes no worktrees')
  }

  /** @throws {RefusedError} where it is not there, or another's. */
  function own(worktreeId: string, { userId, role }: Principal): WorktreeRow {
    const found = kept().find(worktreeId, role === 'admin' ? null : userId)
    if (found) return found
    throw new RefusedError(404, 'unknown-worktree', `There is no worktree ${worktreeId}, or it is another person's`)
  }

  /** @throws {RefusedError} while something runs that may be changing files. */
  async function atRest(conversationId: string): Promise<{ readonly title: string; readonly workspaceId?: string }> {
    const { state } = await readOverview(store, conversationId)
    if (state.runState.exclusive !== null)
      throw new RefusedError(409, 'run-active', 'A reply is running in it; stop it or wait for its end')
    const { workspaceId } = state.settings
    return { title: state.title.text ?? UNTITLED, ...(workspaceId === undefined ? {} : { workspaceId }) }
  }

  bindRoute(deps, routes.listWorktrees, async ({ principal: { userId, role }, query, answer }) => {
    const of = { ownerId: role === 'admin' ? null : userId, conversationId: query.conversationId ?? null }
    return answer(200, { worktrees: worktrees ? [...(await worktrees.list(of))] : [] })
  })

  bindRoute(deps, routes.makeWorktree, async ({ params: { id }, body, userId, answer }) => {
    const { title, workspaceId } = await atRest(id)
    const wish = { conversationId: id, ownerId: userId, workspaceId, title: body.title ?? title }
    const row = await kept().make(wish)
    await engine.changeSettings({
      commandId: body.commandId,
      actor: { type: 'person', userId },
      conversationId: id,
      changes: { worktreeId: row.id },
    })
    return answer(200, row)
  })

  bindRoute(deps, routes.finishWorktree, async ({ params: { id }, body: { commandId, how, message }, answer }) => {
    const { title } = await atRest(id)
    return answer(200, await kept().finish({ conversationId: id, commandId, how, title: message ?? title }))
  })

  bindRoute(deps, routes.restoreWorktree, async ({ params: { worktreeId }, principal, answer }) =>
    answer(200, await kept().restore(own(worktreeId, principal).id)),
  )

  bindRoute(deps, routes.removeWorktree, async ({ params: { worktreeId }, principal, answer }) => {
    const { id, conversationId } = own(worktreeId, principal)
    await atRest(conversationId)
    return answer(200, await kept().remove(id))
  })
}
