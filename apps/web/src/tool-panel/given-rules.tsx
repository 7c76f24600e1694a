import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ConversationRule } from '@holdfast/conversation'
import { exactTime } from '../format.ts'

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
        <h3>What you allowed here</h3>
        <span className="meta">holds for this conversation</span>
      </header>
      <ul className="given-rules">
        {rules.map((rule) => (
          <li key={rule.ruleId} data-testid="given-rule">
            <span>
              <strong>{EFFECTS[rule.effect]}</strong> {subjectOf(rule)}
              <span className="meta" title={exactTime(rule.givenAt)}>
                {rangeOf(rule)}
              </span>
            </span>
            <button
              type="button"
              className="button small"
              aria-label={`Take back: ${subjectOf(rule)}`}
              disabled={isOnItsWay(rule)}
              onClick={() => store.revokeRule(rule.ruleId)}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const EFFECTS: Readonly<Record<ConversationRule['effect'], string>> = {
  allow: 'Allowed:',
  ask: 'Asked first:',
  deny: 'Denied:',
}

function subjectOf({ tool, categories }: ConversationRule): string {
  return tool === '*' ? `every tool of the kind ${(categories ?? []).join(' or ')}` : tool
}

function rangeOf({ tool, pattern }: ConversationRule): string {
  if (pattern !== undefined) return `only ${pattern}`
  return tool === '*' ? 'destructive ones still ask' : 'with any input'
}
