import { ownRoutes, TICKET_PARAMETER } from '@holdfast/protocol'
import { notReached, toFailure } from './http-answer.ts'
import type { HttpApi } from './http-api.ts'
import type { RequestFailedError } from './request-failed-error.ts'
import { headersOf, type ServerAddress } from './web-socket-transport.ts'

/**
 * The address at which a browser gets something of the server by itself. It sends its cookie there and nothing else, and
 * the cookie alone opens nothing: a ticket stands in the address, for this one and for a minute. [SEC19]
 */
export async function ticketed(
  { ask, url }: { readonly ask: HttpApi; readonly url: string },
  target: string,
): Promise<string> {
  const { makeTicket: route } = ownRoutes
  const { ticket } = await ask(route, route.answers[201], { body: { target } })
  return `${url}${target}${target.includes('?') ? '&' : '?'}${TICKET_PARAMETER}=${ticket}`
}

/** Why a browser could not load what is at an address of the server; null where it could, and did not know what it is. */
export async function whyNotLoaded(server: ServerAddress, target: string): Promise<RequestFailedError | null> {
  const headers = { ...headersOf(server), range: 'bytes=0-0' }
  const ending = new AbortController()
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(PICTURE_MS), ending.signal])
    const answer = await fetch(server.url + target, { headers, signal })
    return answer.ok ? null : await toFailure(answer)
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause
    return notReached(cause)
  } finally {
    ending.abort()
  }
}

/** How long a picture may take, in milliseconds. */
const PICTURE_MS = 60_000

/** A picture as a `data:` address, which an element can show without asking for it; null where there is none. */
export async function readPicture(server: ServerAddress, target: string): Promise<string | null> {
  const answer = await fetchPicture(server, target)
  if (answer.status === 404) return null
  if (!answer.ok) throw await toFailure(answer)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const type = answer.headers.get('content-type') ?? 'application/octet-stream'
  return `data:${type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

async function fetchPicture(server: ServerAddress, target: string): Promise<Response> {
  try {
    return await fetch(server.url + target, { headers: headersOf(server), signal: AbortSignal.timeout(PICTURE_MS) })
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause
    throw notReached(cause)
  }
}
