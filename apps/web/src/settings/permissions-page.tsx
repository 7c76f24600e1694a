import type { Client } from '@holdfast/client'
import type { AlwaysRule } from '@holdfast/protocol'
import { useCallback } from 'react'
import { RuleForm } from '../rules/rule-form.tsx'
import { RuleTool } from '../rules/rule-line.tsx'
import { SuggestedRules } from '../rules/suggested-rules.tsx'
import { told, useAsked } from '../shared/ask-server.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { ruleName, toolWords } from '../shared/rule-words.ts'
import { tell } from '../shared/toasts/toasts.ts'

const EFFECTS: Readonly<Record<AlwaysRule['effect'], PlainKey>> = {
  allow: 'settings.allowed',
  ask: 'settings.asked-first',
  deny: 'settings.denied',
}

/** The rules that hold in all conversations, and how they are taken back. [PERM5] */
export function PermissionsPage({ client }: { readonly client: Client }) {
  const [answer, askForRules] = useAsked(client.listAlwaysRules)
  const suggest = useCallback(() => client.permissionRules.suggest(null), [client])
  const [suggested, askForSuggestions] = useAsked(suggest)

  function askAgain(): void {
    askForRules()
    askForSuggestions()
  }

  async function revoke(rule: AlwaysRule): Promise<void> {
    if (await told(client.revokeAlwaysRule(rule.ruleId)))
      tell(say('settings.the-rule-for-tool-does', { tool: toolWords(rule) }), null)
    askAgain()
  }

  return (
    <section aria-label={say('settings.rules')}>
      <p className="settings-lead">{say('settings.what-is-decided-first-counts')}</p>
      <h2>{say('settings.rules-for-all-conversations')}</h2>
      {answer.type === 'asking' && <p className="meta">{say('settings.reading-the-rules')}</p>}
      {answer.type === 'failed' && (
        <p className="problem" role="alert">
          {say('settings.rules-not-read', { problem: answer.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {answer.type === 'here' && answer.value.length === 0 && (
        <p className="meta">{say('settings.none-yet-always-on-a')}</p>
      )}
      {answer.type === 'here' && answer.value.length > 0 && (
        <table className="settings-table" data-testid="always-rules">
          <thead>
            <tr>
              <th scope="col">{say('settings.tool')}</th>
              <th scope="col">{say('settings.only-for')}</th>
              <th scope="col">{say('settings.then')}</th>
              <th scope="col">
                <span className="visually-hidden">{say('common.change')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {answer.value.map((rule) => (
              <tr key={rule.ruleId} data-testid="always-rule">
                <td>
                  <RuleTool rule={rule} />
                </td>
                <td className="mono">{rule.pattern ?? say('settings.everything')}</td>
                <td>{say(EFFECTS[rule.effect])}</td>
                <td>
                  <button
                    type="button"
                    className="button"
                    aria-label={say('settings.revoke-the-rule-for-tool', {
                      tool: rule.tool === '*' ? ruleName(rule) : rule.tool,
                    })}
                    onClick={() => void revoke(rule)}
                  >
                    {say('settings.revoke')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>{say('rules.suggested')}</h2>
      {suggested.type === 'asking' && <p className="meta">{say('rules.looking-back')}</p>}
      {suggested.type === 'failed' && (
        <p className="problem" role="alert">
          {suggested.problem}
        </p>
      )}
      {suggested.type === 'here' && (
        <>
          <p className="meta">
            {say(suggested.value.suggestions.length === 0 ? 'rules.nothing-suggested' : 'rules.suggested-lead')}
          </p>
          <SuggestedRules
            api={client.permissionRules}
            conversationId={null}
            suggestions={suggested.value.suggestions}
            onDecided={askAgain}
          />
        </>
      )}
      <h2>{say('rules.your-own')}</h2>
      <RuleForm api={client.permissionRules} onAdded={askAgain} />
    </section>
  )
}
