import { API_PATH, PAGE_KEY_HEADER, PAGE_KEY_PROTOCOL, SOCKET_PATH, SOCKET_PROTOCOL } from '@holdfast/protocol'
import type { LineEnd, Transport } from './transport.ts'

/** Where the server is, and with what to knock. */
export interface ServerAddress {
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** The start-up token; left out in a browser, which has its cookie and a page key. */
  readonly token?: string
  /** Where a page keeps its key; left out where there is a token. */
  readonly pageKey?: PageKeyKeeper
}

/** Keeps the key that a page shows beside its cookie, which alone opens nothing. [SEC19] */
export interface PageKeyKeeper {
  /** Null where this browser did not come in yet. */
  load(): string | null
  save(key: string): void
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

function openSocket({ url, token, pageKey }: ServerAddress): WebSocket {
  const address = url.replace(/^http/, 'ws') + SOCKET_PATH
  if (token !== undefined) return new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })
  const key = pageKey?.load() ?? null
  // A browser sets no headers on a socket; the protocols that it asks for are what it can say.
  return key === null ? new WebSocket(address) : new WebSocket(address, [SOCKET_PROTOCOL, PAGE_KEY_PROTOCOL + key])
}

/** A socket that was refused does not say why; the same question over HTTP does. */
async function isUnauthorized(server: ServerAddress): Promise<boolean> {
  try {
    const answer = await fetch(`${server.url}${API_PATH}/conversations?limit=1`, { headers: headersOf(server) })
    await answer.body?.cancel()
    return answer.status === 401
  } catch {
    return false
  }
}

/** What every request carries. */
export function headersOf({ token, pageKey }: ServerAddress): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  const key = pageKey?.load() ?? null
  return key === null ? {} : { [PAGE_KEY_HEADER]: key }
}
