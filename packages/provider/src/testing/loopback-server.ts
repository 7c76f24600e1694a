import * as http from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request that the loopback server got, and the way to answer it. */
export interface LoopbackRequest {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly bodyText: string
  /** Settles when the client has closed the connection, or the answer is sent. Tells by whom. */
  readonly closed: Promise<'client' | 'server'>
  /** Sends the head of the answer. */
  head(status: number, headers: Readonly<Record<string, string>>): void
  /** Sends bytes, and waits until they have left; false when the client is gone. */
  write(bytes: string | Uint8Array): Promise<boolean>
  end(): void
  /** Breaks the connection off, as a crash would. */
  reset(): void
}

/** A server on this machine whose answers a test decides. */
export interface LoopbackServer {
  readonly baseUrl: string
  /** All requests so far, in order. */
  readonly exchanges: readonly LoopbackRequest[]
  /** What answers from now on. */
  answer(handler: (exchange: LoopbackRequest) => Promise<void> | void): void
  close(): Promise<void>
}

/** Starts a server on a free port of the loopback address. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  const exchanges: LoopbackRequest[] = []
  const failures: unknown[] = []
  let handler: (exchange: LoopbackRequest) => Promise<void> | void = (exchange) => exchange.reset()
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    try {
      const exchange = exchangeOf(request, response, await readText(request))
      exchanges.push(exchange)
      await handler(exchange)
    } catch (error) {
      failures.push(error)
      response.destroy()
    }
  }
  const server = http.createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    baseUrl: `http://127.0.0.1:${isAddress(address) ? address.port : 0}`,
    exchanges,
    answer(next) {
      handler = next
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      if (failures.length > 0) throw failures[0]
    },
  }
}

function exchangeOf(request: http.IncomingMessage, response: http.ServerResponse, bodyText: string): LoopbackRequest {
  const closed = new Promise<'client' | 'server'>((resolve) => {
    response.once('close', () => resolve(response.writableFinished ? 'server' : 'client'))
  })
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    bodyText,
    closed,
    head: (status, headers) => {
      response.writeHead(status, headers)
      response.flushHeaders()
    },
    write: (bytes) =>
      new Promise((resolve) => {
        if (response.destroyed) resolve(false)
        else response.write(bytes, (error) => resolve(!error))
      }),
    end: () => {
      response.end()
    },
    reset: () => {
      request.socket.resetAndDestroy()
    },
  }
}

async function readText(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
