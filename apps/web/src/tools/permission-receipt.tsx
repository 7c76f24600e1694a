import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ConversationRule, TranscriptCall, TranscriptPermission } from '@holdfast/conversation'
import { navigate } from '../shared/address.ts'
import { exactTime } from '../shared/format.ts'
import { Glyph } from '../shared/icons.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import { ruleName } from '../shared/rule-words.ts'
import { shortName } from './call-words.ts'

type Settled = NonNullable<TranscriptPermission['settled']>

interface PermissionReceiptProps {
  readonly store: ConversationStore
  readonly call: TranscriptCall
  /** Whether the call stands beside it; its name does where it is folded away. */
  readonly isAlone: boolean
}

/** What became of a request for permission, kept for good, with what takes back the rule that the answer left. [PERM3, PERM5] */
export function PermissionReceipt({ store, call, isAlone }: PermissionReceiptProps) {
  const rules = useConversation(store, ({ overview }) => overview.permissionRules)
  const outbox = useConversation(store, (state) => state.outbox)
  const settled = call.permission?.settled
  if (!settled) return null
  const rule = ruleLeftBy(rules, { settled, tool: call.name })
  const isOnItsWay = outbox.some(({ command }) => command.name === 'revoke-rule' && command.ruleId === rule?.ruleId)
  return (
    <p className="receipt" data-testid="permission-receipt">
      <Glyph name={settled.outcome === 'allowed' ? 'ok' : 'denied'} lively={false} />
      {isAlone && <span className="tool-name">{shortName(call.name)}</span>}
      <span>{[outcomeWords(settled), exactTime(settled.at)].join(' · ')}</span>
      {settled.reason && <q dir="auto">{settled.reason}</q>}
      {rule && settled.scope === 'always' && (
        <button
          type="button"
          className="link-button"
          onClick={() => navigate({ type: 'settings', section: 'permissions' }, 'push')}
        >
          {say('tools.revoke-in-settings')}
        </button>
      )}
      {rule && settled.scope !== 'always' && (
        <button
          type="button"
          className="link-button"
          aria-label={say('tool-panel.take-back-rule', { rule: ruleName(rule) })}
          aria-disabled={isOnItsWay}
          onClick={() => !isOnItsWay && store.revokeRule(rule.ruleId)}
        >
          {say('tools.revoke')}
        </button>
      )}
    </p>
  )
}

/** The rule that an answer left, if it holds still: both stand in one append, at one time. */
function ruleLeftBy(
  rules: readonly ConversationRule[],
  { settled, tool }: { readonly settled: Settled; readonly tool: string },
): ConversationRule | undefined {
  if (settled.by !== 'person' || settled.outcome !== 'allowed' || (settled.scope ?? 'call') === 'call') return undefined
  return rules.find((rule) => rule.givenAt === settled.at && (rule.tool === tool || rule.tool === '*'))
}

function outcomeWords({ outcome, by, scope }: Settled): string {
  switch (outcome) {
    case 'allowed':
      return [say(SCOPES[scope ?? 'call']), say(BY[by])].join(' · ')
    case 'denied':
      return [say('tools.denied-receipt'), say(BY[by])].join(' · ')
    case 'cancelled':
      return [say('tools.cancelled-receipt'), say(BY[by])].join(' · ')
  }
}

const SCOPES: Readonly<Record<NonNullable<Settled['scope']>, PlainKey>> = {
  call: 'tools.allowed-once',
  conversation: 'tools.allowed-here',
  pattern: 'tools.allowed-like-it',
  category: 'tools.allowed-kind',
  always: 'tools.allowed-always',
}

const BY: Readonly<Record<Settled['by'], PlainKey>> = {
  person: 'tools.by-you',
  mode: 'tools.the-permission-mode',
  rule: 'tools.a-rule',
  stop: 'tools.by-stop',
  recovery: 'tools.the-server-ended',
  unattended: 'tools.nobody-was-there',
}
