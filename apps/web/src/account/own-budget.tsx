import type { AccountApi } from '@holdfast/client'
import { usdText } from '../cost-words.ts'
import { useLoaded } from './use-loaded.ts'

/** What of their own budget someone has used. Nothing where they may spend what they like. [COST7] */
export function OwnBudget({ account }: { readonly account: AccountApi }) {
  const { value: me, problem } = useLoaded(account.readMe)
  const budget = me?.budget ?? null
  if (problem !== null) return <p role="alert">{problem}</p>
  if (budget === null) return null
  const { limitUsd, spentUsd, period, endsAt } = budget
  const used = `${spentUsd === 0 ? '$0' : usdText(spentUsd)} of ${usdText(limitUsd)} used this ${period}`
  return (
    <section data-testid="own-budget">
      <h3>Budget</h3>
      <meter className="own-budget" aria-label={used} min={0} max={limitUsd} high={0.8 * limitUsd} value={spentUsd} />
      <p className="meta">{`${used}. It begins anew on ${dayInUtc(endsAt)} (UTC).`}</p>
    </section>
  )
}

/** Periods begin at midnight in UTC, wherever the reader is. */
function dayInUtc(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { day: 'numeric', month: 'long', timeZone: 'UTC' })
}
