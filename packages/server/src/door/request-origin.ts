import { SOCKET_PATH } from '@holdfast/protocol'
import { RefusedError } from '../parts/to-problem.ts'
import type { IncomingRequest } from './gate.ts'

/** Which names the server answers to. */
export interface RequestOriginDeps {
  /** `host:port` pairs under which the server is reached, in lower case. */
  readonly allowedHosts: () => ReadonlySet<string>
  /** The address that people open where it is another than the one listened on; null for none. */
  readonly publicUrl: URL | null
  readonly cookieName: () => string
}

/**
 * Checks where a request says that it goes to and comes from: the Host is one of ours, the Origin is the page of that
 * very Host, and what changes something with the cookie alone has an Origin. [SEC2]
 *
 * @throws {RefusedError}
 */
export function checkRequestOrigin(
  { allowedHosts, publicUrl, cookieName }: RequestOriginDeps,
  { method, headers, cookies, protocol, isSocket }: IncomingRequest,
): void {
  const host = headers.host?.toLowerCase() ?? ''
  if (!allowedHosts().has(host)) {
    throw new RefusedError(
      403,
      'wrong-host',
      `This server does not answer to the name "${host.slice(0, 200)}"; allow it with --allowed-host`,
    )
  }
  const { origin } = headers
  const scheme = publicUrl?.host === host ? publicUrl.protocol : `${protocol}:`
  if (origin !== undefined && origin !== `${scheme}//${host}`) {
    throw new RefusedError(403, 'wrong-origin', `Pages of ${origin.slice(0, 200)} may not use this server`)
  }
  const changes = isSocket || (method !== 'GET' && method !== 'HEAD')
  if (changes && origin === undefined && cookies[cookieName()] !== undefined && headers.authorization === undefined) {
    throw new RefusedError(403, 'wrong-origin', 'A request with the cookie must name its origin')
  }
}

/**
 * Checks that a request is for this server and not for another through it, and asks for no other protocol than a
 * WebSocket where there is one. [SEC5]
 *
 * @throws {RefusedError}
 */
export function checkTarget(asked: {
  /** What the first line of the request names. */
  readonly target: string
  /** The address of the route that was found; absent for none. */
  readonly routeUrl: string | undefined
  readonly upgrade: string | undefined
}): void {
  if (!asked.target.startsWith('/'))
    throw new RefusedError(400, 'bad-request', 'This server is no proxy: the first line of a request names a path')
  if (asked.upgrade !== undefined && asked.routeUrl !== SOCKET_PATH)
    throw new RefusedError(400, 'bad-request', `Only ${SOCKET_PATH} takes an Upgrade; leave the header out`)
}
