import type { PermissionRuleApi, SuggestionRow } from '@holdfast/client'
import { useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { listTime } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { ruleName } from '../shared/rule-words.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { RuleLine } from './rule-line.tsx'
import { RuleTrial } from './rule-trial.tsx'

interface SuggestedRulesProps {
  readonly api: PermissionRuleApi
  /** The conversation that they are for; null for all. */
  readonly conversationId: string | null
  readonly suggestions: readonly SuggestionRow[]
  /** Called when one was added or is not wanted. */
  readonly onDecided: () => void
}

/** Rules that would have answered what the person answered the same way, to be looked at, added or sent away. */
export function SuggestedRules({ suggestions, ...item }: SuggestedRulesProps) {
  return (
    <ul className="suggested-rules">
      {suggestions.map((suggestion) => (
        <li key={ruleName(suggestion.rule)} data-testid="suggested-rule">
          <Suggestion suggestion={suggestion} {...item} />
        </li>
      ))}
    </ul>
  )
}

interface SuggestionProps extends Omit<SuggestedRulesProps, 'suggestions'> {
  readonly suggestion: SuggestionRow
}

function Suggestion({ api, conversationId, suggestion, onDecided }: SuggestionProps) {
  const { rule, answeredCount: count, lastAt } = suggestion
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const name = ruleName(rule)
  const last = listTime(lastAt, Date.now())

  async function decide(work: () => Promise<void>, words: string): Promise<void> {
    if (isBusy) return
    setBusy(true)
    if (await told(work())) {
      tell(words, null)
      onDecided()
    }
    setBusy(false)
  }

  function add(to: string | null): void {
    const words = to === null ? say('rules.holds-everywhere', { rule: name }) : say('rules.holds-here', { rule: name })
    void decide(() => api.add(to, rule), words)
  }

  return (
    <article aria-label={name}>
      <p>
        <RuleLine rule={rule} />
      </p>
      <p className="meta">
        {rule.effect === 'allow' ? say('rules.you-allowed', { count, last }) : say('rules.you-denied', { count, last })}
      </p>
      <div className="rule-acts">
        {conversationId !== null && (
          <button type="button" className="button small" disabled={isBusy} onClick={() => add(conversationId)}>
            {say('rules.add-here')}
          </button>
        )}
        <button type="button" className="button small" disabled={isBusy} onClick={() => add(null)}>
          {say('rules.add-everywhere')}
        </button>
        <button
          type="button"
          className="link-button"
          disabled={isBusy}
          aria-label={say('rules.not-this-one', { rule: name })}
          onClick={() => void decide(() => api.dismiss(rule), say('rules.sent-away'))}
        >
          {say('rules.not-wanted')}
        </button>
        <button type="button" className="link-button" aria-expanded={isTried} onClick={() => setTried(!isTried)}>
          {say('rules.what-it-would-have-done')}
        </button>
      </div>
      {isTried && <RuleTrial api={api} conversationId={conversationId} rule={rule} />}
    </article>
  )
}
