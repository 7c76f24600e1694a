import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { SCHEDULE_LIMITS, type ScheduleRow, type ScheduleRule } from '@holdfast/protocol'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useAskedAtRest, useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { type BuiltRule, builtOf, ruleOf, WEEKDAYS } from './built-rule.ts'
import {
  dayWord,
  KIND_WORDS,
  MISSED_WORDS,
  OVERLAP_WORDS,
  SHORT_WORDS,
  timeText,
  UNATTENDED_WORDS,
} from './schedule-words.ts'

interface FormProps {
  readonly client: Client
  /** Null for a new one. */
  readonly row: ScheduleRow | null
  /** What a new one asks at first. */
  readonly text: string
  readonly onClose: () => void
}

const KINDS = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly', 'once', 'raw'] as const
const ZONES = Intl.supportedValuesOf('timeZone')

/** Makes a schedule, or changes one: when, what, by whom, and what it may do. [UI99] */
export function ScheduleForm({ client, row, text: firstText, onClose }: FormProps) {
  const [name, setName] = useState(row?.name ?? '')
  const [text, setText] = useState(row?.content.map((part) => part.text).join('\n\n') ?? firstText)
  const [built, setBuilt] = useState<BuiltRule>(() => builtOf(row?.rule ?? null))
  const [timeZone, setZone] = useState(row?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [agentId, setAgent] = useState(row?.agentId ?? '')
  const [unattended, setUnattended] = useState(row?.unattended ?? 'deny')
  const [missed, setMissed] = useState(row?.missed ?? 'once')
  const [overlap, setOverlap] = useState(row?.overlap ?? 'skip')
  const [runUsd, setRunUsd] = useState(row?.budgets.runUsd?.toString() ?? '')
  const [dayUsd, setDayUsd] = useState(row?.budgets.dayUsd?.toString() ?? '')
  const [monthUsd, setMonthUsd] = useState(row?.budgets.monthUsd?.toString() ?? '')
  const [rules, setRules] = useState(row?.rules ?? [])
  const agents = useObservable(client.agents, ({ value }) => value)
  const telling = useTold()
  const rule = useMemo(() => ruleOf(built), [built])
  const canSave = name.trim() !== '' && text.trim() !== '' && rule !== null && !telling.isBusy

  async function save(): Promise<void> {
    if (rule === null) return
    const budgets = { ...bound('runUsd', runUsd), ...bound('dayUsd', dayUsd), ...bound('monthUsd', monthUsd) }
    const content = [{ type: 'text' as const, text: text.trim() }]
    const said = { name: name.trim(), content, rule, timeZone, unattended, missed, overlap, budgets, rules: [...rules] }
    const work = row
      ? client.changeSchedule(row.id, {
          ...said,
          ...unlessSame(said.rule, row),
          agentId: agentId === '' ? null : agentId,
        })
      : client.createSchedule({ ...said, ...(agentId === '' ? {} : { agentId }) })
    if (await telling.run(() => work)) onClose()
  }

  return (
    <form
      className="schedule-form"
      aria-label={row ? say('schedules.edit-name', { name: row.name }) : say('schedules.new')}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field label={say('schedules.name')}>
        <input
          type="text"
          dir="auto"
          maxLength={SCHEDULE_LIMITS.name}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field label={say('schedules.text')} isWide>
        <textarea dir="auto" rows={3} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <RuleFields built={built} onBuilt={setBuilt} />
      <Field label={say('schedules.zone')}>
        <input
          type="text"
          dir="ltr"
          list="schedule-zones"
          value={timeZone}
          onChange={({ target }) => setZone(target.value)}
        />
        <datalist id="schedule-zones">
          {ZONES.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </Field>
      <NextRuns client={client} rule={rule} timeZone={timeZone} />
      <Field label={say('schedules.agent')}>
        <select className="picker boxed" value={agentId} onChange={({ target }) => setAgent(target.value)}>
          <option value="">{say('schedules.no-agent')}</option>
          {(agents?.agents ?? []).map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.name}
            </option>
          ))}
        </select>
      </Field>
      <Choice
        label={say('schedules.unattended')}
        value={unattended}
        options={['deny', 'allow-list', 'full'] as const}
        word={(one) => say(UNATTENDED_WORDS[one])}
        onChosen={setUnattended}
      />
      <Choice
        label={say('schedules.missed')}
        value={missed}
        options={['once', 'skip', 'all'] as const}
        word={(one) => say(MISSED_WORDS[one])}
        onChosen={setMissed}
      />
      <Choice
        label={say('schedules.overlap')}
        value={overlap}
        options={['skip', 'queue', 'parallel'] as const}
        word={(one) => say(OVERLAP_WORDS[one])}
        onChosen={setOverlap}
      />
      <fieldset className="schedule-budgets">
        <legend>{say('schedules.budgets')}</legend>
        <Money label={say('schedules.per-run')} value={runUsd} onValue={setRunUsd} />
        <Money label={say('schedules.per-day')} value={dayUsd} onValue={setDayUsd} />
        <Money label={say('schedules.per-month')} value={monthUsd} onValue={setMonthUsd} />
      </fieldset>
      {unattended === 'allow-list' && rules.length > 0 && (
        <ul className="schedule-rules">
          {rules.map((one) => (
            <li key={`${one.tool} ${one.pattern}`}>
              <code dir="ltr">{`${one.tool} ${one.pattern ?? '*'}`}</code>{' '}
              <button
                type="button"
                className="link-button"
                onClick={() => setRules(rules.filter((other) => other !== one))}
              >
                {say('schedules.take-back')}
              </button>
            </li>
          ))}
        </ul>
      )}
      {telling.problem !== null && (
        <p className="problem" role="alert">
          {telling.problem}
        </p>
      )}
      <div className="schedule-acts">
        <button type="submit" className="button primary" disabled={!canSave}>
          {say(row ? 'schedules.save' : 'schedules.make')}
        </button>
        <button type="button" className="link-button" onClick={onClose}>
          {say('common.cancel')}
        </button>
      </div>
    </form>
  )
}

/** A rule that stays the same goes on from where it stands. */
function unlessSame(rule: ScheduleRule, row: ScheduleRow): { readonly rule?: ScheduleRule } {
  return JSON.stringify(rule) === JSON.stringify(row.rule) ? {} : { rule }
}

function bound(name: 'runUsd' | 'dayUsd' | 'monthUsd', text: string): { readonly [Key in typeof name]?: number } {
  return text.trim() === '' ? {} : { [name]: Number(text.replace(',', '.')) }
}

function Field(props: { readonly label: string; readonly isWide?: boolean; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its control is in the children
    <label className={props.isWide ? 'schedule-wide' : undefined}>
      <span>{props.label}</span>
      {props.children}
    </label>
  )
}

function Money({
  label,
  value,
  onValue,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (text: string) => void
}) {
  return (
    <Field label={label}>
      <input
        type="text"
        inputMode="decimal"
        dir="ltr"
        placeholder="$"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    </Field>
  )
}

function Choice<Value extends string>(props: {
  readonly label: string
  readonly value: Value
  readonly options: readonly Value[]
  readonly word: (option: Value) => string
  readonly onChosen: (option: Value) => void
}) {
  const { label, value, options, word, onChosen } = props
  return (
    <Field label={label}>
      <select
        className="picker boxed"
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option === target.value)
          if (chosen !== undefined) onChosen(chosen)
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {word(option)}
          </option>
        ))}
      </select>
    </Field>
  )
}

function RuleFields({ built, onBuilt }: { readonly built: BuiltRule; readonly onBuilt: (built: BuiltRule) => void }) {
  const change = (changes: Partial<BuiltRule>) => onBuilt({ ...built, ...changes })
  const { kind } = built
  return (
    <>
      <Choice
        label={say('schedules.when')}
        value={kind}
        options={KINDS}
        word={(one) => say(KIND_WORDS[one])}
        onChosen={(one) => change({ kind: one })}
      />
      {kind === 'once' && (
        <Field label={say('schedules.at')}>
          <input type="datetime-local" value={built.at} onChange={({ target }) => change({ at: target.value })} />
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
            onChange={({ target }) => change({ raw: target.value })}
          />
        </Field>
      )}
      {kind !== 'once' && kind !== 'raw' && (
        <Field label={say(kind === 'hourly' ? 'schedules.minute' : 'schedules.time')}>
          <input type="time" value={built.time} onChange={({ target }) => change({ time: target.value })} />
        </Field>
      )}
      {kind === 'weekly' && (
        <fieldset className="schedule-days">
          <legend>{say('schedules.days')}</legend>
          {WEEKDAYS.map(({ code, at }) => (
            <label key={code} className="check">
              <input
                type="checkbox"
                checked={built.weekdays.includes(code)}
                onChange={({ target }) =>
                  change({
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
      )}
      {kind === 'monthly' && (
        <>
          <Field label={say('schedules.month-day')}>
            <input
              type="number"
              min={1}
              max={31}
              value={built.monthDay}
              onChange={({ target }) => change({ monthDay: Math.min(31, Math.max(1, Number(target.value) || 1)) })}
            />
          </Field>
          {built.monthDay > 28 && (
            <Choice
              label={say('schedules.short-months')}
              value={built.short}
              options={['skip', 'last-day'] as const}
              word={(one) => say(SHORT_WORDS[one])}
              onChosen={(short) => change({ short })}
            />
          )}
        </>
      )}
    </>
  )
}

/** The next five runs of what is being written, as the server will run them. [SCHED5] */
function NextRuns({
  client,
  rule,
  timeZone,
}: {
  readonly client: Client
  readonly rule: ScheduleRule | null
  readonly timeZone: string
}) {
  const written = JSON.stringify({ rule, timeZone })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as its words are
  const ask = useCallback(
    () => (rule === null ? Promise.resolve([]) : client.tryScheduleRule({ rule, timeZone })),
    [client, written],
  )
  const { asked } = useAskedAtRest(ask, 250)
  return (
    <div className="schedule-wide schedule-next" aria-live="polite">
      <span>{say('schedules.next-runs')}</span>
      {asked.problem !== null && rule !== null && <p className="problem">{asked.problem}</p>}
      {asked.type === 'here' && (
        <ol>
          {asked.value.map((at) => (
            <li key={at} className="tabular">
              {timeText(at, timeZone)}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
