import { API_PATH, SOCKET_PATH } from '@holdfast/protocol'
import type { LineEnd, Transport } from './transport.ts'

/** Where the server is, and with what to knock. */
export interface ServerAddress {
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** The start-up token; left out in a browser, which has its cookie. */
  readonly token?: string
}

/** Lines over WebSockets. */
export function createWebSocketTransport(address: ServerAddress): Transport {
  return {
    open(events) {
      const socket = openSocket(address)
      let opened = false
      let ended = false

      function end(lineEnd: LineEnd): void {
        if (ended) return
        ended = true
        events.onClose(lineEnd)
      }

      socket.onopen = () => {
        opened = true
        if (!ended) events.onOpen()
      }
      socket.onmessage = ({ data }) => {
        if (!ended && typeof data === 'string') events.onText(data)
      }
      socket.onclose = ({ code }) => {
        if (opened) end({ code, unauthorized: false })
        else void isUnauthorized(address).then((unauthorized) => end({ code: null, unauthorized }))
      }
      return {
        send(text) {
          if (socket.readyState === socket.OPEN) socket.send(text)
        },
        close() {
          ended = true
          socket.close()
        },
      }
    },
  }
}

function openSocket({ url, token }: ServerAddress): WebSocket {
  const address = url.replace(/^http/, 'ws') + SOCKET_PATH
  return token === undefined
    ? new WebSocket(address)
    : new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })
}

/** A socket that was refused does not say why; the same question over HTTP does. */
async function isUnauthorized({ url, token }: ServerAddress): Promise<boolean> {
  try {
    const answer = await fetch(`${url}${API_PATH}/conversations?limit=1`, { headers: headersOf(token) })
    await answer.body?.cancel()
    return answer.status === 401
  } catch {
    return false
  }
}

/** What every request carries. */
export function headersOf(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
