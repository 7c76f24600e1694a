import type { ConversationSettings, EntryStore, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import { routes } from '@holdfast/protocol'
import { type BindDeps, bindRoute } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'

/** A look into the folder that a conversation may use. Nothing outside of it is seen, by whatever links. [WS1] */
export interface WorkspaceReader {
  /** Null where there is none, or it is not allowed. */
  folderOf(settings: ConversationSettings): string | null
  /** Paths of files that hold the words, the nearest first. */
  find(query: { readonly settings: ConversationSettings; readonly words: string }): Promise<readonly string[]>
  /** The text of a file; null where there is none, or it is no text or a long one. */
  textOf(query: { readonly settings: ConversationSettings; readonly path: string }): Promise<string | null>
}

/** Where agents have no folder. */
export const NO_WORKSPACE: WorkspaceReader = {
  folderOf: () => null,
  find: async () => [],
  textOf: async () => null,
}

/** What the routes about a workspace need. */
export interface WorkspaceRoutesDeps extends BindDeps {
  readonly reader: WorkspaceReader
  readonly commands: Pick<UserCommands, 'owned'>
  readonly store: Pick<EntryStore, 'read'> & SnapshotStore
}

/** Serves what a person sees of a workspace: files to name, and a file as it is before a call changes it. */
export function bindWorkspace({ reader, commands, store, ...deps }: WorkspaceRoutesDeps): void {
  async function settingsOf(conversationId: string): Promise<ConversationSettings> {
    return (await readOverview(store, conversationId)).state.settings
  }

  bindRoute(deps, routes.findFiles, async ({ query: { words, conversationId }, userId, answer }) => {
    if (conversationId !== undefined) await commands.owned(userId, conversationId)
    const settings = conversationId === undefined ? {} : await settingsOf(conversationId)
    const files = await reader.find({ settings, words })
    return answer(200, { folder: reader.folderOf(settings), files: files.slice() })
  })

  bindRoute(deps, routes.previewCall, async ({ params: { id, requestId }, answer }) => {
    const { pendingPermissions, settings } = (await readOverview(store, id)).state
    const request = pendingPermissions.find((pending) => pending.requestId === requestId)
    if (!request)
      throw new RefusedError(404, 'unknown-permission-request', `Nothing waits for permission as ${requestId}`)
    const path = pathIn(request.input)
    const before = path === null ? null : await reader.textOf({ settings, path })
    return answer(200, { folder: reader.folderOf(settings), before })
  })
}

/** The file that a call is about, as the tools for files name it. */
function pathIn(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('path' in input)) return null
  return typeof input.path === 'string' ? input.path : null
}
