import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createTurns, type InTurn } from '@holdfast/conversation'
import type { CommitRoom } from '../shell/commit-room.ts'
import { closedPlaces } from './closed-places.ts'
import type { Holding } from './held-folder.ts'
import type { Walk } from './walk-path.ts'

/** A folder that an agent may use, and nothing above it. [WS1] */
export interface Workspace extends Walk {
  /** Does one change after another, so that a check and the change that follows it belong together. */
  readonly inTurn: InTurn
  /** Whether files with more than one name may be used; see `WorkspaceOptions`. */
  readonly hardLinks: 'refuse' | 'use'
  /** Real paths beside it that commands in the sandbox may read, such as the repository of a worktree. */
  readonly readable: readonly string[]
  /** Where commands in the sandbox commit; null where they may write the repository, or there is none. */
  readonly commitRoom: CommitRoom | null
}

/** What a workspace is opened with. */
export interface WorkspaceOptions {
  /** An existing folder. */
  readonly root: string
  /**
   * A file with more than one name may be one from outside. `refuse`, where it is not given, leaves such files
   * alone; `use` is for folders whose packages are installed by hard links.
   */
  readonly hardLinks?: 'refuse' | 'use'
  /** Real paths that tools for files leave alone; see `ClosedPlaces`. */
  readonly closed: readonly string[]
  /** Real paths beside it that commands in the sandbox may read; none where it is not given. */
  readonly readable?: readonly string[]
  /** Where commands in the sandbox commit; none where it is not given. */
  readonly commitRoom?: CommitRoom | null
  /** How folders are held. Where it is not given, by handle if the system can. */
  readonly holding?: Holding
}

/**
 * Opens a folder as a workspace. Everyone who changes files in it should share the one that this returns. It does
 * not wait: the tools of a conversation are asked for between two steps.
 *
 * @throws when there is no such folder, or on a system whose files this cannot confine.
 */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  const { root, closed, readable, commitRoom, hardLinks, holding } = options
  if (process.platform === 'win32')
    throw new Error(`The workspace ${root} cannot be confined on Windows. Run Holdfast in WSL or a container.`)
  const given = resolve(root)
  const rootPath = realpathSync(given)
  if (!statSync(rootPath).isDirectory()) throw new Error(`The workspace ${root} is not a folder.`)
  return {
    rootPath,
    rootNames: given === rootPath ? [rootPath] : [rootPath, given],
    holding: holding ?? (existsSync('/proc/self/fd') ? 'by-handle' : 'by-path'),
    hardLinks: hardLinks ?? 'refuse',
    closed: closedPlaces(closed),
    readable: readable ?? [],
    commitRoom: commitRoom ?? null,
    inTurn: createTurns(),
  }
}

/** What is true of the confinement, for people. */
export function describeWorkspace({ rootPath, holding }: Workspace): string {
  const how =
    holding === 'by-handle'
      ? 'every folder on the way is held open, so that no name, link or race leads out'
      : 'names and links are checked before and after; this system offers nothing against a program that swaps folders meanwhile'
  return `Files in ${rootPath}: ${how}.`
}
