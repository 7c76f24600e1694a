import type { McpServerSettings } from '@holdfast/mcp'
import { type McpServerRow, routes } from '@holdfast/protocol'
import { readConfig } from '../../config.ts'
import { runningApi } from '../reach/reach-server.ts'
import type { FolderOptions } from './store-commands.ts'

/** Says which servers there are; what they are doing where a Holdfast of this data folder runs. @returns the exit code. */
export async function listMcpServers({ dataDir, json }: FolderOptions & { readonly json: boolean }): Promise<number> {
  const asked = { port: '0', host: '127.0.0.1', open: false, json: false, detect: false }
  const config = readConfig({ ...asked, ...(dataDir === undefined ? {} : { dataDir }) })
  const api = await runningApi(config)
  const rows = api ? (await api.call(routes.listMcpServers, {})).servers : []
  const servers = config.mcpServers.map((settings) => ({
    name: settings.name,
    reach: reachOf(settings),
    state: rows.find(({ name }) => name === settings.name) ?? null,
  }))
  if (json) {
    const found = servers.map(({ name, reach, state }) => ({ name, reach, state: state?.state.type ?? 'not-started' }))
    process.stdout.write(`${JSON.stringify({ servers: found })}\n`)
    return 0
  }
  if (servers.length === 0) process.stderr.write(`No MCP servers in ${config.configPath}. Add one: holdfast mcp add\n`)
  if (servers.length > 0 && !api) process.stderr.write('No Holdfast runs on this data folder: none is connected.\n')
  for (const { name, reach, state } of servers) process.stdout.write(`${name}  ${inWords(state)}  ${reach}\n`)
  return 0
}

/** The exact command, or the address. */
export function reachOf({ reach }: McpServerSettings): string {
  return reach.type === 'http' ? reach.url : [reach.command, ...reach.args].join(' ')
}

function inWords(row: McpServerRow | null): string {
  if (row === null) return 'not started'
  const waiting = row.changes.length === 0 ? '' : `, ${row.changes.length} changes to accept`
  switch (row.state.type) {
    case 'connected':
      return `connected, ${row.toolCount} tools${waiting}`
    case 'connecting':
      return `connecting, try ${row.state.attempt}`
    case 'waiting':
      return `failed (${row.lastError?.text ?? 'no reason'}), tried again soon`
    case 'needs-sign-in':
      return `sign in: ${row.state.url ?? 'the server names no address'}`
    case 'off':
      return 'off'
  }
}
