/** What is asked of the library for passwords and sessions; nothing else of it is used. */
export interface Auth {
  /** The name of the cookie that holds a session. */
  readonly cookieName: string
  /** The session of these headers, which is not extended; null where there is none. */
  readSession(headers: Headers): Promise<{ readonly sessionId: string; readonly userId: string } | null>
  /** Extends the session of these headers when it is time. @returns the cookies to set. */
  extendSession(headers: Headers): Promise<readonly string[]>
  /** Null when the address and the password do not belong together. */
  signIn(headers: Headers, asked: SignInFields): Promise<SignedIn | null>
  /** Ends the session of these headers. @returns the cookies to set. */
  signOut(headers: Headers): Promise<readonly string[]>
  /** @returns false when the present password is another. */
  changePassword(
    headers: Headers,
    asked: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<boolean>
  /** Adds a user with a password, both or neither. @returns false when the id is taken. */
  addUser(user: NewUser): Promise<boolean>
  /** Gives a user another password. */
  setPassword(userId: string, password: string): Promise<void>
}

/** What someone signs in with. */
export interface SignInFields {
  readonly email: string
  readonly password: string
  readonly rememberMe: boolean
}

/** Who has signed in. */
export interface SignedIn {
  readonly userId: string
  /** Opens the session that has begun. */
  readonly token: string
  readonly setCookies: readonly string[]
}

/** A user to be added. */
export interface NewUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly password: string
}
