import { createMcpHandler } from '@modelcontextprotocol/server'
import { type ConversationServerDeps, createConversationServer } from './conversation-server.ts'

/** Where the server is, for what speaks the protocol: it looks at the path of nothing. */
const ANYWHERE = 'http://localhost/'

/** Answers one request of MCP; a server is made for it, and ends with it. */
export function answerMcp(
  deps: ConversationServerDeps,
  { headers, body, signal }: { readonly headers: Headers; readonly body: unknown; readonly signal: AbortSignal },
): Promise<Response> {
  const handler = createMcpHandler(() => createConversationServer(deps))
  const request = new Request(ANYWHERE, { method: 'POST', headers, body: JSON.stringify(body), signal })
  return handler.fetch(request, { parsedBody: body })
}
