import { type IncomingMessage, request as requestOf } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Connections } from './connections.ts'
import { type Ends, headersToBrowser, headersToTarget } from './rewrite-headers.ts'

/** A socket on its way. */
export interface ForwardedUpgrade extends Ends {
  readonly connections: Connections
  /** What the browser sent behind its request. */
  readonly head: Buffer
}

/** Passes a WebSocket on, with all that is said before and behind its opening; an answer that opens none, as it is. */
export function forwardUpgrade(incoming: IncomingMessage, socket: Duplex, forwarded: ForwardedUpgrade): void {
  const passed = requestOf({
    createConnection: forwarded.connections.alone,
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: headersToTarget(incoming.rawHeaders, forwarded, { isDocument: false, isUpgrade: true }),
    setHost: false,
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => passed.destroy())
  passed.on('error', () => {
    if (socket.writable) socket.end(refusalOf(502, 'Bad Gateway'))
  })
  passed.on('upgrade', (answer, other, first) => {
    socket.write(
      headOf(101, answer.statusMessage ?? 'Switching Protocols', [
        ...headersToBrowser(answer.rawHeaders, forwarded, { isChanged: false }),
        ...['Connection', 'Upgrade', 'Upgrade', answer.headers.upgrade ?? 'websocket'],
      ]),
    )
    if (first.byteLength > 0) socket.write(first)
    if (forwarded.head.byteLength > 0) other.write(forwarded.head)
    join(socket, other)
  })
  passed.on('response', (answer) => {
    const headers = headersToBrowser(answer.rawHeaders, forwarded, { isChanged: false })
    // The end of the connection is the end of the body: what was in chunks comes out of them here.
    socket.write(headOf(answer.statusCode ?? 502, answer.statusMessage ?? '', [...headers, 'Connection', 'close']))
    answer.on('error', () => socket.destroy())
    answer.pipe(socket)
  })
  passed.end()
}

/** An answer without a body that closes the connection. */
export function refusalOf(status: number, reason: string): string {
  return headOf(status, reason, ['Connection', 'close', 'Content-Length', '0'])
}

function headOf(status: number, reason: string, headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status} ${reason}`]
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Until one of the two ends; then the other does. */
function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}
