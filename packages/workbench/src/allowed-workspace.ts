import { realpathSync } from 'node:fs'
import type { ConversationSettings } from '@holdfast/conversation'
import { openWorkspace, type Workspace } from '@holdfast/toolbox'

/** The folder that the operator allows, and the folders in it that conversations choose. */
export interface AllowedWorkspace {
  /** The real path of the folder that a conversation may use; null where there is none, or it is not allowed. [WS1] */
  folderOf(settings: ConversationSettings): string | null
  /** The one workspace of a folder: who changes files in it does so in turn. */
  workspaceAt(folder: string): Workspace
}

/** What is opened for agents. */
export interface AllowedWorkspaceOptions {
  /** Null for an installation without one. */
  readonly root: string | null
  /** Real paths of what belongs to the server, which tools for files leave alone. [SEC14] */
  readonly closed: readonly string[]
}

/** The folder of the operator cannot be used; another one has to be given. */
export class WorkspaceUnusableError extends Error {
  override readonly name = 'WorkspaceUnusableError'
  readonly code = 'workspace-unusable'
  readonly root: string

  constructor(root: string, why: string, options: ErrorOptions) {
    super(`The workspace ${root} cannot be used: ${why}. Give a folder that exists.`, options)
    this.root = root
  }
}

/**
 * Opens the operator's folder; null for an installation without one.
 *
 * @throws {WorkspaceUnusableError} when it is no folder that can be used.
 */
export function createAllowedWorkspace({ root, closed }: AllowedWorkspaceOptions): AllowedWorkspace {
  const open = new Map<string, Workspace>()
  const whole = root === null ? null : openOrExplain({ root, closed })
  if (whole) open.set(whole.rootPath, whole)

  return {
    folderOf({ workspace: wanted }) {
      if (!whole) return null
      return wanted === undefined ? whole.rootPath : folderInside(whole, wanted)
    },
    workspaceAt(folder) {
      const known = open.get(folder) ?? openWorkspace({ root: folder, closed })
      open.set(folder, known)
      return known
    },
  }
}

/** Where a path leads, when that is a folder in the workspace or the workspace itself. */
function folderInside({ rootPath, closed }: Workspace, wanted: string): string | null {
  try {
    const { rootPath: real } = openWorkspace({
      root: wanted.startsWith('/') ? wanted : `${rootPath}/${wanted}`,
      closed: closed.paths,
    })
    return `${real}/`.startsWith(rootPath === '/' ? '/' : `${rootPath}/`) ? real : null
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}

function openOrExplain({ root, closed }: { readonly root: string; readonly closed: readonly string[] }): Workspace {
  try {
    return openWorkspace({ root: realpathSync(root), closed })
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const why = 'code' in cause && cause.code === 'ENOENT' ? 'there is no such folder' : cause.message
    throw new WorkspaceUnusableError(root, why, { cause })
  }
}
