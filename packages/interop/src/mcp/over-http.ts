import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends what the MCP server answers, as it comes. */
export function passAnswer(reply: FastifyReply, { status, headers, body }: Response): void {
  reply.hijack()
  reply.raw.writeHead(status, { ...Object.fromEntries(headers), 'cache-control': 'no-store' })
  if (body === null) reply.raw.end()
  else
    Readable.fromWeb(body)
      .on('error', () => reply.raw.destroy())
      .pipe(reply.raw)
}

/** The headers of a request as the MCP server takes them: its body was read already. */
export function headersOf({ headers }: Pick<FastifyRequest, 'headers'>): Headers {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !name.startsWith(':')) made.set(name, value)
  made.delete('content-length')
  return made
}
