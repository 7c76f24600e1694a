import { randomBytes } from 'node:crypto'
import type { Clock } from '@holdfast/conversation'
import type { Account, PersonBudget, Role } from '@holdfast/protocol'
import { LOCAL_USER_ID } from '../door/gate.ts'
import { keyedHash } from '../door/start-up-token.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { AccountTables, Row } from './account-tables.ts'
import type { ApiKeys } from './api-keys.ts'
import type { Auth } from './auth.ts'
import type { SignIns } from './sign-ins.ts'
import { budgetFields, findAccount, isActiveAdmin, listAccounts } from './users.ts'

/** Who has an account. */
export interface People {
  list(): readonly Account[]
  find(userId: string): Account | null
  /** Why nothing is asked of a model for someone, as it is now at whichever server; null where it is. [SCALE34] */
  refusalOf(userId: string): Promise<string | null>
  /** Makes the first account: an admin, to whom belongs what was made before there were accounts. @throws {RefusedError} */
  addFirst(asked: FirstPerson): Promise<Account>
  /** Without a password one is made and given back. @throws {RefusedError} when the address is taken. */
  add(asked: NewPerson): Promise<WithPassword>
  /** @throws {RefusedError} when there is no such user, or nobody could administer any more. */
  change(userId: string, changes: PersonChanges): Promise<Account>
  /** Gives another password, ends all sessions of the user and takes their API keys away. @throws {RefusedError} [SEC25] */
  resetPassword(userId: string, password: string | null): Promise<WithPassword>
}

/** The first person. */
export interface FirstPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** A further one. */
export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly role: Role
  /** Null to have one made. */
  readonly password: string | null
}

/** What may be changed of a person; what is absent stays. */
export interface PersonChanges {
  readonly name?: string
  readonly role?: Role
  readonly disabled?: boolean
  /** Null takes it away. */
  readonly budget?: PersonBudget | null
}

/** A user, with the password where it was made here. It is shown once. */
export interface WithPassword {
  readonly user: Account
  readonly madePassword: string | null
}

/** Keeps people through better-auth. */
export function createPeople({
  auth,
  tables,
  signIns,
  keys,
  clock,
  secret,
}: {
  readonly auth: Auth
  readonly tables: AccountTables
  readonly signIns: SignIns
  readonly keys: Pick<ApiKeys, 'removeAll'>
  readonly clock: Clock
  /** All servers of a database have one. */
  readonly secret: Uint8Array
}): People {
  function checkFree(email: string): void {
    if (listAccounts(tables).some((account) => account.email === email))
      throw new RefusedError(409, 'email-taken', `${email} has an account already`)
  }

  /** Two servers that add one address at a time mean one row, which the store lets one of them write. [SCALE32] */
  function idOf(email: string): string {
    return `user_${Buffer.from(keyedHash(secret, ['holdfast user 1', email]), 'base64url')
      .toString('hex')
      .slice(0, 32)}`
  }

  function kept(userId: string): Account {
    const account = findAccount(tables, userId)
    if (!account) throw new Error(`User ${userId} was not kept`)
    return account
  }

  /** Takes from somebody what an admin may, beside another admin who stays one until this is durable. [SCALE32] */
  async function endAdmin(userId: string, fields: Row): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const other = isActiveAdmin(known(userId))
        ? listAccounts(tables).find((account) => account.id !== userId && isActiveAdmin(account))
        : null
      if (other === undefined)
        throw new RefusedError(409, 'last-admin', 'Nobody else is an admin; make somebody an admin first')
      isDone = await tables.changeAsRead('user', { id: userId, fields, besideId: other?.id ?? null })
    }
  }

  function known(userId: string): Account {
    const account = findAccount(tables, userId)
    if (!account) throw new RefusedError(404, 'unknown-user', `There is no user ${userId}`)
    return account
  }

  return {
    list: () => listAccounts(tables),
    find: (userId) => findAccount(tables, userId),
    async refusalOf(userId) {
      await tables.refresh()
      return findAccount(tables, userId)?.disabled === true ? 'This account is disabled; an admin can enable it' : null
    },
    async addFirst(asked) {
      await tables.refresh()
      const email = asked.email.toLowerCase()
      const isFree = listAccounts(tables).length === 0
      if (!isFree || !(await auth.addUser({ ...asked, email, id: LOCAL_USER_ID, role: 'admin' })))
        throw new RefusedError(409, 'conflict', 'There is an account already; sign in with it')
      return kept(LOCAL_USER_ID)
    },
    async add({ password, ...asked }) {
      const madePassword = password === null ? newPassword() : null
      const email = asked.email.toLowerCase()
      for (;;) {
        await tables.refresh()
        checkFree(email)
        const isFirst = listAccounts(tables).length === 0
        const id = isFirst ? LOCAL_USER_ID : idOf(email)
        const role = isFirst ? 'admin' : asked.role
        if (await auth.addUser({ ...asked, email, id, role, password: password ?? madePassword ?? '' }))
          return { user: kept(id), madePassword }
      }
    },
    async change(userId, { budget, ...changes }) {
      await tables.refresh()
      known(userId)
      const updatedAt = new Date(clock.now()).toISOString()
      const fields = { ...changes, ...(budget === undefined ? {} : budgetFields(budget)), updatedAt }
      if (changes.disabled === true || changes.role === 'user') await endAdmin(userId, fields)
      else await tables.change('user', userId, fields)
      if (changes.disabled === true) await signIns.endAll(userId, null)
      return known(userId)
    },
    async resetPassword(userId, password) {
      await tables.refresh()
      const user = known(userId)
      const madePassword = password === null ? newPassword() : null
      await auth.setPassword(userId, password ?? madePassword ?? '')
      await signIns.endAll(userId, null)
      await keys.removeAll(userId)
      return { user, madePassword }
    },
  }
}

/** Five groups of four characters that nobody mistakes for each other: about 98 bits. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const pick = () => letters[randomBytes(4).readUInt32BE() % letters.length] ?? ''
  return Array.from({ length: 5 }, () => Array.from({ length: 4 }, pick).join('')).join('-')
}
