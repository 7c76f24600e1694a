import type { PlaceQuery } from '@holdfast/engine'
import { type CommitRoom, openWorkspace, type Workspace } from '@holdfast/toolbox'

/** Says which folders people may use: the workspaces of an installation, and the worktrees of conversations. */
export interface Roots {
  /** The folder of a workspace; of the installation's own where none is named. Null for what is not there, or not theirs. [WS6] */
  rootOf(query: { readonly workspaceId: string | undefined; readonly userId: string }): string | null
  /** A worktree of the repository that the workspace's folder is in; null for one that is not there, or not theirs. [WS7] */
  worktreeOf(query: {
    readonly worktreeId: string
    readonly root: string
    readonly userId: string
  }): WorktreePlace | null
}

/** Where the files of a worktree are. */
export interface WorktreePlace {
  /** The folder in it that the workspace is in the repository; a real path. */
  readonly folder: string
  /** Real path of the repository, which its commands may read. */
  readonly repository: string
  /** Where its commands commit. */
  readonly commitRoom: CommitRoom
}

/** Where the files of conversations are. [WS7] */
export interface Places {
  /** The real path of the folder that a conversation may use; null where there is none, or its owner may not. [WS1] */
  folderOf(query: PlaceQuery): string | null
  /** The one workspace of a folder: who changes files in it does so in turn. */
  workspaceAt(folder: string): Workspace
}

/** What places are found with. */
export interface PlacesDeps {
  readonly roots: Roots
  /** Real paths of what belongs to the server, which tools for files leave alone. [SEC14] */
  readonly closed: readonly string[]
}

/** Finds the folders of conversations. Rights are asked for each time: one that is taken away counts at once. [WS6] */
export function createPlaces({ roots, closed }: PlacesDeps): Places {
  const open = new Map<string, Workspace>()
  /** The worktree that a folder is of. */
  const worktrees = new Map<string, WorktreePlace>()

  function baseOf({ ownerId: userId, settings: { workspaceId, worktreeId } }: PlaceQuery): string | null {
    const root = roots.rootOf({ workspaceId, userId })
    if (root === null || worktreeId === undefined) return root
    const place = roots.worktreeOf({ worktreeId, root, userId })
    if (place) worktrees.set(place.folder, place)
    return place?.folder ?? null
  }

  function workspaceAt(folder: string): Workspace {
    const worktree = worktrees.get(folder)
    const readable = worktree === undefined ? [] : [worktree.repository]
    const commitRoom = worktree?.commitRoom ?? null
    const known = open.get(folder) ?? openWorkspace({ root: folder, closed, readable, commitRoom })
    open.set(folder, known)
    return known
  }

  return {
    folderOf(query) {
      const base = baseOf(query)
      if (base === null) return null
      const whole = openOrNull(() => workspaceAt(base))
      if (whole === null) return null
      const { workspace: wanted } = query.settings
      return wanted === undefined ? whole.rootPath : folderInside(whole, wanted)
    },
    workspaceAt,
  }
}

/** Where a path leads, when that is a folder in the workspace or the workspace itself. */
function folderInside({ rootPath, closed }: Workspace, wanted: string): string | null {
  const root = wanted.startsWith('/') ? wanted : `${rootPath}/${wanted}`
  const real = openOrNull(() => openWorkspace({ root, closed: closed.paths }))?.rootPath
  return real !== undefined && `${real}/`.startsWith(rootPath === '/' ? '/' : `${rootPath}/`) ? real : null
}

/** A folder may go away at any time: then there is none. */
function openOrNull(open: () => Workspace): Workspace | null {
  try {
    return open()
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}
