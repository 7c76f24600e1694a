import type { FetchLike } from '@modelcontextprotocol/client'
import { isLocalHost } from './is-page.ts'
import { SERVER_LIMITS } from './server-settings.ts'

/** An address that a server named and that may not be asked. */
class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
  readonly code = 'forbidden-address'
}

/**
 * A fetch for one server: the operator chose its address, and everything else that it names (of a sign-in) has to be
 * https, unless the server itself stands on this machine. No answer is read beyond its limit. [TOOL9, WS5]
 */
export function boundedFetch(serverUrl: URL, ask: typeof fetch): FetchLike {
  return async (input, init) => {
    const url = new URL(String(input))
    if (
      url.origin !== serverUrl.origin &&
      url.protocol !== 'https:' &&
      !(isLocalHost(url.hostname) && isLocalHost(serverUrl.hostname))
    )
      throw new ForbiddenAddressError(`${url.origin} is not asked: it is neither the server nor https`)
    const response = await ask(url, init)
    const { body, headers, status, statusText } = response
    if (body === null) return response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    const limited = body.pipeThrough(limit(isStream ? 'event' : 'whole'))
    return new Response(limited, { headers, status, statusText })
  }
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
