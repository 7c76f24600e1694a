import type { ConversationSettings, Records, Settings } from '@holdfast/conversation'
import { systemClock } from '@holdfast/engine/system'
import {
  createWorkspaceDirectory,
  type Diagnostics,
  type WorkspaceDirectory,
  type WorktreeDirectory,
} from '@holdfast/server'
import type { Machine } from '@holdfast/toolbox'
import { createPlaces, type WorkbenchDeps } from '@holdfast/workbench'
import type { Config } from '../config.ts'
import { commandsOf, describeSharing, describeShell, findShell } from '../tools/find-shell.ts'
import { closedPlacesOf, startRootOf } from '../tools/open-workspace.ts'
import { createFolderChooser } from './folder-chooser.ts'
import { openWorktrees } from './open-worktrees.ts'

/** The folders of an installation in which agents work. */
export interface OpenedWorkspaces {
  readonly directory: WorkspaceDirectory
  readonly worktrees: WorktreeDirectory
  /** The real path of the folder that the start names; null for none. */
  readonly startRoot: string | null
  /** What the tools of agents are given; a machine when a workspace is used for the first time. */
  readonly forAgents: Pick<
    WorkbenchDeps,
    'places' | 'machine' | 'git' | 'readsInstructions' | 'readBase' | 'handedWorktrees'
  >
}

/**
 * Reads which folders may be used. What commands need is looked for when there is one.
 *
 * @throws {CliError} when the folder of the start cannot be used.
 */
export async function openWorkspaces(
  config: Config,
  {
    records,
    log,
    settings,
  }: { readonly records: Records; readonly log: Pick<Diagnostics, 'info'>; readonly settings: () => Settings },
): Promise<OpenedWorkspaces> {
  const startRoot = startRootOf(config)
  const closed = closedPlacesOf(config)
  let machine: Machine | null = null

  async function findMachine(): Promise<void> {
    if (machine) return
    machine = await findShell(config, { owned: commandsOf(config), network: settings().commandNetwork })
    const shell = describeShell(machine, config)
    log.info('agents may use workspaces', { folder: startRoot, files: describeSharing(config), shell })
  }

  const directory = createWorkspaceDirectory({
    records,
    clock: systemClock,
    chooser: createFolderChooser({ roots: config.workspaceRoots, closed, configPath: config.configPath }),
    startRoot,
    whenUsed: findMachine,
  })
  await directory.refresh()
  const worktrees = await openWorktrees(config, { records, settings, rootOf: directory.rootOf })
  const roots = { rootOf: directory.rootOf, worktreeOf: worktrees.worktreeOf }
  const readsInstructions = ({ workspaceId }: ConversationSettings) => directory.readsInstructions({ workspaceId })
  const places = createPlaces({ roots, closed })
  const { git, readBase, handedWorktrees } = worktrees
  const forAgents = { places, machine: () => machine, git, readsInstructions, readBase, handedWorktrees }
  return { directory, worktrees: worktrees.directory, startRoot, forAgents }
}
