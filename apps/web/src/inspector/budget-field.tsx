import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type FormEvent, useState } from 'react'
import { usdText } from '../cost-words.ts'

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
    <form className="budget" aria-label="Budget" onSubmit={onSubmit}>
      <span className="meta" data-testid="budget">
        {known === null ? 'No budget' : `Budget ${usdText(known)}`}
      </span>
      <input
        type="number"
        aria-label="Budget in US dollars"
        placeholder="$"
        min="0"
        step="any"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <button type="submit" className="button small" aria-disabled={!canSet}>
        Set
      </button>
      {known !== null && (
        <button type="button" className="link-button" onClick={() => store.changeSettings({ budgetUsd: null })}>
          Remove
        </button>
      )}
    </form>
  )
}
