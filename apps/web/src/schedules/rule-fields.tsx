import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { say } from '../shared/language/say.ts'
import { type BuiltRule, isTimed, WEEKDAYS } from './built-rule.ts'
import { Choice, Field } from './form-fields.tsx'
import { dayWord, KIND_WORDS, SHORT_WORDS } from './schedule-words.ts'

const KINDS = [
  'hourly',
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'once',
  'raw',
  'hook',
  'after-schedule',
  'after-conversation',
  'folder',
] as const

interface RulePartProps {
  readonly built: BuiltRule
  readonly onChange: (changes: Partial<BuiltRule>) => void
}

interface RuleFieldsProps extends RulePartProps {
  readonly client: Client
  /** The schedule itself, which does not wait for itself; null for a new one. */
  readonly ownId: string | null
}

/** When a schedule runs: at times, or when something else happens. [UI99] */
export function RuleFields({ client, ownId, built, onChange }: RuleFieldsProps) {
  const { kind } = built
  return (
    <>
      <Choice
        label={say('schedules.when')}
        value={kind}
        options={KINDS}
        word={(one) => say(KIND_WORDS[one])}
        onChosen={(one) => onChange({ kind: one, awaited: '' })}
      />
      {kind === 'once' && (
        <Field label={say('schedules.at')}>
          <input type="datetime-local" value={built.at} onChange={({ target }) => onChange({ at: target.value })} />
        </Field>
      )}
      {kind === 'raw' && (
        <Field label={say('schedules.raw')} isWide>
          <textarea
            className="mono"
            dir="ltr"
            rows={2}
            placeholder="30 2 * * MON-FRI"
            value={built.raw}
            onChange={({ target }) => onChange({ raw: target.value })}
          />
        </Field>
      )}
      {isTimed(built) && kind !== 'once' && kind !== 'raw' && (
        <Field label={say(kind === 'hourly' ? 'schedules.minute' : 'schedules.time')}>
          <input type="time" value={built.time} onChange={({ target }) => onChange({ time: target.value })} />
        </Field>
      )}
      {kind === 'weekly' && <Weekdays built={built} onChange={onChange} />}
      {kind === 'monthly' && <MonthDay built={built} onChange={onChange} />}
      {kind === 'after-schedule' && <AwaitedSchedule client={client} ownId={ownId} built={built} onChange={onChange} />}
      {kind === 'after-conversation' && <AwaitedConversation client={client} built={built} onChange={onChange} />}
      {kind === 'folder' && (
        <Field label={say('schedules.folder')}>
          <input type="text" dir="ltr" value={built.path} onChange={({ target }) => onChange({ path: target.value })} />
        </Field>
      )}
    </>
  )
}

function Weekdays({ built, onChange }: RulePartProps) {
  return (
    <fieldset className="schedule-days">
      <legend>{say('schedules.days')}</legend>
      {WEEKDAYS.map(({ code, at }) => (
        <label key={code} className="check">
          <input
            type="checkbox"
            checked={built.weekdays.includes(code)}
            onChange={({ target }) =>
              onChange({
                weekdays: WEEKDAYS.map((day) => day.code).filter((day) =>
                  day === code ? target.checked : built.weekdays.includes(day),
                ),
              })
            }
          />
          {dayWord(at)}
        </label>
      ))}
    </fieldset>
  )
}

function MonthDay({ built, onChange }: RulePartProps) {
  return (
    <>
      <Field label={say('schedules.month-day')}>
        <input
          type="number"
          min={1}
          max={31}
          value={built.monthDay}
          onChange={({ target }) => onChange({ monthDay: Math.min(31, Math.max(1, Number(target.value) || 1)) })}
        />
      </Field>
      {built.monthDay > 28 && (
        <Choice
          label={say('schedules.short-months')}
          value={built.short}
          options={['skip', 'last-day'] as const}
          word={(one) => say(SHORT_WORDS[one])}
          onChosen={(short) => onChange({ short })}
        />
      )}
    </>
  )
}

function AwaitedSchedule({ client, ownId, built, onChange }: RuleFieldsProps) {
  const known = useObservable(client.schedules, ({ value }) => value)
  const rows = (known?.schedules ?? []).filter(({ id }) => id !== ownId)
  return <Awaited label={say('schedules.awaited-schedule')} rows={rows} built={built} onChange={onChange} />
}

/** Of the conversations that changed last so many can be chosen. */
const OFFERED = 50

function AwaitedConversation({ client, built, onChange }: RulePartProps & Pick<RuleFieldsProps, 'client'>) {
  const { rows } = useObservable(client.conversations, (list) => list)
  const offered = rows.slice(0, OFFERED).map(({ id, title, firstWords }) => ({ id, name: title ?? firstWords ?? '' }))
  return <Awaited label={say('schedules.awaited-conversation')} rows={offered} built={built} onChange={onChange} />
}

function Awaited(
  props: RulePartProps & {
    readonly label: string
    readonly rows: readonly { readonly id: string; readonly name: string }[]
  },
) {
  const { label, rows, built, onChange } = props
  const isThere = rows.some(({ id }) => id === built.awaited)
  return (
    <Field label={label}>
      <select
        className="picker boxed"
        value={built.awaited}
        onChange={({ target }) => onChange({ awaited: target.value })}
      >
        {!isThere && <option value={built.awaited}>{built.awaited === '' ? '…' : built.awaited}</option>}
        {rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === '' ? say('inbox.untitled') : name}
          </option>
        ))}
      </select>
    </Field>
  )
}
