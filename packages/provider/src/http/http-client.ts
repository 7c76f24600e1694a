import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { networkError } from '../errors/network-error.ts'
import type { HttpLimits } from '../wire/http-limits.ts'

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | null
  /** Closes the connection at once. */
  readonly signal: AbortSignal
  readonly limits: HttpLimits
}

/** The answer with its body still to come. Whoever holds it reads it to its end or destroys it. */
export type HttpAnswer = http.IncomingMessage

/** Connections stay open between requests: a step after a tool call starts without a new handshake. */
const AGENTS = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) } as const

/**
 * Sends a request and waits for the headers of the answer, whatever its status.
 *
 * @throws {ProviderError} `network` when there is no answer, also when the signal aborts.
 */
export function sendRequest({ method, url, headers, body, signal, limits }: HttpRequest): Promise<HttpAnswer> {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const bytes = body === null ? null : Buffer.from(body)
    const request = (secure ? https : http).request(target, {
      method,
      agent: AGENTS[secure ? 'https:' : 'http:'],
      headers: {
        'accept-encoding': 'identity',
        ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}),
        ...headers,
      },
    })
    const stop = (): void => {
      request.destroy()
    }
    const late = (limitMs: number, what: string): void => {
      request.destroy(Object.assign(new Error(`${what} took longer than ${limitMs} ms`), { code: 'ETIMEDOUT' }))
    }
    const headersTimer = setTimeout(() => late(limits.headersMs, 'The answer'), limits.headersMs)
    const connectTimer = setTimeout(() => late(limits.connectMs, 'The connection'), limits.connectMs)
    const settled = (): void => {
      clearTimeout(headersTimer)
      clearTimeout(connectTimer)
    }
    request.once('socket', (socket: Socket) => {
      const connected = (): void => clearTimeout(connectTimer)
      if (!socket.connecting) connected()
      else socket.once(secure ? 'secureConnect' : 'connect', connected)
    })
    request.once('response', (answer) => {
      settled()
      resolve(answer)
    })
    request.on('error', (error) => {
      settled()
      reject(networkError(error, target.host))
    })
    request.once('close', () => {
      settled()
      signal.removeEventListener('abort', stop)
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    else request.end(bytes ?? undefined)
  })
}

/** The body as text, cut at the limit. What comes after it is not read. */
export async function readBody(answer: HttpAnswer, limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue
    chunks.push(chunk)
    size += chunk.length
    if (size >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8')
}
