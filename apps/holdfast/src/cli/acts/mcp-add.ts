import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { applyEdits, modify } from 'jsonc-parser'
import { CliError } from '../../cli-error.ts'
import { type Config, readConfig } from '../../config.ts'
import { parseConfigFile } from '../../config-file.ts'
import { openDataFolder } from '../../data-folder.ts'
import type { FolderOptions } from './store-commands.ts'

/** What `holdfast mcp add` was told beside name and command. */
export interface McpAddOptions extends FolderOptions {
  readonly url?: string
  readonly env?: readonly string[]
  readonly header?: readonly string[]
}

/** Writes a server into the operator's file; its comments and its order stay. @returns the exit code. */
export async function addMcpServer(
  asked: McpAddOptions & { readonly name: string; readonly command: readonly string[] },
): Promise<number> {
  const { name, dataDir } = asked
  const usual = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  const config = readConfig({ ...usual, ...(dataDir === undefined ? {} : { dataDir }) })
  if (config.mcpServers.some((server) => server.name === name))
    throw new CliError('E_EXISTS', 2, `There is an MCP server ${name} in ${config.configPath}. Choose another name.`)
  const server = serverOf(asked)
  const before = await textOf(config)
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  const after = applyEdits(before, modify(before, ['mcpServers', name], server, { formattingOptions }))
  // Nothing is written that the next start would refuse.
  parseConfigFile(after, config.configPath)
  await openDataFolder(dirname(config.configPath))
  await writeFile(`${config.configPath}.new`, after, { mode: 0o600 })
  await rename(`${config.configPath}.new`, config.configPath)
  const what = 'url' in server ? server.url : [server.command, ...server.args].join(' ')
  process.stderr.write(
    `Added ${name} to ${config.configPath}. It will run exactly this:\n  ${what}\nTry it: holdfast mcp test ${name}. A Holdfast that runs takes it at its next start.\n`,
  )
  return 0
}

function serverOf({ name, url, command, env, header }: Parameters<typeof addMcpServer>[0]) {
  const [program, ...args] = command
  if ((url === undefined) === (program === undefined))
    throw new CliError(
      'E_USAGE',
      2,
      `Say how ${name} is reached, in one way: --url ADDRESS, or -- and the command that starts it.`,
    )
  if (url !== undefined) return { url, ...(header === undefined ? {} : { headers: pairs(header, ':') }) }
  return { command: program ?? '', args, ...(env === undefined ? {} : { env: pairs(env, '=') }) }
}

function pairs(texts: readonly string[], sign: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(sign)
      // The value may be a secret: it is not repeated.
      if (at < 1) throw new CliError('E_USAGE', 2, `Give each as NAME${sign}VALUE.`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}

async function textOf({ configPath }: Config): Promise<string> {
  try {
    return await readFile(configPath, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}\n'
    throw error
  }
}
