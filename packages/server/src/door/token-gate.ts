import { createHash, createHmac } from 'node:crypto'
import { ALL_SCOPES, type Credential, type Principal } from '../parts/principal.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { bearerOf, isSame } from './credentials.ts'
import { type Gate, LOCAL_USER_ID } from './gate.ts'

/** Opens to the start-up token, or to the cookie it was exchanged for. [SEC2] */
export function createTokenGate(startupToken: string): Gate {
  const cookieValue = createHmac('sha256', startupToken).update('holdfast cookie 1').digest('base64url')
  /** Cookies do not tell ports apart; two installations on one computer have two names. */
  const cookieName = `holdfast_${createHash('sha256').update(startupToken).digest('hex').slice(0, 8)}`

  return {
    mode: 'token',
    cookieName,
    async principalOf({ headers, cookies }) {
      const bearer = bearerOf(headers)
      const cookie = cookies[cookieName]
      if (bearer !== null && isSame(bearer, startupToken)) return localPrincipal({ type: 'start-up-token' })
      if (cookie !== undefined && isSame(cookie, cookieValue)) return localPrincipal({ type: 'cookie' })
      throw new RefusedError(
        401,
        'unauthorized',
        'Open the link that the terminal shows, or send its token as a bearer token',
      )
    },
    isStillGood: () => true,
    refresh: async () => {},
    onWithdrawn: () => () => {},
    exchange(token) {
      return isSame(token, startupToken) ? { name: cookieName, value: cookieValue } : null
    },
  }
}

/** The user of this computer: may do everything. */
export function localPrincipal(credential: Credential): Principal {
  return { userId: LOCAL_USER_ID, role: 'admin', scopes: ALL_SCOPES, credential }
}
