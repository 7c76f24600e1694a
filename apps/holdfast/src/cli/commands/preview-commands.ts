import type { Command } from 'commander'
import type { PreviewOptions, PreviewStart } from '../acts/previews.ts'
import { WORKSPACE_OPTION } from './workspace-commands.ts'

/** Adds the commands about previews. [CLI18] */
export function addPreviewCommands(program: Command, exit: (code: number) => void): void {
  const preview = program.command('preview').description('web pages of a workspace, each on an origin of its own')
  withFolder(preview.command('start'))
    .description('show the pages of a workspace: by the dev server that is found in it, or what is named')
    .option('--command <line>', 'a command line that runs a dev server')
    .option('--port <number>', 'a port of this computer at which one listens')
    .option('--folder <path>', 'files to be shown as they are; from the workspace')
    .option(
      WORKSPACE_OPTION,
      'a workspace by id, name or folder; the one of the present folder, or of the start, is usual',
    )
    .option('--json', 'print it as a line of JSON', false)
    .action(async (options: PreviewStart) => {
      const { startPreview } = await import('../acts/previews.ts')
      exit(await startPreview(options))
    })
  withFolder(preview.command('stop'))
    .description('stop one, with all that it started')
    .argument('[preview]', 'its id, or a beginning of it; the only one is usual')
    .option('--json', 'print it as a line of JSON', false)
    .action(async (name: string | undefined, options: PreviewOptions) => {
      const { stopPreview } = await import('../acts/previews.ts')
      exit(await stopPreview(name, options))
    })
  withFolder(preview.command('status'))
    .description('list them: id, state, port, address, command')
    .option('--json', 'each as a line of JSON', false)
    .action(async (options: PreviewOptions) => {
      const { showPreviews } = await import('../acts/previews.ts')
      exit(await showPreviews(options))
    })
  withFolder(preview.command('logs'))
    .description('print the end of what a dev server printed')
    .argument('[preview]', 'its id, or a beginning of it; the only one is usual')
    .option('--json', 'print it as a line of JSON', false)
    .action(async (name: string | undefined, options: PreviewOptions) => {
      const { showPreviewLog } = await import('../acts/previews.ts')
      exit(await showPreviewLog(name, options))
    })
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
