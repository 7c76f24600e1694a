import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type FormEvent, useState } from 'react'
import { usdText } from '../cost-words.ts'
import { say } from '../language/say.ts'

/** What the conversation may cost in all. A request that would pass it is not made. [COST7] */
export function BudgetField({ store }: { readonly store: ConversationStore }) {
  const known = useConversation(store, (state) => state.overview.settings.budgetUsd ?? null)
  const [draft, setDraft] = useState('')
  const amount = Number(draft)
  const canSet = draft.trim() !== '' && Number.isFinite(amount) && amount > 0

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!canSet) return
    store.changeSettings({ budgetUsd: amount })
    setDraft('')
  }

  return (
    <form className="budget" aria-label={say('inspector.budget')} onSubmit={onSubmit}>
      <span className="meta" data-testid="budget">
        {known === null ? say('inspector.no-budget') : say('inspector.budget-of', { amount: usdText(known) })}
      </span>
      <input
        type="number"
        aria-label={say('inspector.budget-in-us-dollars')}
        placeholder="$"
        min="0"
        step="any"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <button type="submit" className="button small" aria-disabled={!canSet}>
        {say('inspector.set')}
      </button>
      {known !== null && (
        <button type="button" className="link-button" onClick={() => store.changeSettings({ budgetUsd: null })}>
          {say('common.remove')}
        </button>
      )}
    </form>
  )
}
