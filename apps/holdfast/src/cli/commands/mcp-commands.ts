import type { Command } from 'commander'
import type { McpAddOptions } from '../acts/mcp-add.ts'
import type { FolderOptions } from '../acts/store-commands.ts'
import type { ReachOptions } from '../reach/reach-server.ts'

/** Adds the commands about MCP servers. */
export function addMcpCommands(program: Command, exit: (code: number) => void): void {
  const mcp = program.command('mcp').description('look after MCP servers, and be one')
  withFolder(mcp.command('serve'))
    .description('serve your conversations to a client of MCP over stdin and stdout, until it is gone')
    .option('--no-detect', 'do not look for servers of models on this computer')
    .action(async (options: ReachOptions) => {
      const { serveMcp } = await import('../pipes/mcp-serve.ts')
      exit(await serveMcp(options))
    })
  withFolder(mcp.command('list'))
    .description('the servers of the configuration, and what they are doing')
    .option('--json', 'print them as JSON', false)
    .action(async (options: FolderOptions & { readonly json: boolean }) => {
      const { listMcpServers } = await import('../acts/mcp-list.ts')
      exit(await listMcpServers(options))
    })
  withFolder(mcp.command('add'))
    .description('add a server to the configuration: holdfast mcp add NAME --url URL, or NAME -- COMMAND ARGS')
    .argument('<name>', 'its name; stands before the names of its tools')
    .argument('[command...]', 'the program and its arguments, after --')
    .option('--url <address>', 'the address of a server over HTTP')
    .option('--env <name=value...>', 'a variable for the program')
    .option('--header <name:value...>', 'a header for the address')
    .action(async (name: string, command: readonly string[], options: McpAddOptions) => {
      const { addMcpServer } = await import('../acts/mcp-add.ts')
      exit(await addMcpServer({ ...options, name, command }))
    })
  withFolder(mcp.command('test'))
    .description('connect to a server, and say which tools it has and what they cost; changes nothing')
    .argument('<name>', 'a server of the configuration')
    .option('--json', 'print what was found as JSON', false)
    .action(async (name: string, options: FolderOptions & { readonly json: boolean }) => {
      const { testMcpServer } = await import('../acts/mcp-test.ts')
      exit(await testMcpServer(name, options))
    })
}

function withFolder(command: Command): Command {
  return command.option('--data-dir <folder>', 'where everything is kept (or HOLDFAST_DATA_DIR)')
}
