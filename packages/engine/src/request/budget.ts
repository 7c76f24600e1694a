import type { RequestPrice } from '@holdfast/context'
import type { NewEntry, Overview } from '@holdfast/conversation'
import type { Ending } from '../api/ending.ts'
import type { UserBudget } from '../api/user-budgets.ts'
import type { RunAtWork } from '../live/run-at-work.ts'
import { ENGINE } from '../log/engine-actor.ts'

/** What a budget is judged by: what a request costs at most, else its prompt alone; null for what nobody knows. */
export type ExpectedPrice = Pick<RequestPrice, 'usd' | 'promptUsd'>

/** A budget with what of it is used, in words for a person. */
interface UsedBudget {
  /** Begins the sentence. */
  readonly name: string
  readonly limitUsd: number
  readonly spentUsd: number
  /** What to do when it does not reach. */
  readonly advice: string
  /** Null for one that nobody raises. */
  readonly limit: NonNullable<Ending['limit']> | null
  /** Code of the notice that it is nearly used. */
  readonly nearCode: 'budget-near' | 'user-budget-near' | 'schedule-budget-near' | 'auto-fix-near'
  /** Until when that is so, with what tells this budget from an earlier one. */
  readonly until: string
}

/** What a budget says to the coming request. */
type BudgetVerdict =
  /** It is far away, or nobody knows what the request costs. */
  | { readonly type: 'within' }
  /** A person is told once for each budget and period, and the request is made. */
  | { readonly type: 'near'; readonly budget: UsedBudget; readonly text: string }
  /** The request would pass it, and is not made. */
  | { readonly type: 'over'; readonly ending: Ending }

/** From this share of a budget on a person is told. */
const NEAR_SHARE = 0.8

/** The end of a run whose budget is used up; null while it is not, or where there is none. [COST7] */
export function usedUp(state: Overview): Ending | null {
  const budget = conversationBudget(state)
  return budget === null || budget.spentUsd < budget.limitUsd ? null : over(budget, isUsedUp(budget))
}

/**
 * Judges a request by whether its owner's account is disabled, and by what it is expected to cost, against the budget of the conversation and that of its owner: it is
 * not made when it would pass one of them. A person is told once when one is nearly used. [COST7, SCALE34]
 *
 * @returns how what asks for it ends where a budget does not reach; null where it may be made.
 */
export async function judgeBudgets(
  { ports, log, ownerId, epoch }: RunAtWork,
  price: ExpectedPrice,
): Promise<Ending | null> {
  const refusal = (await ports.people?.refusalOf(ownerId)) ?? null
  if (refusal !== null) return { outcome: 'limit', reason: refusal }
  const state = log.overview()
  const own = conversationBudget(state)
  const ofUser = (await ports.userBudgets?.budgetOf(ownerId, ports.clock.now())) ?? null
  const ofSchedule = scheduleBudget(state)
  const ofFix = autoFixBudget(state)
  const budgets = [own, ofUser === null ? null : namedBudget(ofUser), ofSchedule, ofFix].filter(
    (budget) => budget !== null,
  )
  const verdicts = budgets.map((budget) => verdictOf(budget, price))
  const ended = verdicts.find((verdict) => verdict.type === 'over')
  if (ended) return ended.ending
  const near = verdicts.filter((verdict) => verdict.type === 'near')
  const notices = near
    .filter(({ budget }) => !isTold(state, budget))
    .map(({ budget: { nearCode: code, until }, text }): NewEntry => {
      return { type: 'notice-raised', actor: ENGINE, code, severity: 'warning', text, until }
    })
  if (notices.length > 0) await log.append({ epoch, command: null, dropDraft: null }, () => notices)
  return null
}

/** Once a budget is used up only what is known to be free goes on; what nobody knows the price of does until then. */
function verdictOf(budget: UsedBudget, price: ExpectedPrice): BudgetVerdict {
  const { name, limitUsd, spentUsd } = budget
  const nextUsd = price.usd?.high ?? price.promptUsd
  if (nextUsd === 0) return { type: 'within' }
  if (spentUsd >= limitUsd) return { type: 'over', ending: over(budget, isUsedUp(budget)) }
  if (nextUsd === null) return { type: 'within' }
  const next = `${usdText(spentUsd)} is used, and the next request costs about ${usdText(nextUsd)} (estimated)`
  if (spentUsd + nextUsd > limitUsd) return { type: 'over', ending: over(budget, `${name} does not reach: ${next}`) }
  if (spentUsd + nextUsd < limitUsd * NEAR_SHARE) return { type: 'within' }
  return { type: 'near', budget, text: `${name} is nearly used: ${next}.` }
}

/** Whether the log says so of the same budget in the same period already. */
function isTold({ notices }: Overview, { nearCode, until }: UsedBudget): boolean {
  return notices.some((notice) => notice.code === nearCode && notice.until === until)
}

function conversationBudget({ settings: { budgetUsd }, ledger }: Overview): UsedBudget | null {
  if (budgetUsd === undefined) return null
  const name = `The budget of ${usdText(budgetUsd)}`
  return {
    name,
    limitUsd: budgetUsd,
    spentUsd: ledger.own.costUsd,
    advice: 'Raise it to go on.',
    limit: 'budget',
    nearCode: 'budget-near',
    until: `the budget of ${usdText(budgetUsd)} is raised`,
  }
}

/** What the schedule of the run that is open gave it, against what this run has cost. [COST7] */
function scheduleBudget({ runState: { exclusive } }: Overview): UsedBudget | null {
  const budget = exclusive?.schedule?.budget
  if (!exclusive || budget === undefined) return null
  const { period, wholeUsd, usedUsd } = budget
  const given = usdText(budget.limitUsd)
  const isOfRun = period === 'run'
  const whole = wholeUsd === undefined ? '' : ` of ${usdText(wholeUsd)}`
  const used = usedUsd === undefined ? '' : ` (${usdText(usedUsd)} was used before)`
  const name = isOfRun
    ? `What its schedule may spend in this run, ${given},`
    : `What this run was given, ${given} that was left of the ${period} budget${whole} of its schedule${used},`
  return {
    name,
    limitUsd: budget.limitUsd,
    spentUsd: exclusive.costUsd,
    advice: isOfRun
      ? 'Change the budget of the schedule to let it do more.'
      : `The next ${period} has a budget of its own; change that of the schedule to let it do more before.`,
    limit: 'schedule-budget',
    nearCode: 'schedule-budget-near',
    until: `run ${exclusive.runId} has ended`,
  }
}

/** What auto-fix may spend for one message of a person, while a turn of it runs. [WS4] */
function autoFixBudget({ autoFix, runState }: Overview): UsedBudget | null {
  const { last, capUsd, costUsd } = autoFix
  if (last === null || last.runId === null || runState.exclusive?.runId !== last.runId) return null
  return {
    name: `What auto-fix may spend, ${usdText(capUsd)},`,
    limitUsd: capUsd,
    spentUsd: costUsd,
    advice: 'Write a message to go on.',
    limit: null,
    nearCode: 'auto-fix-near',
    until: 'you write a message',
  }
}

function namedBudget({ limitUsd, spentUsd, period, endsAt }: UserBudget): UsedBudget {
  const until = new Date(endsAt).toISOString().slice(0, 10)
  return {
    name: `Your budget of ${usdText(limitUsd)} a ${period}`,
    limitUsd,
    spentUsd,
    advice: `It begins anew on ${until} (UTC); an admin can raise it before.`,
    limit: 'user-budget',
    nearCode: 'user-budget-near',
    until: `the budget of ${usdText(limitUsd)} a ${period} begins anew on ${until} (UTC), or is raised`,
  }
}

function isUsedUp({ name, spentUsd }: UsedBudget): string {
  return `${name} is used up (${usdText(spentUsd)})`
}

function over({ advice, limit }: UsedBudget, what: string): Ending {
  return { outcome: 'limit', reason: `${what}. ${advice}`, ...(limit === null ? {} : { limit }) }
}

/** Two decimals, and four below a cent. */
function usdText(usd: number): string {
  return `$${usd !== 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`
}
