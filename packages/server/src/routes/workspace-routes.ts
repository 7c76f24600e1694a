import { noteTokens } from '@holdfast/context'
import type { EntryStore, SnapshotStore } from '@holdfast/conversation'
import { type PlaceQuery, readOverview } from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import type * as z from 'zod'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import type { WorkspaceDirectory } from '../workspaces/workspace-directory.ts'
import type { WorkspaceFiles } from './workspace-file-routes.ts'
import type { WorktreeDirectory } from './worktree-routes.ts'

/** A look into the folder that a conversation may use. Nothing outside of it is seen, by whatever links. [WS1] */
export interface WorkspaceReader {
  /** Null where there is none, or it is not allowed. */
  folderOf(query: PlaceQuery): string | null
  /** Paths of files that hold the words, the nearest first. */
  find(query: PlaceQuery & { readonly words: string }): Promise<readonly string[]>
  /** What is where in it; null where there is no folder, or it could not be drawn in time. [MAP1] */
  mapOf(wish: MapWish, signal: AbortSignal): Promise<SeenMap | null>
  /** The text of a file; null where there is none, or it is no text or a long one. */
  textOf(query: PlaceQuery & { readonly path: string }): Promise<string | null>
}

/** A map that a person wants to see. */
export interface MapWish {
  readonly reader: { readonly conversationId: string; readonly ownerId: string }
  readonly settings: PlaceQuery['settings']
  /** What it is to be about; may be empty. */
  readonly focus: string
  readonly budgetTokens: number
  readonly tokensOf: (text: string) => number
  /** From 1. */
  readonly page: number
}

/** A map as a person sees it. */
type SeenMap = NonNullable<z.infer<(typeof routes)['readMap']['answers'][200]>['map']>

/** Tokens of a page of the map that a person sees, estimated. */
const MAP_TOKENS = 4_000

/** Where agents have no folder. */
const NO_WORKSPACE: WorkspaceReader = {
  folderOf: () => null,
  find: async () => [],
  mapOf: async () => null,
  textOf: async () => null,
}

/** What a server knows of workspaces. */
export interface WorkspaceParts {
  /** Looks into the folders that agents may use; absent where there are none. */
  readonly workspaces?: WorkspaceReader
  /** The workspaces that people may choose; without it none are kept. */
  readonly workspaceDirectory?: WorkspaceDirectory
  /** Their files, for people; absent where there are none. */
  readonly workspaceFiles?: WorkspaceFiles
  /** The worktrees of conversations; without it none are made. */
  readonly worktrees?: WorktreeDirectory
}

/** What the routes about a workspace need. */
export interface WorkspaceRoutesDeps extends BindDeps, WorkspaceParts {
  readonly commands: Pick<UserCommands, 'owned'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** Serves the workspaces and what a person sees of one: files to name, and a file as it is before a call changes it. */
export function bindWorkspace({
  commands,
  store,
  workspaces,
  workspaceDirectory: directory,
  ...deps
}: WorkspaceRoutesDeps): void {
  const reader = workspaces ?? NO_WORKSPACE

  bindRoute(deps, routes.listWorkspaces, async ({ principal, answer }) =>
    answer(200, {
      workspaces: directory?.rows(principal).slice() ?? [],
      canOpen: directory !== undefined && principal.role === 'admin' && principal.scopes.includes('admin'),
    }),
  )

  bindRoute(deps, routes.openWorkspace, async ({ principal, body, answer }) => {
    const { row, isNew } = await kept().open(principal, body)
    return isNew ? answer(201, row) : answer(200, row)
  })

  bindRoute(deps, routes.readWorkspace, async ({ principal, params: { workspaceId }, answer }) =>
    answer(200, kept().read(principal, workspaceId)),
  )

  bindRoute(deps, routes.changeWorkspace, async ({ principal, params: { workspaceId }, body, answer }) =>
    answer(200, await kept().change(principal, workspaceId, body)),
  )

  bindRoute(deps, routes.closeWorkspace, async ({ principal, params: { workspaceId }, answer }) => {
    await kept().close(principal, workspaceId)
    return answer(200, { workspaceId })
  })

  bindRoute(deps, routes.listFolders, async ({ query: { path }, answer }) =>
    answer(200, await kept().folders(path ?? null)),
  )

  function kept(): WorkspaceDirectory {
    if (directory) return directory
    throw new RefusedError(404, 'unknown-workspace', 'This server keeps no workspaces')
  }

  /** The folder of a conversation, or of one that would begin like this. */
  async function placeOf(
    userId: string,
    { conversationId, workspaceId }: { readonly conversationId?: string; readonly workspaceId?: string },
  ): Promise<PlaceQuery> {
    if (conversationId === undefined)
      return { ownerId: userId, settings: workspaceId === undefined ? {} : { workspaceId } }
    await commands.owned(userId, conversationId)
    const { settings } = (await readOverview(store, conversationId)).state
    return { ownerId: userId, settings }
  }

  bindRoute(deps, routes.findFiles, async ({ query: { words, ...asked }, userId, answer }) => {
    const place = await placeOf(userId, asked)
    const files = await reader.find({ ...place, words })
    return answer(200, { folder: reader.folderOf(place), files: files.slice() })
  })

  bindRoute(deps, routes.readMap, async ({ params: { id }, query: { focus, page }, userId, request, answer }) => {
    const { settings } = (await readOverview(store, id)).state
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    const asker = { conversationId: id, ownerId: userId }
    const wish = { reader: asker, settings, focus, page, budgetTokens: MAP_TOKENS, tokensOf: roughTokens }
    const map = await reader.mapOf(wish, gone.signal)
    if (map === null) return answer(200, { map })
    const { text, tokens, shownCount, fileCount, unreadCount, hasMore } = map
    return answer(200, { map: { text, tokens, shownCount, fileCount, unreadCount, hasMore } })
  })

  bindRoute(deps, routes.previewCall, async ({ params: { id, requestId }, userId: ownerId, answer }) => {
    const { pendingPermissions, settings } = (await readOverview(store, id)).state
    const request = pendingPermissions.find((pending) => pending.requestId === requestId)
    if (!request)
      throw new RefusedError(404, 'unknown-permission-request', `Nothing waits for permission as ${requestId}`)
    const path = pathIn(request.input)
    const before = path === null ? null : await reader.textOf({ ownerId, settings, path })
    return answer(200, { folder: reader.folderOf({ ownerId, settings }), before })
  })
}

/** As a model is told it, before anything is known of how the provider counts. */
function roughTokens(text: string): number {
  return noteTokens(text, 1)
}

/** The file that a call is about, as the tools for files name it. */
function pathIn(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('path' in input)) return null
  return typeof input.path === 'string' ? input.path : null
}
