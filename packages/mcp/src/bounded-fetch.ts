import type { FetchLike } from '@modelcontextprotocol/client'
import { isLocalHost } from './is-page.ts'
import { SERVER_LIMITS } from './server-settings.ts'

/** An address that a server named and that may not be asked. */
class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
  readonly code = 'forbidden-address'
}

/** What a server is asked with. */
export interface BoundedFetchDeps {
  readonly ask: typeof fetch
  /** Those of the operator's file: they are for the server, and for nobody that it names. [SEC24] */
  readonly headers: Readonly<Record<string, string>>
  /** Whether all addresses of a host are of the public internet. */
  readonly isPublicHost: (url: URL) => Promise<boolean>
}

/**
 * A fetch for one server: the operator chose its address. Everything else that it names (of a sign-in) has to be https and
 * of the public internet, unless the server itself stands on this machine or in a private network. No answer is read
 * beyond its limit. [TOOL9, WS5, SEC24]
 */
export function boundedFetch(serverUrl: URL, { ask, headers: own, isPublicHost }: BoundedFetchDeps): FetchLike {
  async function checkNamed(url: URL): Promise<void> {
    if (isLocalHost(url.hostname) && isLocalHost(serverUrl.hostname)) return
    if (url.protocol !== 'https:')
      throw new ForbiddenAddressError(`${url.origin} is not asked: it is neither the server nor https`)
    if (!(await isPublicHost(url)) && (await isPublicHost(serverUrl)))
      throw new ForbiddenAddressError(`${url.origin} is not asked: it is not on the public internet, as the server is`)
  }

  return async (input, init) => {
    const url = new URL(String(input))
    const isOwn = url.origin === serverUrl.origin
    if (!isOwn) await checkNamed(url)
    const response = await ask(
      url,
      isOwn ? { ...init, headers: headersWith(own, init?.headers, url.pathname === serverUrl.pathname) } : init,
    )
    const { body, headers, status, statusText } = response
    if (body === null) return response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    const limited = body.pipeThrough(limit(isStream ? 'event' : 'whole'))
    return new Response(limited, { headers, status, statusText })
  }
}

/** The operator's headers and those of a request. At the server's own address the operator's come first; of a sign-in with the same host, its own. */
function headersWith(
  own: Readonly<Record<string, string>>,
  asked: RequestInit['headers'],
  isServerItself: boolean,
): Headers {
  const headers = new Headers(asked)
  for (const [name, value] of Object.entries(own)) if (isServerItself || !headers.has(name)) headers.set(name, value)
  return headers
}

/** Counts the bytes of a body, or those since the last end of a line where it has no end. */
function limit(of: 'event' | 'whole'): TransformStream<Uint8Array, Uint8Array> {
  const most = SERVER_LIMITS.messageBytes
  let countBytes = 0
  return new TransformStream({
    transform(bytes, controller) {
      const lastBreak = of === 'event' ? bytes.lastIndexOf(0x0a) : -1
      countBytes = lastBreak < 0 ? countBytes + bytes.byteLength : bytes.byteLength - lastBreak - 1
      if (countBytes > most) controller.error(new Error(`The server sent a message of more than ${most} bytes`))
      else controller.enqueue(bytes)
    },
  })
}
