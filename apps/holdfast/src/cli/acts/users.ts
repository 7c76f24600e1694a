import { text } from 'node:stream/consumers'
import { type Account, MIN_PASSWORD_LENGTH, NewPassword, PersonBudget, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { reachServer } from '../reach/reach-server.ts'
import type { FolderOptions } from './store-commands.ts'

/** Where a password comes from. */
export interface PasswordOptions extends FolderOptions {
  readonly passwordStdin?: boolean
}

/** Says who has an account. @returns the exit code. */
export function listUsers({ json, ...options }: FolderOptions & { readonly json: boolean }): Promise<number> {
  return withApi(options, async (api) => {
    const { users } = await api.call(routes.listUsers, {})
    if (json) process.stdout.write(`${JSON.stringify(users)}\n`)
    else for (const user of users) process.stdout.write(`${lineOf(user)}\n`)
    if (users.length === 0) process.stderr.write('Nobody has an account yet. Add one with: holdfast user add EMAIL\n')
  })
}

/** Gives someone an account. @returns the exit code. */
export async function addUser(
  email: string,
  { name, role, ...options }: PasswordOptions & { readonly name?: string; readonly role: Account['role'] },
): Promise<number> {
  const password = await passwordOf(options)
  return withApi(options, async (api) => {
    const body = { email, role, name: name ?? email.split('@')[0] ?? email, ...password }
    const { user, madePassword } = await api.call(routes.addUser, { body })
    process.stderr.write(`Added ${lineOf(user)}\n`)
    tellPassword(madePassword)
  })
}

/** Gives someone another password. @returns the exit code. */
export async function resetPassword(email: string, options: PasswordOptions): Promise<number> {
  const password = await passwordOf(options)
  return withApi(options, async (api) => {
    const userId = await idOf(api, email)
    const { madePassword } = await api.call(routes.resetPassword, { params: { userId }, body: password })
    process.stderr.write(`${email} has another password. All their sessions have ended.\n`)
    tellPassword(madePassword)
  })
}

/** Sets what someone may spend, or takes that away. @returns the exit code. */
export function setBudget(
  email: string,
  amount: string,
  { per, ...options }: FolderOptions & { readonly per?: PersonBudget['period'] },
): Promise<number> {
  if (amount === 'none') return changeUser(email, { budget: null }, options)
  const budget = PersonBudget.safeParse({ limitUsd: Number(amount), period: per ?? 'month' })
  if (budget.success) return changeUser(email, { budget: budget.data }, options)
  throw new CliError('E_USAGE', 2, `${amount} is no budget: give US dollars, such as 20 or 7.50, or "none".`)
}

/** Changes what someone may do. @returns the exit code. */
export function changeUser(
  email: string,
  body: { readonly role?: Account['role']; readonly disabled?: boolean; readonly budget?: Account['budget'] },
  options: FolderOptions,
): Promise<number> {
  return withApi(options, async (api) => {
    const userId = await idOf(api, email)
    process.stderr.write(`${lineOf(await api.call(routes.changeUser, { params: { userId }, body }))}\n`)
  })
}

/** Through the server of the data folder, or one of this command's own. */
async function withApi({ dataDir }: FolderOptions, work: (api: Api) => Promise<void>): Promise<number> {
  const server = await reachServer({ detect: false, auth: 'accounts', ...(dataDir === undefined ? {} : { dataDir }) })
  try {
    await work(server.api)
    return 0
  } finally {
    await server.close()
  }
}

async function idOf(api: Api, email: string): Promise<string> {
  const { users } = await api.call(routes.listUsers, {})
  const found = users.find((user) => user.email === email.toLowerCase())
  if (found) return found.id
  throw new CliError('E_UNKNOWN_USER', 3, `Nobody has an account with ${email}. See who has: holdfast user list`)
}

async function passwordOf({ passwordStdin }: PasswordOptions): Promise<{ readonly password?: string }> {
  if (passwordStdin !== true) return {}
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (NewPassword.safeParse(password).success) return { password }
  throw new CliError('E_USAGE', 2, `A password has at least ${MIN_PASSWORD_LENGTH} characters; nothing was changed.`)
}

/** The only line on standard output, so that a script can take it. */
function tellPassword(made: string | null): void {
  if (made === null) return
  process.stderr.write('The password, shown this once:\n')
  process.stdout.write(`${made}\n`)
}

function lineOf({ email, name, role, disabled, budget }: Account): string {
  const may = budget === null ? '' : `  $${budget.limitUsd} a ${budget.period}`
  return `${email}  ${role}${disabled ? '  disabled' : ''}${may}  ${name}`
}
