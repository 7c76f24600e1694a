import type { ToolSource } from '@holdfast/tool'
import { createMcpServer, type McpServer, type McpServerDeps } from './mcp-server.ts'
import type { McpServerSettings } from './server-settings.ts'

/** The servers of an installation. */
export interface McpServers {
  /** In the order of the configuration. */
  readonly all: readonly McpServer[]
  find(name: string): McpServer | undefined
  /** Their tools. */
  sources(): readonly ToolSource[]
  close(): Promise<void>
}

/** Starts to connect the servers that are on. */
export function createMcpServers(settings: readonly McpServerSettings[], deps: McpServerDeps): McpServers {
  const all = settings.map((own) => createMcpServer(own, deps))
  const byName = new Map(all.map((server) => [server.settings.name, server]))
  return {
    all,
    find: (name) => byName.get(name),
    sources: () =>
      all.map((server) => ({
        name: server.settings.name,
        list: () => server.definitions(),
        run: (call, context) => server.call(call, context),
      })),
    async close() {
      await Promise.all(all.map((server) => server.close()))
    },
  }
}
