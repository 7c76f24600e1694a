import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import { RefusedError } from '../parts/to-problem.ts'
import { bearerOf, isSame } from './credentials.ts'
import type { Gate } from './gate.ts'
import { createPageKeys } from './page-keys.ts'
import { keyedHash, type StartUpToken } from './start-up-token.ts'

/** Opens to the start-up token, or to the cookie and the page key it was exchanged for. [SEC2, SEC19] */
export function createTokenGate(token: StartUpToken, clock: Pick<Clock, 'now'>): Gate {
  const pageKeys = createPageKeys({ secret: token.current, clock })
  /** Cookies do not tell ports apart; two installations on one computer have two names. */
  const cookieName = (): string => `holdfast_${createHash('sha256').update(token.current()).digest('hex').slice(0, 8)}`
  const sealOf = (browser: string): string => keyedHash(token.current(), ['holdfast cookie 2', browser])

  /** The browser that a cookie of ours names; null for any other. */
  function browserOf(cookie: string | undefined): string | null {
    const [browser = '', seal = ''] = (cookie ?? '').split('.')
    return isSame(seal, sealOf(browser)) ? browser : null
  }

  return {
    mode: 'token',
    cookieName,
    async principalOf(incoming) {
      const bearer = bearerOf(incoming.headers)
      if (bearer !== null && token.opens(bearer)) return token.admit({ type: 'start-up-token' })
      const browser = browserOf(incoming.cookies[cookieName()])
      if (browser !== null && pageKeys.isShown(incoming, browser)) return token.admit({ type: 'cookie', browser })
      throw new RefusedError(
        401,
        'unauthorized',
        'Open the link that the terminal shows, or send its token as a bearer token',
      )
    },
    isStillGood: token.isCurrent,
    mayComeBack: token.isCurrent,
    refresh: async () => {},
    onWithdrawn: token.onReplaced,
    exchange({ token: given, code }, cookies) {
      const isGood = given === null ? code !== null && token.takeCode(code) : isSame(given, token.current())
      if (!isGood) return null
      // A browser that comes again keeps its name, so that its other tabs go on.
      const browser = browserOf(cookies[cookieName()]) ?? randomBytes(16).toString('base64url')
      return { name: cookieName(), value: `${browser}.${sealOf(browser)}`, pageKey: pageKeys.keyOf(browser) }
    },
    ticketFor: ({ credential }, target) =>
      credential.type === 'cookie' ? pageKeys.ticketOf(credential.browser, target) : null,
  }
}
