import type { AccountApi } from '@holdfast/client'
import { usdText } from '../cost-words.ts'
import { say } from '../language/say.ts'
import { perSpeech } from '../language/speech.ts'
import { useLoaded } from './use-loaded.ts'

/** What of their own budget someone has used. Nothing where they may spend what they like. [COST7] */
export function OwnBudget({ account }: { readonly account: AccountApi }) {
  const { value: me, problem } = useLoaded(account.readMe)
  const budget = me?.budget ?? null
  if (problem !== null) return <p role="alert">{problem}</p>
  if (budget === null) return null
  const { limitUsd, spentUsd, period, endsAt } = budget
  const used = { spent: spentUsd === 0 ? '$0' : usdText(spentUsd), limit: usdText(limitUsd), period }
  return (
    <section data-testid="own-budget">
      <h3>{say('account.budget')}</h3>
      <meter
        className="own-budget"
        aria-label={say('account.budget-used', used)}
        min={0}
        max={limitUsd}
        high={0.8 * limitUsd}
        value={spentUsd}
      />
      <p className="meta">{say('account.budget-used-until', { ...used, day: dayInUtc().format(endsAt) })}</p>
    </section>
  )
}

/** Periods begin at midnight in UTC, wherever the reader is. */
const dayInUtc = perSpeech(
  ({ locale }) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
)
