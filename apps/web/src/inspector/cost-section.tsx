import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { Ledger, LedgerTotals } from '@holdfast/conversation'
import { type SubmitEvent, useState } from 'react'
import { costOfTotals, costText, costTitle, usdText } from '../shared/cost-words.ts'
import { shortCount } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { ledgerWord } from './ledger-word.ts'

/** What the conversation has used and cost, branches that were set aside included. [COST2] */
export function CostSection({ store }: { readonly store: ConversationStore }) {
  const ledger = useConversation(store, (state) => state.overview.ledger)
  const { total, byPurpose, byModel, subAgents } = ledger
  const models = Object.entries(byModel)
  return (
    <section className="inspector-part" data-testid="inspector-cost">
      <header>
        <h3>{say('inspector.cost')}</h3>
        <span className="meta">{say('inspector.request-count', { count: total.requestCount })}</span>
      </header>
      {total.requestCount === 0 ? (
        <p className="meta">{say('inspector.numbers-appear-after-the-first')}</p>
      ) : (
        <table className="figures" data-testid="cost-table">
          <tbody>
            <TokenRow words={say('inspector.fresh-input')} tokens={total.inputTokens} />
            <TokenRow
              words={say('inspector.cache-write')}
              tokens={total.cacheCreation5mTokens + total.cacheCreation1hTokens}
            />
            <TokenRow words={say('inspector.cache-read')} tokens={total.cacheReadTokens} />
            <TokenRow words={outputWords(total)} tokens={total.outputTokens} />
            {OVERHEAD.map(({ purpose, words }) => {
              const sum = byPurpose[purpose]
              return sum && <CostRow key={purpose} words={say(words)} totals={sum} ledger={ledger} isSum={false} />
            })}
            {models.length > 1 &&
              models.map(([model, sum]) => (
                <CostRow key={model} words={model} totals={sum} ledger={ledger} isSum={false} />
              ))}
            <CostRow words={say('inspector.total')} totals={total} ledger={ledger} isSum />
            {subAgents.requestCount > 0 && (
              <CostRow words={say('inspector.sub-agents-beside-it')} totals={subAgents} ledger={ledger} isSum={false} />
            )}
          </tbody>
        </table>
      )}
      <BudgetField store={store} />
      {total.unpricedCount > 0 && (
        <p className="meta">
          {say('inspector.no-price-for', { unpriced: total.unpricedCount, requests: total.requestCount })}
        </p>
      )}
    </section>
  )
}

const OVERHEAD = [
  { purpose: 'title', words: 'inspector.of-it-titles' },
  { purpose: 'checkpoint', words: 'inspector.of-it-summaries' },
  { purpose: 'sampling', words: 'inspector.of-it-lent' },
] as const

function TokenRow({ words, tokens }: { readonly words: string; readonly tokens: number }) {
  return (
    <tr>
      <th scope="row">{words}</th>
      <td>{shortCount(tokens)}</td>
      <td />
    </tr>
  )
}

interface CostRowProps {
  readonly words: string
  readonly totals: LedgerTotals
  readonly ledger: Ledger
  readonly isSum: boolean
}

function CostRow({ words, totals, ledger, isSum }: CostRowProps) {
  const cost = costOfTotals(totals, ledgerWord(ledger))
  const { inputTokens, outputTokens, cacheReadTokens } = totals
  return (
    <tr className={isSum ? 'sum' : undefined}>
      <th scope="row">{words}</th>
      <td>{isSum ? '' : `${shortCount(inputTokens + cacheReadTokens)}→${shortCount(outputTokens)}`}</td>
      <td title={costTitle(cost)}>{costText(cost)}</td>
    </tr>
  )
}

function outputWords({ thinkingTokens }: LedgerTotals): string {
  if (thinkingTokens === 0) return say('inspector.output')
  return say('inspector.output-with-thinking', { tokens: shortCount(thinkingTokens) })
}

/** What the conversation may cost in all. A request that would pass it is not made. [COST7] */
function BudgetField({ store }: { readonly store: ConversationStore }) {
  const known = useConversation(store, (state) => state.overview.settings.budgetUsd ?? null)
  const [draft, setDraft] = useState('')
  const amount = Number(draft)
  const canSet = draft.trim() !== '' && Number.isFinite(amount) && amount > 0

  function onSubmit(event: SubmitEvent): void {
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
