import { createHmac } from 'node:crypto'
import type { Clock, Records, UsageIndex } from '@holdfast/conversation'
import { isSame } from '../door/credentials.ts'
import type { Gate, IncomingRequest } from '../door/gate.ts'
import { createPageKeys } from '../door/page-keys.ts'
import { keyedHash, type StartUpToken } from '../door/start-up-token.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import { RefusedError } from '../parts/to-problem.ts'
import { createAccountGate } from './account-gate.ts'
import { createAccountTables } from './account-tables.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { createAuth } from './create-auth.ts'
import { createPeople, type FirstPerson, type People } from './people.ts'
import { createSeal } from './seal.ts'
import { createSignIns, type SignedInPage, type SignIns } from './sign-ins.ts'
import { createUserBudgets, type Spending } from './user-budgets.ts'

/** The accounts of an installation. */
export interface Accounts {
  readonly gate: Gate
  readonly people: People
  readonly signIns: SignIns
  readonly keys: ApiKeys
  /** What people may spend, and have spent. [COST7] */
  readonly budgets: Spending
  /** Whether there is no account yet. */
  needsSetup(): boolean
  /** What makes the first account, for the link that the terminal shows. */
  setupToken(): string
  /** Makes the first account and signs it in. @throws {RefusedError} when the token is wrong, or there is one. */
  setUp(incoming: IncomingRequest, asked: FirstPerson & { readonly token: string }): Promise<SignedInPage>
}

/** What accounts are made of. */
export interface AccountsDeps {
  readonly records: Records
  readonly store: UsageIndex
  readonly clock: Clock
  readonly log: Diagnostics
  /** At least 32 bytes, kept outside of the database. Sessions of another secret are none. */
  readonly secret: Uint8Array
  readonly startupToken: StartUpToken
  /** Where the page is, for the cookies: its path, and whether it is served over HTTPS only. */
  readonly page: { readonly basePath: string; readonly isSecure: boolean }
}

/** Opens the accounts that the records hold. */
export async function openAccounts(deps: AccountsDeps): Promise<Accounts> {
  const { records, store, clock, log, secret, startupToken, page } = deps
  const tables = await createAccountTables({ records, clock, seal: createSeal(secret, 'sessions') })
  const auth = await createAuth({
    tables,
    clock,
    secret,
    // Several servers of one installation share the secret, and so the cookies.
    cookiePrefix: `holdfast_${createHmac('sha256', secret).update('holdfast cookie name').digest('hex').slice(0, 8)}`,
    cookiePath: page.basePath === '' ? '/' : page.basePath,
    isSecure: page.isSecure,
    onWarning: (message) => log.warn('accounts', { message }),
  })
  const onError = (error: unknown) => log.error('the use of an API key was not noted', { error })
  const keys = createApiKeys({ tables, clock, onError })
  const pageKeys = createPageKeys({ secret: () => secret, clock })
  const signIns = createSignIns({ auth, tables, clock, pageKeys })
  const people = createPeople({ auth, tables, signIns, keys, clock, secret })
  // Of the installation, not of one server: the link of any opens at all of them. [SCALE36]
  const setupToken = (): string => keyedHash(secret, ['holdfast set-up 3'])

  return {
    gate: createAccountGate({ tables, signIns, keys, people, cookieName: auth.cookieName, startupToken, pageKeys }),
    people,
    signIns,
    keys,
    budgets: createUserBudgets({ tables, store }),
    setupToken,
    needsSetup: () => people.list().length === 0,
    async setUp(incoming, { token, ...person }) {
      if (!isSame(token, setupToken()))
        throw new RefusedError(403, 'forbidden', 'This link makes no account; open the one that the terminal shows')
      await people.addFirst(person)
      return signIns.signIn(incoming, { email: person.email, password: person.password })
    },
  }
}
