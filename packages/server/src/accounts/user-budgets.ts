import type { UsageIndex } from '@holdfast/conversation'
import type { BudgetPeriod, UserBudgets } from '@holdfast/engine'
import { type UsageRange, usageRecords } from '../parts/usage-records.ts'
import type { AccountTables } from './account-tables.ts'
import { findAccount } from './users.ts'

/** Records older than this are all there: no server writes one with an earlier time any more. In milliseconds. */
const SETTLED_MS = 600_000

/** What was spent from the beginning of a period up to a moment after which it is read again. */
interface SettledSum {
  readonly from: number
  readonly to: number
  readonly usd: number
}

/** What people may spend, and what they have spent whether they have a budget or not. */
export interface Spending extends UserBudgets {
  /** What someone's requests cost since the beginning of the period (UTC), in US dollars, where the price is known. [SCALE18] */
  spentIn(period: BudgetPeriod, userId: string, now: number): Promise<number>
}

/** Budgets as admins set them, and what is used of them by the ledger. Another server's change counts at once. [COST7] */
export function createUserBudgets({
  tables,
  store,
}: {
  readonly tables: AccountTables
  readonly store: UsageIndex
}): Spending {
  const sums = { day: new Map<string, SettledSum>(), month: new Map<string, SettledSum>() }

  /** A long period is summed up once and not again for every request. */
  async function spentIn(period: BudgetPeriod, ownerId: string, now: number): Promise<number> {
    const { from } = periodAt(period, now)
    const kept = sums[period].get(ownerId)
    const known = kept?.from === from ? kept : { from, to: from, usd: 0 }
    const to = Math.max(known.to, now - SETTLED_MS)
    const usd = known.usd + (await sumOf(store, { ownerId, from: known.to, to }))
    sums[period].set(ownerId, { from, to, usd })
    return usd + (await sumOf(store, { ownerId, from: to, to: Number.MAX_SAFE_INTEGER }))
  }

  return {
    spentIn,
    async budgetOf(userId, now) {
      await tables.refresh()
      const budget = findAccount(tables, userId)?.budget ?? null
      if (budget === null) return null
      const { endsAt } = periodAt(budget.period, now)
      return { ...budget, spentUsd: await spentIn(budget.period, userId, now), endsAt }
    },
  }
}

/** What is known of the costs; a price that nobody knows adds nothing. [COST3] */
async function sumOf(store: UsageIndex, range: UsageRange): Promise<number> {
  let usd = 0
  if (range.from === range.to) return usd
  for await (const page of usageRecords(store, range)) for (const { costUsd } of page) usd += costUsd ?? 0
  return usd
}

/** The calendar day or month in UTC that a moment is in. */
export function periodAt(period: BudgetPeriod, now: number): { readonly from: number; readonly endsAt: number } {
  const at = new Date(now)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  switch (period) {
    case 'day':
      return { from: Date.UTC(year, month, day), endsAt: Date.UTC(year, month, day + 1) }
    case 'month':
      return { from: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) }
  }
}
