import type { RequestPrice } from '@holdfast/context'
import type { NewEntry, Overview } from '@holdfast/conversation'
import type { Ending } from './ending.ts'
import { ENGINE } from './turn.ts'

/** What a conversation's budget says to the coming request. */
export type BudgetVerdict =
  /** There is none, it is far away, or nobody knows what the request costs. */
  | { readonly type: 'within' }
  /** A person is told once for each budget, and the request is made. */
  | { readonly type: 'near'; readonly notice: NewEntry }
  /** The request would pass it, and is not made. */
  | { readonly type: 'over'; readonly ending: Ending }

/** From this share of a budget on a person is told. */
const NEAR_SHARE = 0.8

const BUDGET_NEAR = 'budget-near'

/** The end of a run whose budget is used up; null while it is not, or where there is none. [COST7] */
export function usedUp({ settings: { budgetUsd }, ledger }: Overview): Ending | null {
  if (budgetUsd === undefined || ledger.own.costUsd < budgetUsd) return null
  return over(`The budget of ${usdText(budgetUsd)} is used up (${usdText(ledger.own.costUsd)}). Raise it to go on.`)
}

/**
 * Judges a request by what it is expected to cost at most: it is not made when that would pass the budget. How long
 * the first answer of a model may be nobody knows; then the prompt alone counts. [COST7]
 */
export function budgetVerdict({ settings, ledger, notices }: Overview, price: RequestPrice): BudgetVerdict {
  const { budgetUsd } = settings
  const nextUsd = price.usd?.high ?? price.promptUsd
  if (budgetUsd === undefined || nextUsd === null || nextUsd === 0) return { type: 'within' }
  const spentUsd = ledger.own.costUsd
  const budget = `The budget of ${usdText(budgetUsd)}`
  const next = `${usdText(spentUsd)} is used, and the next request costs about ${usdText(nextUsd)} (estimated)`
  if (spentUsd + nextUsd > budgetUsd)
    return { type: 'over', ending: over(`${budget} does not reach: ${next}. Raise it to go on.`) }
  const isNear = spentUsd + nextUsd >= budgetUsd * NEAR_SHARE
  const isTold = notices.some(({ code, text }) => code === BUDGET_NEAR && text.startsWith(`${budget} `))
  if (!isNear || isTold) return { type: 'within' }
  const text = `${budget} is nearly used: ${next}.`
  return {
    type: 'near',
    notice: { type: 'notice-raised', actor: ENGINE, code: BUDGET_NEAR, severity: 'warning', text },
  }
}

function over(reason: string): Ending {
  return { outcome: 'limit', reason, limit: 'budget' }
}

/** Two decimals, and four below a cent. */
function usdText(usd: number): string {
  return `$${usd !== 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`
}
