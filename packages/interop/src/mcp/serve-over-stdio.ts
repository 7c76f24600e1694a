import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ConversationServerDeps, createConversationServer } from './conversation-server.ts'

/** A client at the other end of two pipes. */
export interface OverStdio {
  readonly input: Readable
  readonly output: Writable
  readonly onFault: (error: Error) => void
}

/** Serves a client of MCP over pipes until it is gone. @returns what ends it. */
export function serveOverStdio(
  deps: ConversationServerDeps,
  { input, output, onFault }: OverStdio,
): { readonly close: () => Promise<void> } {
  const transport = new StdioServerTransport(input, output)
  return serveStdio(() => createConversationServer(deps), { transport, onerror: onFault })
}
