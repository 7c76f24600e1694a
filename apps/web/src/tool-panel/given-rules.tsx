import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ConversationRule } from '@holdfast/conversation'
import { exactTime } from '../format.ts'
import { type PlainKey, say } from '../language/say.ts'

/** The rules that a person has given in this conversation, each to be taken back. [PERM5] */
export function GivenRules({ store }: { readonly store: ConversationStore }) {
  const rules = useConversation(store, ({ overview }) => overview.permissionRules)
  const outbox = useConversation(store, (state) => state.outbox)
  if (rules.length === 0) return null
  const isOnItsWay = ({ ruleId }: ConversationRule): boolean =>
    outbox.some(({ command }) => command.name === 'revoke-rule' && command.ruleId === ruleId)
  return (
    <section className="inspector-part" data-testid="given-rules">
      <header>
        <h3>{say('tool-panel.given-here')}</h3>
        <span className="meta">{say('tool-panel.given-holds')}</span>
      </header>
      <ul className="given-rules">
        {rules.map((rule) => (
          <li key={rule.ruleId} data-testid="given-rule">
            <span>
              <strong>{say(EFFECTS[rule.effect])}</strong> {subjectOf(rule)}
              <span className="meta" title={exactTime(rule.givenAt)}>
                {rangeOf(rule)}
              </span>
            </span>
            <button
              type="button"
              className="button small"
              aria-label={say('tool-panel.take-back-rule', { rule: subjectOf(rule) })}
              disabled={isOnItsWay(rule)}
              onClick={() => store.revokeRule(rule.ruleId)}
            >
              {say('tool-panel.take-back')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const EFFECTS: Readonly<Record<ConversationRule['effect'], PlainKey>> = {
  allow: 'tool-panel.given-allowed',
  ask: 'tool-panel.given-asked',
  deny: 'tool-panel.given-denied',
}

function subjectOf({ tool, categories }: ConversationRule): string {
  return tool === '*' ? say('tool-panel.given-kind', { kinds: (categories ?? []).join(', ') }) : tool
}

function rangeOf({ tool, pattern }: ConversationRule): string {
  if (pattern !== undefined) return say('tool-panel.given-only', { pattern })
  return say(tool === '*' ? 'tool-panel.given-not-destructive' : 'tool-panel.given-any-input')
}
