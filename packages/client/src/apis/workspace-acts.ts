import { type BodyOf, routes, type WorkspaceRow } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createRemoteValue, type RemoteValue } from '../values/remote-value.ts'

/** What a person sees of a folder of the server while choosing one. */
export type FolderListing = BodyOf<typeof routes.listFolders, 200>

/** What of a workspace is changed; what is absent stays. */
export type WorkspaceChange = Omit<z.input<(typeof routes)['changeWorkspace']['body']>, 'version'>

/** The folders that conversations may work in. Everything throws {RequestFailedError} when it is refused. */
export interface WorkspaceActs {
  /** Those that the person may use; read when somebody asks, and after every change made here. */
  readonly workspaces: RemoteValue<BodyOf<typeof routes.listWorkspaces, 200>>
  /** Opens a folder of the server, or finds the workspace that it is already. */
  openWorkspace(root: string): Promise<WorkspaceRow>
  /** Writes over the version that was read, and over no other. */
  changeWorkspace(read: Pick<WorkspaceRow, 'id' | 'version'>, change: WorkspaceChange): Promise<WorkspaceRow>
  closeWorkspace(workspaceId: string): Promise<void>
  /** The folders in one; null for where a choice begins. */
  listFolders(path: string | null): Promise<FolderListing>
}

/** Makes them. */
export function createWorkspaceActs({
  ask,
  tellLater,
}: {
  readonly ask: HttpApi
  readonly tellLater: (tell: () => void) => void
}): WorkspaceActs {
  const { listWorkspaces } = routes
  const workspaces = createRemoteValue(() => ask(listWorkspaces, listWorkspaces.answers[200], {}), tellLater)
  return {
    workspaces,
    async openWorkspace(root) {
      const { openWorkspace: route } = routes
      const row = await ask(route, route.answers[200], { body: { root } })
      workspaces.load()
      return row
    },
    async changeWorkspace({ id, version }, change) {
      const { changeWorkspace: route } = routes
      const row = await ask(route, route.answers[200], { params: { workspaceId: id }, body: { ...change, version } })
      workspaces.load()
      return row
    },
    async closeWorkspace(workspaceId) {
      const { closeWorkspace: route } = routes
      await ask(route, route.answers[200], { params: { workspaceId } })
      workspaces.load()
    },
    listFolders(path) {
      const { listFolders: route } = routes
      return ask(route, route.answers[200], { query: path === null ? {} : { path } })
    },
  }
}
