import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { EXTERNAL_AGENT, type Ledger, type LedgerTotals } from '@holdfast/conversation'
import type { LedgerAnswer } from '@holdfast/protocol'
import { type SubmitEvent, useState } from 'react'
import { navigate, pathOf } from '../shared/address.ts'
import { costOfTotals, costText, costTitle, usdText } from '../shared/cost-words.ts'
import { shortCount } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { useLedger } from '../shared/use-ledger.ts'
import { ledgerWord } from './ledger-word.ts'

interface CostSectionProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
}

/** What the conversation has used and cost, branches that were set aside included. [COST2] */
export function CostSection({ context, store }: CostSectionProps) {
  const ledger = useConversation(store, (state) => state.overview.ledger)
  const { total, byPurpose, byModel } = ledger
  const { value } = useLedger({ context, store }, true)
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
                <CostRow key={model} words={modelWords(model)} totals={sum} ledger={ledger} isSum={false} />
              ))}
            <CostRow words={say('inspector.total')} totals={total} ledger={ledger} isSum />
            {value && value.subAgents.requestCount > 0 && (
              <CostRow
                words={say('inspector.sub-agents-beside-it')}
                totals={value.subAgents}
                ledger={ledger}
                isSum={false}
              />
            )}
          </tbody>
        </table>
      )}
      {value && <SubAgents costs={value.subAgentCosts} ledger={ledger} />}
      <BudgetField store={store} />
      {total.unpricedCount > 0 && (
        <p className="meta">
          {say('inspector.no-price-for', { unpriced: total.unpricedCount, requests: total.requestCount })}
        </p>
      )}
    </section>
  )
}

/** What each sub-agent has cost by its own ledger, with the way to it: its requests are listed there. [COST12, RUN17] */
function SubAgents({ costs, ledger }: { readonly costs: LedgerAnswer['subAgentCosts']; readonly ledger: Ledger }) {
  if (costs.length === 0) return null
  return (
    <ul className="steps" data-testid="sub-agent-costs">
      {costs.map(({ conversationId, title, totals, isHere }) => {
        const cost = costOfTotals(totals, ledgerWord(ledger))
        const name = title ?? say('inspector.sub-agent')
        return (
          <li key={conversationId} className="step-line">
            <span className="grows">
              {isHere ? (
                <SubAgentLink conversationId={conversationId} name={name} />
              ) : (
                say('inspector.sub-agent-that-is-deleted')
              )}
            </span>
            <span className="figure" title={costTitle(cost)}>
              {costText(cost)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function SubAgentLink({ conversationId, name }: { readonly conversationId: string; readonly name: string }) {
  const place = { type: 'conversation', conversationId } as const
  return (
    <a
      href={pathOf(place)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(place, 'push')
      }}
    >
      {name}
    </a>
  )
}

const OVERHEAD = [
  { purpose: 'title', words: 'inspector.of-it-titles' },
  { purpose: 'checkpoint', words: 'inspector.of-it-summaries' },
  { purpose: 'sampling', words: 'inspector.of-it-lent' },
  { purpose: 'gateway', words: 'inspector.of-it-passed' },
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

/** A program is its own provider and its own model. */
function modelWords(model: string): string {
  return model.startsWith(EXTERNAL_AGENT)
    ? model.slice(model.lastIndexOf(EXTERNAL_AGENT) + EXTERNAL_AGENT.length)
    : model
}
