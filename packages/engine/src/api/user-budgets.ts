/** How long a person's budget reaches before it begins anew: a calendar day or month in UTC. */
export type BudgetPeriod = 'day' | 'month'

/** What a person may spend in a period over all their conversations, and what of it is used. Money is in US dollars. */
export interface UserBudget {
  readonly limitUsd: number
  readonly spentUsd: number
  readonly period: BudgetPeriod
  /** When it begins anew, in milliseconds since the Unix epoch. */
  readonly endsAt: number
}

/** Who has an account that requests are made for. */
export interface People {
  /** Why none is made for someone now, in words for them; null where they are made. Asked before every request, so an implementer answers soon. [SCALE34] */
  refusalOf(userId: string): Promise<string | null>
}

/** Budgets of people, beside those of single conversations. [COST7] */
export interface UserBudgets {
  /**
   * The budget of a person as it is now; null for none. Asked before every request, so an implementer answers soon.
   * What was carried from elsewhere is not in it; nor is a request that has not ended. [COST8]
   */
  budgetOf(userId: string, now: number): Promise<UserBudget | null>
}
