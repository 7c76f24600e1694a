import { hkdfSync, randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@holdfast/protocol'
import { betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import type { AccountTables } from './account-tables.ts'
import type { Auth } from './auth.ts'
import { createAuthAdapter } from './auth-adapter.ts'

/** What passwords and sessions need. */
export interface AuthDeps {
  readonly tables: AccountTables
  readonly clock: Clock
  /** At least 32 bytes; sessions signed with another one are none. */
  readonly secret: Uint8Array
  /** Begins the names of cookies; two installations on one computer have two. */
  readonly cookiePrefix: string
  /** Where the cookies belong, `/` or the base path. */
  readonly cookiePath: string
  /** Whether the page is served over HTTPS only. */
  readonly isSecure: boolean
  readonly onWarning: (message: string) => void
}

/** How long a session lasts that nobody uses, in seconds. */
const SESSION_SECONDS = 60 * 60 * 24 * 30

/** A session in use is extended at most this often, in seconds. */
const EXTEND_SECONDS = 60 * 60 * 24

/** The header in which the server tells better-auth from where a request comes; what a client sends in it is dropped. */
export const ADDRESS_HEADER = 'x-holdfast-address'

/** Sets better-auth up: e-mail and password, sessions in the tables. Its routes are not served, ours call it. */
export async function createAuth(deps: AuthDeps): Promise<Auth> {
  const auth = setUp(deps)
  const context = await auth.$context

  return {
    cookieName: context.authCookies.sessionToken.name,
    async readSession(headers) {
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } })
      return found && { sessionId: found.session.id, userId: found.user.id }
    },
    async extendSession(headers) {
      const extended = await auth.api.getSession({ headers, returnHeaders: true })
      return extended.headers.getSetCookie()
    },
    async signIn(headers, body) {
      const done = await nullIfRefused(() => auth.api.signInEmail({ body, headers, returnHeaders: true }))
      return (
        done && { userId: done.response.user.id, token: done.response.token, setCookies: done.headers.getSetCookie() }
      )
    },
    async signOut(headers) {
      const done = await auth.api.signOut({ headers, returnHeaders: true })
      return done.headers.getSetCookie()
    },
    changePassword: async (headers, body) =>
      (await nullIfRefused(() => auth.api.changePassword({ body, headers }))) !== null,
    async addUser({ password, ...user }) {
      const hash = await context.password.hash(password)
      const at = new Date(deps.clock.now()).toISOString()
      const times = { createdAt: at, updatedAt: at }
      const id = randomBytes(24).toString('base64url')
      // The rows that better-auth would write one after the other.
      return deps.tables.insertTogether([
        { table: 'user', row: { ...user, emailVerified: true, disabled: false, ...times } },
        {
          table: 'account',
          row: { id, userId: user.id, accountId: user.id, providerId: 'credential', password: hash, ...times },
        },
      ])
    },
    async setPassword(userId, password) {
      await context.internalAdapter.updatePassword(userId, await context.password.hash(password))
    },
  }
}

/** Null for what better-auth refuses; what it fails at is thrown. */
async function nullIfRefused<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return null
    throw error
  }
}

function setUp({ tables, secret, cookiePrefix, cookiePath, isSecure, onWarning }: AuthDeps) {
  return betterAuth({
    // Nothing is made from it: no link is sent, no page is redirected to.
    baseURL: 'http://holdfast.invalid',
    secret: Buffer.from(hkdfSync('sha256', secret, '', 'holdfast sessions', 32)).toString('base64url'),
    database: createAuthAdapter(tables),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: EXTEND_SECONDS, cookieCache: { enabled: false } },
    user: {
      additionalFields: {
        role: { type: 'string', required: true, input: false, defaultValue: 'user' },
        disabled: { type: 'boolean', required: true, input: false, defaultValue: false },
      },
    },
    // The server's own limits count before anything is computed.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message) => onWarning(message),
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: isSecure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', path: cookiePath },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  })
}
