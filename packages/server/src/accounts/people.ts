import { randomBytes } from 'node:crypto'
import { type Clock, createTurns } from '@holdfast/conversation'
import type { Account, PersonBudget, Role } from '@holdfast/protocol'
import { LOCAL_USER_ID } from '../door/gate.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { AccountTables } from './account-tables.ts'
import type { ApiKeys } from './api-keys.ts'
import type { Auth } from './auth.ts'
import type { SignIns } from './sign-ins.ts'
import { budgetFields, findAccount, isLastAdmin, listAccounts, toAccount } from './users.ts'

/** Who has an account. */
export interface People {
  list(): readonly Account[]
  find(userId: string): Account | null
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
}: {
  readonly auth: Auth
  readonly tables: AccountTables
  readonly signIns: SignIns
  readonly keys: Pick<ApiKeys, 'removeAll'>
  readonly clock: Clock
}): People {
  /** Two at a time could take one address. */
  const turns = createTurns()

  async function insert(person: FirstPerson & { readonly role: Role; readonly id: string }): Promise<Account> {
    const { id, name, role, password } = person
    const email = person.email.toLowerCase()
    if (listAccounts(tables).some((account) => account.email === email))
      throw new RefusedError(409, 'email-taken', `${email} has an account already`)
    await auth.addUser({ id, name, email, role, password })
    const row = tables.row('user', id)
    if (!row) throw new Error(`User ${id} was not kept`)
    return toAccount(row)
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return turns(async () => {
      await tables.refresh()
      return work()
    })
  }

  function known(userId: string): Account {
    const account = findAccount(tables, userId)
    if (!account) throw new RefusedError(404, 'unknown-user', `There is no user ${userId}`)
    return account
  }

  return {
    list: () => listAccounts(tables),
    find: (userId) => findAccount(tables, userId),
    addFirst: (asked) =>
      inTurn(async () => {
        if (listAccounts(tables).length > 0)
          throw new RefusedError(409, 'conflict', 'There is an account already; sign in with it')
        return insert({ ...asked, id: LOCAL_USER_ID, role: 'admin' })
      }),
    add: ({ password, ...asked }) =>
      inTurn(async () => {
        const isFirst = listAccounts(tables).length === 0
        const madePassword = password === null ? newPassword() : null
        const id = isFirst ? LOCAL_USER_ID : `user_${randomBytes(12).toString('hex')}`
        const role = isFirst ? 'admin' : asked.role
        const user = await insert({ ...asked, id, role, password: password ?? madePassword ?? '' })
        return { user, madePassword }
      }),
    change: (userId, { budget, ...changes }) =>
      inTurn(async () => {
        known(userId)
        const endsAdmin = changes.disabled === true || changes.role === 'user'
        if (endsAdmin && isLastAdmin(tables, userId))
          throw new RefusedError(409, 'last-admin', 'Nobody else is an admin; make somebody an admin first')
        const fields = { ...changes, ...(budget === undefined ? {} : budgetFields(budget)) }
        const row = await tables.change('user', userId, { ...fields, updatedAt: new Date(clock.now()).toISOString() })
        if (changes.disabled === true) await signIns.endAll(userId, null)
        return row ? toAccount(row) : known(userId)
      }),
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
