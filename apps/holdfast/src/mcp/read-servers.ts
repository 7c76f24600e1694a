import { dirname, resolve } from 'node:path'
import type { McpServerSettings } from '@holdfast/mcp'
import type { ConfigFile } from '../config-file-schema.ts'

/** What a call may take where the file says nothing, in milliseconds. */
const CALL_MS = 3_600_000
/** How long a call may say nothing where the file says nothing, in milliseconds. */
const SILENCE_MS = 120_000

/** The MCP servers of the operator's file; folders are named from where the file is. */
export function readServers(file: ConfigFile, path: string | null): readonly McpServerSettings[] {
  const folderOf = (folder: string): string => resolve(path === null ? '' : dirname(resolve(path)), folder)
  return Object.entries(file.mcpServers ?? {}).map(([name, server]) => {
    const limits = { timeoutMs: server.timeoutMs ?? CALL_MS, silenceMs: server.silenceMs ?? SILENCE_MS }
    const on = server.disabled !== true
    const about = { name, on, ...limits, ...(server.sampling === true ? { sampling: true as const } : {}) }
    if ('url' in server)
      return {
        ...about,
        ...(server.shareSignIn === true ? { sharesSignIn: true as const } : {}),
        reach: { type: 'http', url: server.url, headers: server.headers ?? {} },
      }
    const { command, args, env, cwd } = server
    const folder = cwd === undefined ? null : folderOf(cwd)
    return { ...about, reach: { type: 'stdio', command, args: args ?? [], environment: env ?? {}, folder } }
  })
}
