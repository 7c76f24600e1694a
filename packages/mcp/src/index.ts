export type { Connection } from './connection.ts'
export { createMcpServer, type McpServer, type McpServerDeps } from './mcp-server.ts'
export { createMcpServers, type McpServers } from './mcp-servers.ts'
export { OfferedTool, type RefusedTool } from './offered-tool.ts'
export type { OfferChange, PinStore } from './pins.ts'
export type { ServerLogLine } from './server-log.ts'
export {
  type AskedValue,
  completeValue,
  listMaterial,
  readPrompt,
  readResource,
  type ServerMaterial,
  type ServerPrompt,
} from './server-material.ts'
export {
  type HttpReach,
  type McpServerSettings,
  SERVER_LIMITS,
  type StdioReach,
} from './server-settings.ts'
export type { McpServerState, McpServerStatus } from './server-status.ts'
export type { SignInStore } from './sign-in.ts'
