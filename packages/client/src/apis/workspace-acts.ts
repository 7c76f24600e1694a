import { type BodyOf, type FinishHow, ownRoutes, type WorkspaceRow, type WorktreeRow } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** What a person sees of a folder of the server while choosing one. */
export type FolderListing = BodyOf<typeof ownRoutes.listFolders, 200>

/** What of a workspace is changed; what is absent stays. */
export type WorkspaceChange = Omit<z.input<(typeof ownRoutes)['changeWorkspace']['body']>, 'version'>

/** How the work in a worktree is ended. */
export interface FinishWish {
  readonly how: FinishHow
  readonly message: string | null
}

/** What was done. */
export type FinishedAnswer = BodyOf<typeof ownRoutes.finishWorktree, 200>

/** The folders that conversations may work in. Everything throws {RequestFailedError} when it is refused. */
export interface WorkspaceActs {
  /** Those that the person may use; read when somebody asks, and after every change made here. */
  readonly workspaces: RemoteValue<BodyOf<typeof ownRoutes.listWorkspaces, 200>>
  /** Opens a folder of the server, or finds the workspace that it is already. */
  openWorkspace(root: string): Promise<WorkspaceRow>
  /** Writes over the version that was read, and over no other. */
  changeWorkspace(read: Pick<WorkspaceRow, 'id' | 'version'>, change: WorkspaceChange): Promise<WorkspaceRow>
  closeWorkspace(workspaceId: string): Promise<void>
  /** The worktrees that the person may see, as they stand now; of one conversation, or with null of all. */
  listWorktrees(conversationId: string | null): Promise<readonly WorktreeRow[]>
  /** Makes the worktree of a conversation, which works in it from its next request on. Its branch is named after the title. */
  makeWorktree(conversationId: string, title: string | null): Promise<WorktreeRow>
  /** Ends the work in a conversation's worktree. `message`: of what is committed; null for the conversation's title. */
  finishWorktree(conversationId: string, wish: FinishWish): Promise<FinishedAnswer>
  restoreWorktree(worktreeId: string): Promise<WorktreeRow>
  /** What was not committed in it is kept. */
  removeWorktree(worktreeId: string): Promise<WorktreeRow>
  /** The folders in one; null for where a choice begins. */
  listFolders(path: string | null): Promise<FolderListing>
}

/** Makes them. */
export function createWorkspaceActs({
  ask,
  newId,
  tellLater,
}: {
  readonly ask: HttpApi
  readonly newId: () => string
  readonly tellLater: (tell: () => void) => void
}): WorkspaceActs {
  const { listWorkspaces } = ownRoutes
  const workspaces = createRemoteValue(() => ask(listWorkspaces, listWorkspaces.answers[200], {}), tellLater)
  return {
    workspaces,
    async openWorkspace(root) {
      const { openWorkspace: route } = ownRoutes
      const row = await ask(route, route.answers[200], { body: { root } })
      workspaces.load()
      return row
    },
    async changeWorkspace({ id, version }, change) {
      const { changeWorkspace: route } = ownRoutes
      const row = await ask(route, route.answers[200], { params: { workspaceId: id }, body: { ...change, version } })
      workspaces.load()
      return row
    },
    async closeWorkspace(workspaceId) {
      const { closeWorkspace: route } = ownRoutes
      await ask(route, route.answers[200], { params: { workspaceId } })
      workspaces.load()
    },
    async listWorktrees(conversationId) {
      const { listWorktrees: route } = ownRoutes
      const query = conversationId === null ? {} : { conversationId }
      return (await ask(route, route.answers[200], { query })).worktrees
    },
    makeWorktree(id, title) {
      const { makeWorktree: route } = ownRoutes
      const body = { commandId: newId(), ...(title === null ? {} : { title }) }
      return ask(route, route.answers[200], { params: { id }, body })
    },
    finishWorktree(id, { how, message }) {
      const { finishWorktree: route } = ownRoutes
      const body = { commandId: newId(), how, ...(message === null ? {} : { message }) }
      return ask(route, route.answers[200], { params: { id }, body })
    },
    restoreWorktree(worktreeId) {
      const { restoreWorktree: route } = ownRoutes
      return ask(route, route.answers[200], { params: { worktreeId } })
    },
    removeWorktree(worktreeId) {
      const { removeWorktree: route } = ownRoutes
      return ask(route, route.answers[200], { params: { worktreeId } })
    },
    listFolders(path) {
      const { listFolders: route } = ownRoutes
      return ask(route, route.answers[200], { query: path === null ? {} : { path } })
    },
  }
}
