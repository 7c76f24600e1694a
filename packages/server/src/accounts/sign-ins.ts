import type { Clock } from '@holdfast/conversation'
import type { Account, SessionRow } from '@holdfast/protocol'
import * as z from 'zod'
import type { IncomingRequest } from '../door/gate.ts'
import type { PageKeys } from '../door/page-keys.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { AccountTables, Row } from './account-tables.ts'
import type { Auth } from './auth.ts'
import { ADDRESS_HEADER } from './create-auth.ts'
import { findAccount } from './users.ts'

/** The browsers in which people are signed in. */
export interface SignIns {
  /**
   * The session of a request, with its user; null where it has none, the page key is not shown, or the user is disabled.
   * [SEC19]
   */
  find(incoming: IncomingRequest): Promise<{ readonly sessionId: string; readonly account: Account } | null>
  /** Extends the session of a request when it is time. @returns the cookies to set. */
  extend(incoming: IncomingRequest): Promise<readonly string[]>
  /** @throws {RefusedError} when the two do not belong together, or the account is disabled. */
  signIn(incoming: IncomingRequest, asked: Asked): Promise<SignedInPage>
  /** Ends the session of a request. @returns the cookies to set. */
  signOut(incoming: IncomingRequest): Promise<readonly string[]>
  list(userId: string, currentId: string | null): readonly SessionRow[]
  /** @throws {RefusedError} when the user has no such session. */
  end(userId: string, sessionId: string): Promise<void>
  /** Ends all sessions of a user, except one. */
  endAll(userId: string, exceptId: string | null): Promise<void>
  /** Ends all sessions of everybody. */
  endEverybodys(): Promise<void>
  /** Changes the password of whoever knows it, and ends the other sessions. @throws {RefusedError} */
  changePassword(
    incoming: IncomingRequest,
    asked: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<void>
  isGood(sessionId: string): boolean
}

/** Who has signed in, and what their browser is given. */
export interface SignedInPage {
  readonly account: Account
  readonly setCookies: readonly string[]
  /** What the page shows beside the cookie. */
  readonly pageKey: string
}

/** What someone signs in with. */
export interface Asked {
  readonly email: string
  readonly password: string
  readonly rememberMe?: boolean
}

const StoredSession = z.object({
  id: z.string(),
  userId: z.string(),
  token: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  ipAddress: z.string().nullish(),
  userAgent: z.string().nullish(),
})
type StoredSession = z.infer<typeof StoredSession>

/** Keeps sessions through better-auth. */
export function createSignIns({
  auth,
  tables,
  clock,
  pageKeys,
}: {
  readonly auth: Auth
  readonly tables: AccountTables
  readonly clock: Clock
  readonly pageKeys: PageKeys
}): SignIns {
  const sessions = () => tables.rows('session').map((row) => StoredSession.parse(row))
  const isInTime = ({ expiresAt }: StoredSession) => Date.parse(expiresAt) > clock.now()

  async function removeExpired(): Promise<void> {
    for (const session of sessions()) if (!isInTime(session)) await tables.remove('session', session.id)
  }

  return {
    async find(incoming) {
      const found = await auth.readSession(headersOf(incoming))
      if (!found || !pageKeys.isShown(incoming, found.sessionId)) return null
      const account = findAccount(tables, found.userId)
      return account && !account.disabled ? { sessionId: found.sessionId, account } : null
    },
    extend: (incoming) => auth.extendSession(headersOf(incoming)),
    async signIn(incoming, { email, password, rememberMe }) {
      const done = await auth.signIn(headersOf(incoming), { email, password, rememberMe: rememberMe ?? true })
      // The same words for an unknown address and a wrong password.
      if (!done)
        throw new RefusedError(401, 'wrong-password', 'This e-mail address and this password do not belong together')
      const account = findAccount(tables, done.userId)
      if (!account || account.disabled) {
        await endByToken(done.token)
        throw new RefusedError(403, 'forbidden', 'This account is disabled; an admin can enable it')
      }
      await removeExpired()
      return { account, setCookies: done.setCookies, pageKey: pageKeys.keyOf(begun(done.token).id) }
    },
    signOut: (incoming) => auth.signOut(headersOf(incoming)),
    list: (userId, currentId) =>
      sessions()
        .filter((session) => session.userId === userId && isInTime(session))
        .toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))
        .map((session) => toSignIn(session, currentId)),
    async end(userId, sessionId) {
      const row: Row | null = tables.row('session', sessionId)
      if (row?.['userId'] !== userId || !(await tables.remove('session', sessionId)))
        throw new RefusedError(404, 'unknown-session', `There is no session ${sessionId}`)
    },
    async endAll(userId, exceptId) {
      for (const session of sessions())
        if (session.userId === userId && session.id !== exceptId) await tables.remove('session', session.id)
    },
    async endEverybodys() {
      for (const session of sessions()) await tables.remove('session', session.id)
    },
    async changePassword(incoming, asked) {
      if (await auth.changePassword(headersOf(incoming), asked)) return
      throw new RefusedError(403, 'wrong-password', 'This is not your present password; nothing was changed')
    },
    isGood(sessionId) {
      const row = tables.row('session', sessionId)
      return row !== null && isInTime(StoredSession.parse(row))
    },
  }

  function begun(token: string): StoredSession {
    const session = sessions().find((one) => one.token === token)
    if (!session) throw new Error('A session that has begun was not kept')
    return session
  }

  async function endByToken(token: string): Promise<void> {
    await tables.remove('session', begun(token).id)
  }
}

/** Of a request, only what better-auth needs: the cookie, the browser, and the address as we know it. */
function headersOf({ headers, address }: IncomingRequest): Headers {
  const { cookie, 'user-agent': browser } = headers
  return new Headers({
    [ADDRESS_HEADER]: address,
    ...(cookie === undefined ? {} : { cookie }),
    ...(browser === undefined ? {} : { 'user-agent': browser.slice(0, 300) }),
  })
}

function toSignIn(session: StoredSession, currentId: string | null): SessionRow {
  return {
    id: session.id,
    createdAt: Date.parse(session.createdAt),
    extendedAt: Date.parse(session.updatedAt),
    expiresAt: Date.parse(session.expiresAt),
    address: session.ipAddress || null,
    browser: session.userAgent || null,
    isCurrent: session.id === currentId,
  }
}
