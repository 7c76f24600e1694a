import { hkdfSync } from 'node:crypto'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@holdfast/protocol'
import { betterAuth } from 'better-auth'
import type { AccountTables } from './account-tables.ts'
import { createAuthAdapter } from './auth-adapter.ts'

/** What passwords and sessions need. */
export interface AuthDeps {
  readonly tables: AccountTables
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
export function createAuth({ tables, secret, cookiePrefix, cookiePath, isSecure, onWarning }: AuthDeps) {
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

/** The library with what it knows of us. */
export type Auth = ReturnType<typeof createAuth>
