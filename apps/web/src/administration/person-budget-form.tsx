import type { Account, PersonBudget } from '@holdfast/protocol'
import { type SubmitEvent, useId } from 'react'
import { typed } from '../account/field.tsx'
import { usdText } from '../shared/cost-words.ts'
import { say } from '../shared/language/say.ts'

interface PersonBudgetProps {
  readonly person: Account
  readonly onSet: (budget: PersonBudget | null) => void
}

/** What someone may spend, as an admin sets it. [COST7] */
export function PersonBudgetForm({ person: { id, name, budget }, onSet }: PersonBudgetProps) {
  const fieldId = useId()
  const known =
    budget === null
      ? say('account.no-budget')
      : say('account.budget-of', { limit: usdText(budget.limitUsd), period: budget.period })

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    const period = typed(form, 'period') === 'day' ? 'day' : 'month'
    onSet({ limitUsd: Number(typed(form, 'limitUsd')), period })
    form.reset()
  }

  return (
    <details className="person-budget" data-testid={`budget-of-${id}`}>
      <summary className="meta">
        {known}
        <span className="visually-hidden"> {say('account.change-budget', { name })}</span>
      </summary>
      <form onSubmit={onSubmit}>
        <label htmlFor={fieldId}>{say('account.us-dollars')}</label>
        <input id={fieldId} type="number" name="limitUsd" required min="0.01" max="1000000" step="0.01" />
        <select name="period" aria-label={say('account.in-each')} defaultValue={budget?.period ?? 'month'}>
          <option value="month">{say('account.a-month')}</option>
          <option value="day">{say('account.a-day')}</option>
        </select>
        <button type="submit" className="button small">
          {say('account.set')}
        </button>
        {budget !== null && (
          <button type="button" className="link-button" onClick={() => onSet(null)}>
            {say('account.remove-budget')}
          </button>
        )}
      </form>
    </details>
  )
}
