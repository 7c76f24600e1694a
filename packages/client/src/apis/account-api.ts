import { type Account, type ApiKeyRow, type BodyOf, ownRoutes, type Scope, type SessionRow } from '@holdfast/protocol'
import type * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { createHttpApi } from '../link/http-api.ts'
import type { ServerAddress } from '../link/web-socket-transport.ts'

/** Whether there are accounts, and whether the first one is still to be made. */
export type SignInStateAnswer = BodyOf<typeof ownRoutes.readSignInState, 200>

/** Who is signed in, and what they may do. */
export type Me = BodyOf<typeof ownRoutes.whoAmI, 200>

/** What someone can do about signing in, sessions and keys. Everything throws {RequestFailedError} when it is refused. */
export interface AccountApi {
  readState(): Promise<SignInStateAnswer>
  readMe(): Promise<Me>
  setUp(asked: { token: string; name: string; email: string; password: string }): Promise<Account>
  signIn(asked: { email: string; password: string; rememberMe: boolean }): Promise<Account>
  signOut(): Promise<void>
  listSessions(): Promise<readonly SessionRow[]>
  endSession(sessionId: string): Promise<void>
  changePassword(asked: { currentPassword: string; newPassword: string; keepKeys: boolean }): Promise<void>
  listKeys(): Promise<readonly ApiKeyRow[]>
  /** The key is given this once. */
  makeKey(asked: { name: string; scopes: readonly Scope[] }): Promise<{ readonly key: string; readonly row: ApiKeyRow }>
  removeKey(keyId: string): Promise<void>
  /** The people of the server; for an admin, as all that follows. */
  listUsers(): Promise<readonly Account[]>
  /** The password is made, and given this once. */
  addUser(asked: {
    name: string
    email: string
  }): Promise<{ readonly user: Account; readonly madePassword: string | null }>
  changeUser(userId: string, change: UserChange): Promise<void>
  /** Ends all sign-ins of the person. @returns the made password, given this once. */
  resetPassword(userId: string): Promise<string | null>
}

/** What of a person's account is to be changed; what is absent stays. */
export type UserChange = z.input<typeof ownRoutes.changeUser.body>

/** The ownRoutes about accounts of a server. */
export function createAccountApi(address: ServerAddress): AccountApi {
  return overHttp(createHttpApi(address), (key) => address.pageKey?.save(key))
}

function overHttp(ask: HttpApi, keep: (pageKey: string) => void): AccountApi {
  return {
    readState: () => ask(ownRoutes.readSignInState, ownRoutes.readSignInState.answers[200], {}),
    readMe: () => ask(ownRoutes.whoAmI, ownRoutes.whoAmI.answers[200], {}),
    async setUp(body) {
      const { pageKey, ...account } = await ask(ownRoutes.setUp, ownRoutes.setUp.answers[201], { body })
      keep(pageKey)
      return account
    },
    async signIn(body) {
      const { pageKey, ...account } = await ask(ownRoutes.signIn, ownRoutes.signIn.answers[200], { body })
      keep(pageKey)
      return account
    },
    async signOut() {
      await ask(ownRoutes.signOut, ownRoutes.signOut.answers[200], {})
    },
    listSessions: async () => (await ask(ownRoutes.listSignIns, ownRoutes.listSignIns.answers[200], {})).sessions,
    async endSession(sessionId) {
      await ask(ownRoutes.endSignIn, ownRoutes.endSignIn.answers[200], { params: { sessionId } })
    },
    async changePassword(body) {
      await ask(ownRoutes.changePassword, ownRoutes.changePassword.answers[200], { body })
    },
    listKeys: async () => (await ask(ownRoutes.listKeys, ownRoutes.listKeys.answers[200], {})).keys,
    makeKey: (body) => ask(ownRoutes.makeKey, ownRoutes.makeKey.answers[201], { body }),
    async removeKey(keyId) {
      await ask(ownRoutes.removeKey, ownRoutes.removeKey.answers[200], { params: { keyId } })
    },
    listUsers: async () => (await ask(ownRoutes.listUsers, ownRoutes.listUsers.answers[200], {})).users,
    addUser: (body) => ask(ownRoutes.addUser, ownRoutes.addUser.answers[201], { body }),
    async changeUser(userId, body) {
      await ask(ownRoutes.changeUser, ownRoutes.changeUser.answers[200], { params: { userId }, body })
    },
    async resetPassword(userId) {
      const { resetPassword: route } = ownRoutes
      return (await ask(route, route.answers[200], { params: { userId }, body: {} })).madePassword
    },
  }
}
