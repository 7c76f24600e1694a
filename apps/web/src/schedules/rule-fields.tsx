import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { say } from '../shared/language/say.ts'
import { isTimed, WEEKDAYS } from './built-rule.ts'
import { Choice, Field, Lacking } from './form-fields.tsx'
import { type BuiltRule, RULE_KINDS } from './kept-draft.ts'
import type { Lacks } from './lacking.ts'
import { dayWord, KIND_WORDS, SHORT_WORDS } from './schedule-words.ts'

interface RulePartProps {
  readonly built: BuiltRule
  readonly lacks: Lacks
  readonly onChange: (changes: Partial<BuiltRule>) => void
}

interface RuleFieldsProps extends RulePartProps {
  readonly client: Client
  /** The schedule itself, which does not wait for itself; null for a new one. */
  readonly ownId: string | null
}

/** When a schedule runs: at times, or when something else happens. [UI99] */
export function RuleFields({ client, ownId, ...part }: RuleFieldsProps) {
  const { built, lacks, onChange } = part
  const { kind } = built
  return (
    <>
      <Choice
        label={say('schedules.when')}
        value={kind}
        options={RULE_KINDS}
        word={(one) => say(KIND_WORDS[one])}
        onChosen={(one) => onChange({ kind: one, awaited: '' })}
      />
      {kind === 'once' && (
        <Field label={say('schedules.at')} lack={lacks.at}>
          <input type="datetime-local" value={built.at} onChange={({ target }) => onChange({ at: target.value })} />
        </Field>
      )}
      {kind === 'raw' && (
        <Field label={say('schedules.raw')} lack={lacks.raw} isWide>
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
        <Field label={say(kind === 'hourly' ? 'schedules.minute' : 'schedules.time')} lack={lacks.time}>
          <input type="time" value={built.time} onChange={({ target }) => onChange({ time: target.value })} />
        </Field>
      )}
      {kind === 'weekly' && <Weekdays {...part} />}
      {kind === 'monthly' && <MonthDay {...part} />}
      {kind === 'after-schedule' && <AwaitedSchedule client={client} ownId={ownId} {...part} />}
      {kind === 'after-conversation' && <AwaitedConversation client={client} {...part} />}
      {kind === 'folder' && (
        <Field label={say('schedules.folder')}>
          <input type="text" dir="ltr" value={built.path} onChange={({ target }) => onChange({ path: target.value })} />
        </Field>
      )}
    </>
  )
}

function Weekdays({ built, lacks, onChange }: RulePartProps) {
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
      <Lacking lack={lacks.weekdays} />
    </fieldset>
  )
}

function MonthDay({ built, lacks, onChange }: RulePartProps) {
  return (
    <>
      <Field label={say('schedules.month-day')} lack={lacks.monthDay}>
        <input
          type="text"
          inputMode="numeric"
          dir="ltr"
          aria-invalid={lacks.monthDay !== undefined}
          value={built.monthDay}
          onChange={({ target }) => onChange({ monthDay: target.value })}
        />
      </Field>
      {lacks.monthDay === undefined && Number(built.monthDay) > 28 && (
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

function AwaitedSchedule({ client, ownId, ...part }: RuleFieldsProps) {
  const known = useObservable(client.schedules, ({ value }) => value)
  const rows = (known?.schedules ?? []).filter(({ id }) => id !== ownId)
  return (
    <Awaited label={say('schedules.awaited-schedule')} gone={say('schedules.gone-schedule')} rows={rows} {...part} />
  )
}

/** Of the conversations that changed last so many can be chosen. */
const OFFERED = 50

function AwaitedConversation({ client, ...part }: RulePartProps & Pick<RuleFieldsProps, 'client'>) {
  const { rows } = useObservable(client.conversations, (list) => list)
  const offered = rows.slice(0, OFFERED).map(({ id, title, firstWords }) => ({ id, name: title ?? firstWords ?? '' }))
  return <Awaited label={say('schedules.awaited-conversation')} gone={say('inbox.untitled')} rows={offered} {...part} />
}

function Awaited(
  props: RulePartProps & {
    readonly label: string
    /** What one is called that is not among them. */
    readonly gone: string
    readonly rows: readonly { readonly id: string; readonly name: string }[]
  },
) {
  const { label, gone, rows, built, lacks, onChange } = props
  const isThere = rows.some(({ id }) => id === built.awaited)
  return (
    <Field label={label} lack={lacks.awaited}>
      <select
        className="picker boxed"
        value={built.awaited}
        onChange={({ target }) => onChange({ awaited: target.value })}
      >
        {!isThere && <option value={built.awaited}>{built.awaited === '' ? '…' : gone}</option>}
        {rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === '' ? say('inbox.untitled') : name}
          </option>
        ))}
      </select>
    </Field>
  )
}
