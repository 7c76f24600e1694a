import { type Command, Option } from 'commander'
import type { ChangedFilesOptions } from '../acts/changed-files.ts'
import type { DoctorOptions } from '../acts/doctor.ts'
import type { EraseOptions } from '../acts/erase.ts'
import type { MoveOptions } from '../acts/move.ts'
import type { FolderOptions } from '../acts/store-commands.ts'
import type { UsageOptions } from '../acts/usage.ts'
import type { WorktreeOptions } from '../acts/worktrees.ts'

/** Adds the commands that look after an installation. */
export function addCareCommands(program: Command, exit: (code: number) => void): void {
  withFolder(program.command('doctor'))
    .description('look at everything that Holdfast stands on; changes nothing')
    .option('--workspace <folder>', 'look at this folder too')
    .option('--no-detect', 'do not look for servers of models on this computer')
    .option('--json', 'print the findings as JSON', false)
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../acts/doctor.ts')
      exit(await doctor(options))
    })
  const worktrees = program.command('worktrees').description('the worktrees of conversations')
  withFolder(worktrees.command('list'))
    .description('list them: id, state, branch, size, commits before and behind the base, folder')
    .option('--json', 'each as a line of JSON', false)
    .action(async (options: WorktreeOptions) => {
      const { listWorktrees } = await import('../acts/worktrees.ts')
      exit(await listWorktrees(options))
    })
  withFolder(worktrees.command('remove'))
    .description('remove one; what is not committed in it is kept, and it can be restored')
    .argument('<worktree>', 'its id, a beginning of it, or its branch')
    .option('--json', 'print it as a line of JSON', false)
    .action(async (name: string, options: WorktreeOptions) => {
      const { removeWorktree } = await import('../acts/worktrees.ts')
      exit(await removeWorktree(name, options))
    })
  withFolder(worktrees.command('clear'))
    .description('remove those that hold nothing of their own: what they had is in their base or in the folder')
    .option('--json', 'print what was removed as lines of JSON', false)
    .action(async (options: WorktreeOptions) => {
      const { clearWorktrees } = await import('../acts/worktrees.ts')
      exit(await clearWorktrees(options))
    })
  withFolder(worktrees.command('restore'))
    .description('bring a removed one back, with what was not committed')
    .argument('<worktree>', 'its id, a beginning of it, or its branch')
    .option('--json', 'print it as a line of JSON', false)
    .action(async (name: string, options: WorktreeOptions) => {
      const { restoreWorktree } = await import('../acts/worktrees.ts')
      exit(await restoreWorktree(name, options))
    })
  withFolder(program.command('backup'))
    .description('save everything into one file, while the server may go on')
    .argument('<target>', 'a folder, or a file that does not exist')
    .action(async (target: string, options: FolderOptions) => {
      const { backup } = await import('../acts/store-commands.ts')
      exit(await backup(target, options))
    })
  withFolder(program.command('restore'))
    .description('put a backup in the place of what is there; stop the server first')
    .argument('<source>', 'the file, or a folder: then the newest backup in it')
    .option('--force', 'replace what is there', false)
    .action(async (source: string, options: FolderOptions & { readonly force: boolean }) => {
      const { restore } = await import('../acts/store-commands.ts')
      exit(await restore(source, options))
    })
  program
    .command('move')
    .description(
      'bring everything into an empty store, from a data folder to PostgreSQL or back; stop the server first',
    )
    .requiredOption('--from <place>', 'a data folder, or an address that begins with postgres://')
    .requiredOption('--to <place>', 'another, where there is no store')
    .option('--json', 'print what was moved as JSON', false)
    .action(async (options: MoveOptions) => {
      const { move } = await import('../acts/move.ts')
      exit(await move(options))
    })
  withFolder(program.command('db').description('look after the database').command('check'))
    .description('read everything once and say what is damaged')
    .option('--json', 'print the report as JSON', false)
    .action(async (options: FolderOptions & { readonly json: boolean }) => {
      const { checkStore } = await import('../acts/store-commands.ts')
      exit(await checkStore(options))
    })
  withFolder(program.command('files'))
    .description('what restoring files that a conversation changed would do; with --restore it is done')
    .argument('<conversation>', 'its id, a beginning that no other has, or last')
    .option('--run <id>', 'the files that this run changed')
    .option('--set <seq>', 'the change set of this entry, such as that of a restoration')
    .option('--since <seq>', 'everything that came after this entry, 0 for all; or turn, conversation, base')
    .option('--restore', 'bring the files back; what others changed since is left alone', false)
    .option('--meanwhile', 'also what changed while a command ran, which may be your own doing', false)
    .option('--workspace <folder>', 'the folder, where no server runs')
    .option('--json', 'print it as JSON', false)
    .action(async (id: string, options: ChangedFilesOptions) => {
      const { changedFiles } = await import('../acts/changed-files.ts')
      exit(await changedFiles(id, options))
    })
  withFolder(program.command('erase'))
    .description('erase what messages say, for good; without numbers the messages are listed with theirs')
    .argument('<conversation>', 'its id, a beginning that no other has, or last')
    .argument('[seq...]', 'numbers of messages, as the list shows them')
    .option('--results', 'what tools returned to these answers goes too', false)
    .option('--reason <words>', 'kept with the receipt', 'asked for')
    .option('--dry-run', 'say what would be erased, and erase nothing', false)
    .option('--yes', 'do not ask once more', false)
    .option('--json', 'print the answer as JSON', false)
    .action(async (id: string, seqs: readonly string[], options: EraseOptions) => {
      const { erase } = await import('../acts/erase.ts')
      exit(await erase(id, seqs, options))
    })
  withFolder(program.command('usage'))
    .description('say what was used and what it cost')
    .addOption(
      new Option('--by <what>', 'what is summed')
        .choices(['day', 'model', 'payer', 'agent', 'conversation'])
        .default('day'),
    )
    .option('--json', 'print the rows as JSON', false)
    .option('--csv', 'print the rows as comma-separated values', false)
    .action(async (options: UsageOptions) => {
      const { usage } = await import('../acts/usage.ts')
      exit(await usage(options))
    })
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
