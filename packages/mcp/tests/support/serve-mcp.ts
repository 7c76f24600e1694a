import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'

/** Serves the newest protocol: a fresh server for every request. */
export function serveMcp(make: () => McpServer): (request: IncomingMessage, response: ServerResponse) => void {
  const handle = toNodeHandler(createMcpHandler(make))
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    void handle({ method, url, headers, [Symbol.asyncIterator]: () => request[Symbol.asyncIterator]() }, response)
  }
}
