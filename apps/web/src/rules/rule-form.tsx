import type { PermissionRuleApi } from '@holdfast/client'
import type { WrittenPermissionRule } from '@holdfast/protocol'
import { type SubmitEvent, useId, useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { ruleName } from './rule-line.tsx'
import { RuleTrial } from './rule-trial.tsx'

const EFFECTS = [
  { effect: 'allow', name: 'rules.allow' },
  { effect: 'ask', name: 'rules.ask' },
  { effect: 'deny', name: 'rules.deny' },
] as const

interface RuleFormProps {
  readonly api: PermissionRuleApi
  readonly onAdded: () => void
}

/** A rule of one's own: tried on past calls as often as one likes, and added when it does what was meant. */
export function RuleForm({ api, onAdded }: RuleFormProps) {
  const [effect, setEffect] = useState<WrittenPermissionRule['effect']>('allow')
  const [tool, setTool] = useState('')
  const [pattern, setPattern] = useState('')
  const [tried, setTried] = useState<WrittenPermissionRule | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [effectId, helpId] = [useId(), useId()]
  const written: WrittenPermissionRule = {
    effect,
    tool: tool.trim(),
    ...(pattern.trim() === '' ? {} : { pattern: pattern.trim() }),
  }
  const isWhole = written.tool !== ''

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    if (isWhole) setTried(written)
  }

  async function add(): Promise<void> {
    if (!isWhole || isBusy) return
    setBusy(true)
    if (await told(api.add(null, written))) {
      tell(say('rules.holds-everywhere', { rule: ruleName(written) }), null)
      setTool('')
      setPattern('')
      setTried(null)
      onAdded()
    }
    setBusy(false)
  }

  return (
    <form className="rule-form" data-testid="rule-form" onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={effectId}>{say('rules.then')}</label>
        <select
          id={effectId}
          className="picker boxed"
          value={effect}
          onChange={({ target }) => setEffect(EFFECTS.find((one) => one.effect === target.value)?.effect ?? effect)}
        >
          {EFFECTS.map((one) => (
            <option key={one.effect} value={one.effect}>
              {say(one.name)}
            </option>
          ))}
        </select>
      </div>
      <ExactField name={say('rules.tool')} value={tool} maxLength={200} onValue={setTool} />
      <ExactField
        name={say('rules.only-for')}
        value={pattern}
        maxLength={5_000}
        describedBy={helpId}
        onValue={setPattern}
      />
      <p id={helpId} className="meta">
        <Said of="rules.pattern-help" values={{}} tags={{ code: (inner) => <code dir="ltr">{inner}</code> }} />
      </p>
      <div className="rule-acts">
        <button type="submit" className="button" disabled={!isWhole}>
          {say('rules.try')}
        </button>
        <button type="button" className="button" disabled={!isWhole || isBusy} onClick={() => void add()}>
          {say('rules.add-everywhere')}
        </button>
      </div>
      {tried !== null && <RuleTrial api={api} conversationId={null} rule={tried} />}
    </form>
  )
}

interface ExactFieldProps {
  readonly name: string
  readonly value: string
  readonly maxLength: number
  readonly describedBy?: string
  readonly onValue: (value: string) => void
}

/** A field for what is taken to the letter. */
function ExactField({ name, value, maxLength, describedBy, onValue }: ExactFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        maxLength={maxLength}
        aria-describedby={describedBy}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </div>
  )
}
