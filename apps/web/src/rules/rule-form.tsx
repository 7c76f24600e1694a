import type { PermissionRuleApi } from '@holdfast/client'
import { ToolCategory, type WrittenPermissionRule } from '@holdfast/conversation'
import { type SubmitEvent, useId, useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'
import { EFFECT_WORDS, KIND_WORDS, MARK_WORDS, MARKS, type Mark, ruleName } from '../shared/rule-words.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { RuleTrial } from './rule-trial.tsx'

const EFFECTS = ['allow', 'ask', 'deny'] as const

interface RuleFormProps {
  readonly api: PermissionRuleApi
  readonly onAdded: () => void
}

/** A rule of one's own: tried on past calls as often as one likes, and added when it does what was meant. */
export function RuleForm({ api, onAdded }: RuleFormProps) {
  const [effect, setEffect] = useState<WrittenPermissionRule['effect']>('allow')
  const [tool, setTool] = useState('')
  const [pattern, setPattern] = useState('')
  const [kinds, setKinds] = useState<readonly ToolCategory[]>([])
  const [marks, setMarks] = useState<Marks>({})
  const [tried, setTried] = useState<WrittenPermissionRule | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [effectId, helpId] = [useId(), useId()]
  // Every tool of a kind is allowed as a yes for the kind allows it: what destroys asks. [PERM11]
  const isForKind = tool.trim() === '' && kinds.length > 0
  const ownMarks: Marks = isForKind && effect === 'allow' ? { ...marks, destructive: false } : marks
  const written: WrittenPermissionRule = {
    effect,
    tool: tool.trim() === '' ? '*' : tool.trim(),
    ...(pattern.trim() === '' ? {} : { pattern: pattern.trim() }),
    ...(kinds.length === 0 ? {} : { category: [...kinds] }),
    ...(Object.keys(ownMarks).length === 0 ? {} : { annotations: ownMarks }),
  }
  const isWhole = tool.trim() !== '' || isForKind

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
      setKinds([])
      setMarks({})
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
          onChange={({ target }) => setEffect(EFFECTS.find((one) => one === target.value) ?? effect)}
        >
          {EFFECTS.map((one) => (
            <option key={one} value={one}>
              {say(EFFECT_WORDS[one])}
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
      <KindChoice kinds={kinds} onKinds={setKinds} />
      <MarkChoice marks={ownMarks} isHarmless={isForKind && effect === 'allow'} onMarks={setMarks} />
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

/** What a rule asks of the annotations of tools. */
type Marks = NonNullable<WrittenPermissionRule['annotations']>

interface KindChoiceProps {
  readonly kinds: readonly ToolCategory[]
  readonly onKinds: (kinds: readonly ToolCategory[]) => void
}

/** Which kinds of tools a rule is for; none chosen: all. */
function KindChoice({ kinds, onKinds }: KindChoiceProps) {
  return (
    <fieldset className="rule-kinds">
      <legend>{say('rules.only-kinds')}</legend>
      {ToolCategory.options.map((kind) => (
        <label key={kind} className="check">
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              onKinds(ToolCategory.options.filter((one) => (one === kind ? target.checked : kinds.includes(one))))
            }
          />
          {say(KIND_WORDS[kind])}
        </label>
      ))}
    </fieldset>
  )
}

interface MarkChoiceProps {
  readonly marks: Marks
  /** Whether what destroys is left out by the kind that is allowed. */
  readonly isHarmless: boolean
  readonly onMarks: (marks: Marks) => void
}

/** What must be said of a tool, so that the rule is for it. */
function MarkChoice({ marks, isHarmless, onMarks }: MarkChoiceProps) {
  function choose(mark: Mark, value: string): void {
    const { [mark]: _, ...others } = marks
    onMarks(value === '' ? others : { ...others, [mark]: value === 'yes' })
  }
  return (
    <fieldset className="rule-marks">
      <legend>{say('rules.only-marked')}</legend>
      {MARKS.map((mark) => {
        const wanted = marks[mark]
        const isFixed = isHarmless && mark === 'destructive'
        return (
          <select
            key={mark}
            className="picker boxed"
            aria-label={say(MARK_WORDS[mark].yes)}
            disabled={isFixed}
            value={wanted === undefined ? '' : wanted ? 'yes' : 'no'}
            onChange={({ target }) => choose(mark, target.value)}
          >
            <option value="">{say('rules.any-or-not', { words: say(MARK_WORDS[mark].yes) })}</option>
            <option value="yes">{say(MARK_WORDS[mark].yes)}</option>
            <option value="no">{say(MARK_WORDS[mark].no)}</option>
          </select>
        )
      })}
      <p className="meta">{say('rules.kind-help')}</p>
    </fieldset>
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
