import { Command, CommanderError, Option } from 'commander'
import { addArchiveCommands } from './cli/commands/archive-commands.ts'
import { addCareCommands } from './cli/commands/care-commands.ts'
import { addAgentCommands, addChatCommands, addListCommands, addPresetCommands } from './cli/commands/chat-commands.ts'
import { addCompletionCommands } from './cli/commands/completion-commands.ts'
import { addMcpCommands } from './cli/commands/mcp-commands.ts'
import { addMemoryCommands } from './cli/commands/memory-commands.ts'
import { addPermissionCommands } from './cli/commands/permission-commands.ts'
import { addPreviewCommands } from './cli/commands/preview-commands.ts'
import { addScheduleCommands } from './cli/commands/schedule-commands.ts'
import { addSettingCommands } from './cli/commands/setting-commands.ts'
import { addTokenCommands } from './cli/commands/token-commands.ts'
import { addUserCommands } from './cli/commands/user-commands.ts'
import { addWorkspaceCommands } from './cli/commands/workspace-commands.ts'
import { completionsOf } from './cli/terminal/completions-of.ts'
import { CliError } from './cli-error.ts'
import type { StartOptions } from './config.ts'
import { keepNurserySmall } from './keep-nursery-small.ts'
import { endWithReader } from './process-end.ts'
import { LOG_LEVELS } from './stderr-log.ts'
import { VERSION } from './version.ts'

/** Runs the command line. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  endWithReader()
  let exitCode = 0
  const program = createProgram((code) => {
    exitCode = code
  })
  try {
    checkCommand(program, argv[2])
    await program.parseAsync(argv)
    return exitCode
  } catch (error) {
    return explain(error)
  }
}

/** Every command there is; each tells `exit` its exit code. */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command('holdfast')
    .description('A self-hosted workspace for working with AI agents.')
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('See what there is with --help.')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(`${text.trimEnd()} (E_USAGE)\n`) })
    .hook('preAction', (_, command) => checkGiven(command))
  withStartOptions(program.command('start', { isDefault: true }))
    .description('start the server and open the page')
    .action(async (options: StartOptions) => {
      keepNurserySmall()
      if (options.workers !== undefined) {
        const { startWorkers } = await import('./workers/start-workers.ts')
        return exit(await startWorkers(options, async () => null))
      }
      const { start } = await import('./start.ts')
      exit(await start(options, async () => null))
    })
  withStartOptions(program.command('open'))
    .description(
      'open a folder as a workspace, and the page on a new conversation in it; starts the server if none runs',
    )
    .argument('[folder]', 'the folder; the present one without it', '.')
    .action(async (folder: string, options: StartOptions) => {
      const { open } = await import('./cli/acts/open.ts')
      exit(await open(folder, options))
    })
  program.command('worker', { hidden: true }).action(async () => {
    const { runWorker } = await import('./workers/run-worker.ts')
    exit(await runWorker())
  })
  program.command('house-bridge', { hidden: true }).action(async () => {
    const { bridgeHouse } = await import('./cli/pipes/house-bridge.ts')
    exit(await bridgeHouse())
  })
  addChatCommands(program, exit)
  addListCommands(program, exit)
  addAgentCommands(program, exit)
  addPresetCommands(program, exit)
  addArchiveCommands(program, exit)
  addScheduleCommands(program, exit)
  addCareCommands(program, exit)
  addPreviewCommands(program, exit)
  addMcpCommands(program, exit)
  addMemoryCommands(program, exit)
  addPermissionCommands(program, exit)
  addSettingCommands(program, exit)
  addTokenCommands(program, exit)
  addUserCommands(program, exit)
  addWorkspaceCommands(program, exit)
  program
    .command('config-schema')
    .description('print the JSON Schema of the file that HOLDFAST_CONFIG names')
    .action(async () => {
      const { configJsonSchema } = await import('./config-file-schema.ts')
      process.stdout.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
    })
  addCompletionCommands(program)
  return program
}

/** How a server is started. */
function withStartOptions(command: Command): Command {
  return command
    .option('--port <number>', 'port to listen on; 0 takes any that is free', '4747')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
    .option('--workspace <folder>', 'folder that agents may read, edit and run commands in')
    .option('--no-open', 'do not open the browser')
    .option('--no-detect', 'do not look for servers of models on this computer')
    .option('--auth <mode>', 'who may come in: token (this computer) or accounts', 'token')
    .option('--allowed-host <name>', 'a further name under which the server is reached; may be repeated', collect)
    .option('--trust-proxy <range>', 'believe X-Forwarded-* from this address or range; may be repeated', collect)
    .option('--base-path <path>', 'the path under which everything stands, such as /holdfast')
    .option('--public-url <url>', 'the address that people open, where a proxy stands before the server')
    .option('--new-secret-key', 'on PostgreSQL: take the place of the secret key that is lost')
    .option('--workers <number>', 'so many processes serve the port, on PostgreSQL; one without it')
    .option('--json', 'print one line of JSON when it is ready', false)
    .addOption(new Option('--log-level <level>', 'how much the log on stderr says').choices(LOG_LEVELS).default('info'))
}

/** Nothing takes an empty word, such as that of a variable of a script that is not set: said before anything is done. [CLI24] */
function checkGiven(command: Command): void {
  const values: Readonly<Record<string, unknown>> = command.opts()
  const empty = command.options.find((option) => isEmpty(values[option.attributeName()]))
  if (empty) throw new CliError('E_USAGE', 2, `${empty.long} is empty. Give it a value, or leave it out.`)
  const argument = command.registeredArguments.find((_, at) => isEmpty(command.processedArgs[at]))
  if (argument) throw new CliError('E_USAGE', 2, `<${argument.name()}> is empty. Give it words.`)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** A word that is no command would be taken for something that `start` is given. */
function checkCommand(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-')) return
  const names = program.commands.map((command) => command.name())
  if (word === 'help' || names.includes(word)) return
  const near = completionsOf(program, [word.slice(0, 2)])
  const meant = near.length === 0 ? '' : ` Do you mean ${near.join(' or ')}?`
  throw new CliError(
    'E_USAGE',
    2,
    `There is no command ${JSON.stringify(word)}.${meant} See what there is: holdfast --help`,
  )
}

/** Gathers an option that may be repeated. */
function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    return 2
  }
  if (!(error instanceof CliError)) throw error
  process.stderr.write(`${error.message} (${error.code})\n`)
  return error.exitCode
}
