import { createServer, type Server } from 'node:http'

/** A server of this computer, at its port. */
export interface LocalServer {
  readonly host: string
  readonly port: number
  close(): Promise<void>
}

/** A server as Ollama is one, with these models, at a free port or at a certain one. */
export async function startOllama(
  models: readonly string[],
  { port, windowTokens }: { readonly port: number; readonly windowTokens: number },
): Promise<LocalServer> {
  const server: Server = createServer((request, response) => {
    const json = (value: unknown): void =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    request.resume().on('end', () => {
      switch (request.url) {
        case '/v1/models':
          return json({ data: models.map((id) => ({ id, owned_by: 'library' })) })
        case '/api/ps':
          return json({ models: [] })
        case '/api/show':
          return json({ parameters: `num_ctx ${windowTokens}` })
        case '/v1/chat/completions':
          response.setHeader('content-type', 'text/event-stream')
          for (const word of ['A ', 'real ', 'answer.'])
            response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: word } }] })}\n\n`)
          response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`)
          response.end('data: [DONE]\n\n')
          return
        default:
          response.writeHead(404).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const at = typeof address === 'object' && address ? address.port : 0
  return {
    host: `127.0.0.1:${at}`,
    port: at,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
