import type { Client } from '@holdfast/client'
import { SCHEDULE_LIMITS, type ScheduleRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { isTimed } from './built-rule.ts'
import { Choice, Field, Money } from './form-fields.tsx'
import { MadeWithFields } from './made-with-fields.tsx'
import { NextRuns } from './next-runs.tsx'
import { RuleFields } from './rule-fields.tsx'
import { MISSED_WORDS, OVERLAP_WORDS, UNATTENDED_WORDS } from './schedule-words.ts'
import { jitterOf, type ScheduleDraft, useScheduleDraft } from './use-schedule-draft.ts'

interface FormProps {
  readonly client: Client
  /** Null for a new one. */
  readonly row: ScheduleRow | null
  /** What a new one asks at first. */
  readonly text: string
  readonly onClose: () => void
}

interface PartProps {
  readonly client: Client
  readonly draft: ScheduleDraft
}

const ZONES = Intl.supportedValuesOf('timeZone')

/** Makes a schedule, or changes one: when, what, by whom, and what it may do. [UI99] */
export function ScheduleForm({ client, row, text, onClose }: FormProps) {
  const draft = useScheduleDraft({ client, row, text, onClose })
  const { value, change, rule, built } = draft
  const isAtTimes = isTimed(built)
  return (
    <form
      className="schedule-form"
      aria-label={row ? say('schedules.edit-name', { name: row.name }) : say('schedules.new')}
      onSubmit={(event) => {
        event.preventDefault()
        void draft.save()
      }}
    >
      <Field label={say('schedules.name')}>
        <input
          type="text"
          dir="auto"
          maxLength={SCHEDULE_LIMITS.name}
          value={value.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <Field label={say('schedules.text')} isWide>
        <textarea dir="auto" rows={3} value={value.text} onChange={({ target }) => change({ text: target.value })} />
      </Field>
      <RuleFields client={client} ownId={row?.id ?? null} built={built} onChange={draft.changeRule} />
      <ZoneField draft={draft} />
      {isAtTimes && <JitterField draft={draft} />}
      {isAtTimes && (
        <NextRuns
          client={client}
          rule={rule}
          timeZone={value.timeZone}
          jitterMinutes={jitterOf(value)}
          scheduleId={row?.id ?? null}
        />
      )}
      <MadeWithFields client={client} draft={draft} />
      <Choices draft={draft} />
      <Budgets draft={draft} />
      {value.unattended === 'allow-list' && value.rules.length > 0 && <Allowed draft={draft} />}
      {draft.problem !== null && (
        <p className="problem" role="alert">
          {draft.problem}
        </p>
      )}
      <div className="schedule-acts">
        <button type="submit" className="button primary" disabled={!draft.canSave}>
          {say(row ? 'schedules.save' : 'schedules.make')}
        </button>
        <button type="button" className="link-button" onClick={onClose}>
          {say('common.cancel')}
        </button>
      </div>
    </form>
  )
}

function ZoneField({ draft: { value, change } }: Pick<PartProps, 'draft'>) {
  return (
    <Field label={say('schedules.zone')}>
      <input
        type="text"
        dir="ltr"
        list="schedule-zones"
        value={value.timeZone}
        onChange={({ target }) => change({ timeZone: target.value })}
      />
      <datalist id="schedule-zones">
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Field>
  )
}

function JitterField({ draft: { value, change } }: Pick<PartProps, 'draft'>) {
  return (
    <Field label={say('schedules.jitter')}>
      <input
        type="number"
        min={0}
        max={60}
        placeholder="0"
        value={value.jitter}
        onChange={({ target }) => change({ jitter: target.value })}
      />
    </Field>
  )
}

function Choices({ draft: { value, change } }: Pick<PartProps, 'draft'>) {
  return (
    <>
      <Choice
        label={say('schedules.unattended')}
        value={value.unattended}
        options={['deny', 'allow-list', 'full'] as const}
        word={(one) => say(UNATTENDED_WORDS[one])}
        onChosen={(unattended) => change({ unattended })}
      />
      <Choice
        label={say('schedules.missed')}
        value={value.missed}
        options={['once', 'skip', 'all'] as const}
        word={(one) => say(MISSED_WORDS[one])}
        onChosen={(missed) => change({ missed })}
      />
      <Choice
        label={say('schedules.overlap')}
        value={value.overlap}
        options={['skip', 'queue', 'parallel'] as const}
        word={(one) => say(OVERLAP_WORDS[one])}
        onChosen={(overlap) => change({ overlap })}
      />
    </>
  )
}

function Budgets({ draft: { value, change } }: Pick<PartProps, 'draft'>) {
  return (
    <fieldset className="schedule-budgets">
      <legend>{say('schedules.budgets')}</legend>
      <Money label={say('schedules.per-run')} value={value.runUsd} onValue={(runUsd) => change({ runUsd })} />
      <Money label={say('schedules.per-day')} value={value.dayUsd} onValue={(dayUsd) => change({ dayUsd })} />
      <Money label={say('schedules.per-month')} value={value.monthUsd} onValue={(monthUsd) => change({ monthUsd })} />
    </fieldset>
  )
}

function Allowed({ draft: { value, change } }: Pick<PartProps, 'draft'>) {
  return (
    <ul className="schedule-rules">
      {value.rules.map((one) => (
        <li key={`${one.tool} ${one.pattern}`}>
          <code dir="ltr">{`${one.tool} ${one.pattern ?? '*'}`}</code>{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => change({ rules: value.rules.filter((other) => other !== one) })}
          >
            {say('schedules.take-back')}
          </button>
        </li>
      ))}
    </ul>
  )
}
