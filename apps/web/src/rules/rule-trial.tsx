import type { PermissionRuleApi } from '@holdfast/client'
import type { WrittenPermissionRule } from '@holdfast/conversation'
import type { RuleTrialAnswer } from '@holdfast/protocol'
import { useCallback } from 'react'
import { goToMessage, messagePath } from '../shared/address.ts'
import { useAsked } from '../shared/ask-server.ts'
import { exactTime } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { objectOf } from '../tools/call-words.ts'

interface RuleTrialProps {
  readonly api: PermissionRuleApi
  readonly conversationId: string | null
  readonly rule: WrittenPermissionRule
}

/** What a rule would have done to past calls, asked of the server when it is shown. */
export function RuleTrial({ api, conversationId, rule }: RuleTrialProps) {
  const ask = useCallback(() => api.tryRule(conversationId, rule), [api, conversationId, rule])
  const [answer] = useAsked(ask)
  return (
    <div className="rule-trial" data-testid="rule-trial" data-state={answer.type} aria-live="polite">
      {answer.type === 'asking' && <p className="meta">{say('rules.looking-back')}</p>}
      {answer.type === 'failed' && <p className="problem">{answer.problem}</p>}
      {answer.type === 'here' && <Trial trial={answer.value} />}
    </div>
  )
}

const EFFECTS = [
  { effect: 'allow', name: 'rules.allowed' },
  { effect: 'ask', name: 'rules.asked' },
  { effect: 'deny', name: 'rules.denied' },
] as const satisfies readonly { readonly effect: WrittenPermissionRule['effect']; readonly name: PlainKey }[]

function Trial({ trial }: { readonly trial: RuleTrialAnswer }) {
  const { rule, isKnownTool, callCount, changedCount, savedCount, againstCount, examples, extent } = trial
  return (
    <>
      {!isKnownTool && <p className="problem">{say('rules.no-such-tool', { tool: rule.tool })}</p>}
      {callCount === 0 ? (
        <p>{say('rules.no-past-calls')}</p>
      ) : (
        <>
          <table className="rule-figures">
            <thead>
              <tr>
                <th scope="col">{say('rules.past-calls', { count: callCount })}</th>
                {EFFECTS.map(({ effect, name }) => (
                  <th key={effect} scope="col">
                    {say(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <Figures name="rules.without-it" counts={trial.without} />
              <Figures name="rules.with-it" counts={trial.with} />
            </tbody>
          </table>
          <p>
            {changedCount === 0 ? say('rules.changes-nothing') : say('rules.saves', { count: savedCount })}{' '}
            {changedCount > 0 && (
              <span className={againstCount > 0 ? 'problem' : undefined}>
                {say('rules.against', { count: againstCount })}
              </span>
            )}
          </p>
          <Examples examples={examples} />
        </>
      )}
      <p className="meta">
        {say('rules.looked-at', { calls: extent.callCount, conversations: extent.conversationCount })}{' '}
        {extent.unseenCount > 0 && say('rules.too-long', { count: extent.unseenCount })}{' '}
        {extent.isCut && say('rules.not-all')}
      </p>
    </>
  )
}

function Figures({ name, counts }: { readonly name: PlainKey; readonly counts: RuleTrialAnswer['with'] }) {
  return (
    <tr>
      <th scope="row">{say(name)}</th>
      {EFFECTS.map(({ effect }) => (
        <td key={effect}>{counts[effect]}</td>
      ))}
    </tr>
  )
}

const MOST_SHOWN = 6

/** Calls of which the rule makes something else, those against an answer first. */
function Examples({ examples }: Pick<RuleTrialAnswer, 'examples'>) {
  if (examples.length === 0) return null
  return (
    <ul className="rule-examples">
      {examples.slice(0, MOST_SHOWN).map(({ conversationId, seq, at, tool, input, said, isAgainst, with: after }) => (
        <li key={`${conversationId} ${seq} ${JSON.stringify(input)}`} data-state={isAgainst ? 'against' : 'plain'}>
          <a
            href={messagePath(conversationId, seq)}
            title={exactTime(at)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              goToMessage(conversationId, seq)
            }}
          >
            <code dir="ltr">{objectOf(input) ?? tool}</code>
          </a>{' '}
          <span className={isAgainst ? 'problem' : 'meta'}>
            {[say(SAID[said ?? 'nothing']), say(THEN[after])].join(' → ')}
          </span>
        </li>
      ))}
    </ul>
  )
}

const SAID: Readonly<Record<'allowed' | 'denied' | 'nothing', PlainKey>> = {
  allowed: 'rules.you-said-yes',
  denied: 'rules.you-said-no',
  nothing: 'rules.you-said-nothing',
}

const THEN: Readonly<Record<WrittenPermissionRule['effect'], PlainKey>> = {
  allow: 'rules.would-run',
  ask: 'rules.would-ask',
  deny: 'rules.would-be-denied',
}
