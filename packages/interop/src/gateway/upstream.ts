import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { HTTP_LIMITS, networkError } from '@holdfast/provider'

/** A request to a provider, as it goes out. */
export interface UpstreamRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
  readonly signal: AbortSignal
}

const AGENTS = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) } as const

/**
 * Sends it, and waits for the head of its answer. Whoever has the answer reads it to its end or destroys it.
 *
 * @throws {ProviderError} `network` where none comes, also when the signal aborts.
 */
export function askUpstream({ method, url, headers, body, signal }: UpstreamRequest): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      method,
      headers: { ...headers },
      agent: AGENTS[isSecure ? 'https:' : 'http:'],
    })
    const stop = (): void => void request.destroy()
    const late = (limitMs: number, what: string) => (): void =>
      void request.destroy(Object.assign(new Error(`${what} took longer than ${limitMs} ms`), { code: 'ETIMEDOUT' }))
    const connecting = setTimeout(late(HTTP_LIMITS.connectMs, 'The connection'), HTTP_LIMITS.connectMs)
    const answering = setTimeout(late(HTTP_LIMITS.headersMs, 'The answer'), HTTP_LIMITS.headersMs)
    const settled = (): void => {
      clearTimeout(connecting)
      clearTimeout(answering)
    }
    request.once('socket', (socket: Socket) => {
      const connected = (): void => clearTimeout(connecting)
      if (!socket.connecting) connected()
      else socket.once(isSecure ? 'secureConnect' : 'connect', connected)
    })
    request.once('response', (answer) => {
      settled()
      resolve(answer)
    })
    request.on('error', (error) => {
      settled()
      reject(networkError(error, url.host))
    })
    request.once('close', () => {
      settled()
      signal.removeEventListener('abort', stop)
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    else request.end(body)
  })
}
