import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { type Engine, readOverview } from '@holdfast/engine'
import { RefusedError } from '../parts/to-problem.ts'
import type { WorktreeWish } from '../parts/worktree-wish.ts'
import type { WorktreeDirectory } from './worktree-routes.ts'

/** What it is made with. */
export interface WorkInWorktreeDeps {
  readonly worktrees?: WorktreeDirectory
  readonly engine: Pick<Engine, 'changeSettings' | 'deleteConversation'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/**
 * Makes the worktree of a conversation that begins. One whose worktree cannot be made is not kept. Asked again, it finds the
 * worktree that is there. [WS7]
 *
 * @throws {RefusedError}
 */
export function createWorkInWorktree({ worktrees, engine, store }: WorkInWorktreeDeps) {
  return async ({ commandId, conversationId, userId, actor, title }: WorktreeWish): Promise<void> => {
    const { settings } = (await readOverview(store, conversationId)).state
    const { workspaceId, worktreeId } = settings
    if (worktreeId !== undefined) return
    try {
      if (!worktrees) throw new RefusedError(409, 'worktree-refused', 'This server makes no worktrees')
      const wish = { conversationId, ownerId: userId, workspaceId, title: title ?? 'Work of a conversation' }
      const row = await worktrees.make(wish)
      const changes = { worktreeId: row.id }
      await engine.changeSettings({ commandId: `${commandId}:worktree`, actor, conversationId, changes })
    } catch (error) {
      if (error instanceof RefusedError) await engine.deleteConversation(conversationId)
      throw error
    }
  }
}
