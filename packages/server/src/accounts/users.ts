import { type Account, PersonBudget, Role } from '@holdfast/protocol'
import * as z from 'zod'
import type { AccountTables, Row } from './account-tables.ts'

const StoredUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  disabled: z.boolean(),
  createdAt: z.iso.datetime(),
  budgetLimitUsd: z.number().nullable().default(null),
  budgetPeriod: PersonBudget.shape.period.default('month'),
})

/** A user as everyone else is told of one. */
export function toAccount(row: Row): Account {
  const { createdAt, budgetLimitUsd: limitUsd, budgetPeriod: period, ...user } = StoredUser.parse(row)
  return { ...user, budget: limitUsd === null ? null : { limitUsd, period }, createdAt: Date.parse(createdAt) }
}

/** A budget as a row has it; without one the period stays. */
export function budgetFields(budget: PersonBudget | null): Row {
  return budget === null ? { budgetLimitUsd: null } : { budgetLimitUsd: budget.limitUsd, budgetPeriod: budget.period }
}

/** All users, the oldest first. */
export function listAccounts(tables: AccountTables): readonly Account[] {
  return tables
    .rows('user')
    .map(toAccount)
    .toSorted((a, b) => a.createdAt - b.createdAt)
}

/** One user, or null. */
export function findAccount(tables: AccountTables, userId: string): Account | null {
  const row = tables.row('user', userId)
  return row && toAccount(row)
}

/** Whether someone can administer. */
export function isActiveAdmin({ role, disabled }: Pick<Account, 'role' | 'disabled'>): boolean {
  return role === 'admin' && !disabled
}
