import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { RefusedError } from './to-problem.ts'

/** The one user of token mode. */
export const LOCAL_USER_ID = 'local'

/** What of a request the gate looks at. */
export interface Knock {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** Whether it asks for a socket. */
  readonly isSocket: boolean
}

/** Who may come in, in token mode. [SEC2] */
export interface Gate {
  /**
   * Checks where a request says that it goes to and comes from.
   *
   * @throws {RefusedError}
   */
  checkPlace(knock: Knock): void
  /**
   * The user of a request.
   *
   * @throws {RefusedError} when it carries neither the token nor the cookie.
   */
  userOf(knock: Knock): string
  /** The cookie that stands for the token, or null when the token is wrong. */
  exchange(token: string): { readonly name: string; readonly value: string } | null
}

/** What the gate needs. */
export interface GateDeps {
  readonly startupToken: string
  /** `host:port` pairs under which the server is reached, in lower case. */
  readonly allowedHosts: () => ReadonlySet<string>
}

/** Opens to the start-up token, or to the cookie it was exchanged for. */
export function createGate({ startupToken, allowedHosts }: GateDeps): Gate {
  const cookieValue = createHmac('sha256', startupToken).update('holdfast cookie 1').digest('base64url')
  /** Cookies do not tell ports apart; two installations on one computer have two names. */
  const cookieName = `holdfast_${createHash('sha256').update(startupToken).digest('hex').slice(0, 8)}`

  return {
    checkPlace({ method, headers, cookies, isSocket }) {
      const host = headers.host?.toLowerCase() ?? ''
      if (!allowedHosts().has(host)) {
        throw new RefusedError(403, 'wrong-host', `This server does not answer to the name "${host}"`)
      }
      const { origin } = headers
      if (origin !== undefined && origin !== `http://${host}`) {
        throw new RefusedError(403, 'wrong-origin', `Pages of ${origin} may not use this server`)
      }
      const changes = isSocket || (method !== 'GET' && method !== 'HEAD')
      if (changes && origin === undefined && cookies[cookieName] !== undefined && headers.authorization === undefined) {
        throw new RefusedError(403, 'wrong-origin', 'A request with the cookie must name its origin')
      }
    },
    userOf({ headers, cookies }) {
      const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
      const cookie = cookies[cookieName]
      const known =
        (bearer !== undefined && isSame(bearer, startupToken)) || (cookie !== undefined && isSame(cookie, cookieValue))
      if (!known) {
        throw new RefusedError(
          401,
          'unauthorized',
          'Open the link that the terminal shows, or send its token as a bearer token',
        )
      }
      return LOCAL_USER_ID
    },
    exchange(token) {
      return isSame(token, startupToken) ? { name: cookieName, value: cookieValue } : null
    },
  }
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest())
}
