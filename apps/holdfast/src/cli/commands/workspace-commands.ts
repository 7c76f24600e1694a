import type { Command } from 'commander'
import type { WorkspacesOptions } from '../acts/workspaces.ts'

/** How every command is told a workspace. [CLI27] */
export const WORKSPACE_OPTION = '--workspace <workspace>'

/** Adds what is said of workspaces. */
export function addWorkspaceCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('workspaces')
    .description('the folders that agents may be given')
    .command('list', { isDefault: true })
    .description('one a line: id, name, state, folder; each can be named by any of id, name and folder')
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option('--json', 'each as a line of JSON', false)
    .action(async (options: WorkspacesOptions) => {
      const { listWorkspaces } = await import('../acts/workspaces.ts')
      exit(await listWorkspaces(options))
    })
}
