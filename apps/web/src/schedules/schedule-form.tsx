import type { Client } from '@holdfast/client'
import type { ScheduleRow } from '@holdfast/protocol'
import { useEffect, useRef } from 'react'
import { say } from '../shared/language/say.ts'
import { isTimed } from './built-rule.ts'
import { differencesOf } from './draft-conflict.ts'
import { Choice, Field, Money } from './form-fields.tsx'
import { jitterOf } from './lacking.ts'
import { MadeWithFields } from './made-with-fields.tsx'
import { NextRuns } from './next-runs.tsx'
import { RuleFields } from './rule-fields.tsx'
import { useNamed } from './rule-words.ts'
import { MISSED_WORDS, OVERLAP_WORDS, UNATTENDED_MEANS, UNATTENDED_WORDS } from './schedule-words.ts'
import { type ScheduleDraft, useScheduleDraft } from './use-schedule-draft.ts'

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
  const { value, change, rule, built, lacks } = draft
  const form = useRef<HTMLFormElement>(null)
  const isAtTimes = isTimed(built)
  return (
    <form
      ref={form}
      noValidate
      className="schedule-form"
      aria-label={row ? say('schedules.edit-name', { name: row.name }) : say('schedules.new')}
      onSubmit={(event) => {
        event.preventDefault()
        void draft.save().then(() => focusLacking(form.current))
      }}
    >
      <Field label={say('schedules.name')} lack={lacks.name}>
        <input
          type="text"
          aria-invalid={lacks.name !== undefined}
          dir="auto"
          value={value.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <Field label={say('schedules.text')} lack={lacks.text} isWide>
        <textarea
          dir="auto"
          rows={3}
          aria-invalid={lacks.text !== undefined}
          value={value.text}
          onChange={({ target }) => change({ text: target.value })}
        />
      </Field>
      <RuleFields client={client} ownId={row?.id ?? null} built={built} lacks={lacks} onChange={draft.changeRule} />
      <ZoneField draft={draft} />
      {isAtTimes && <JitterField draft={draft} />}
      {isAtTimes && (
        <NextRuns
          client={client}
          rule={rule}
          timeZone={value.timeZone}
          jitterMinutes={jitterOf(value) ?? 0}
          scheduleId={row?.id ?? null}
        />
      )}
      <MadeWithFields client={client} draft={draft} />
      <Choices draft={draft} />
      <Budgets draft={draft} />
      {value.unattended === 'allow-list' && value.rules.length > 0 && <Allowed draft={draft} />}
      <Conflict client={client} draft={draft} />
      {draft.problem !== null && (
        <p className="problem" role="alert">
          {draft.problem}
        </p>
      )}
      <div className="schedule-acts">
        <button type="submit" className="button primary" disabled={draft.isBusy || draft.theirs !== null}>
          {say(row ? 'schedules.save' : 'schedules.make')}
        </button>
        <button type="button" className="link-button" onClick={draft.drop}>
          {say('common.cancel')}
        </button>
      </div>
    </form>
  )
}

/** To the first control below which something is said to be missing. */
function focusLacking(form: HTMLFormElement | null): void {
  const place = form?.querySelector('.schedule-lack')?.parentElement
  place?.querySelector<HTMLElement>('input,textarea,select')?.focus()
}

/** What another has saved meanwhile, beside what is written here. [UI115] */
function Conflict({ client, draft }: PartProps) {
  const named = useNamed(client)
  const { theirs, mine, before, takeTheirs, saveMine, isBusy } = draft
  const place = useRef<HTMLElement>(null)
  const isShown = theirs !== null
  useEffect(() => {
    if (isShown) place.current?.scrollIntoView({ block: 'center' })
  }, [isShown])
  if (theirs === null) return null
  const differences = differencesOf({ mine, base: before, theirs }, named)
  return (
    <section ref={place} className="schedule-wide schedule-conflict" role="alert" data-testid="schedule-conflict">
      <p>{say(differences.length === 0 ? 'schedules.same-elsewhere' : 'schedules.changed-elsewhere')}</p>
      {differences.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{say('schedules.theirs')}</th>
              <th scope="col">{say('schedules.mine')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((one) => (
              <tr key={one.label}>
                <th scope="row">{say(one.label)}</th>
                <td dir="auto">{one.theirs === '' ? '–' : one.theirs}</td>
                <td dir="auto">{one.mine === '' ? '–' : one.mine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="setting-acts">
        <button type="button" className="button" disabled={isBusy} onClick={takeTheirs}>
          {say('schedules.take-theirs')}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => void saveMine()}>
          {say('schedules.save-mine')}
        </button>
      </div>
    </section>
  )
}

function ZoneField({ draft: { value, lacks, change } }: Pick<PartProps, 'draft'>) {
  return (
    <Field label={say('schedules.zone')} lack={lacks.timeZone}>
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

function JitterField({ draft: { value, lacks, change } }: Pick<PartProps, 'draft'>) {
  return (
    <Field label={say('schedules.jitter')} lack={lacks.jitter}>
      <input
        type="text"
        inputMode="numeric"
        dir="ltr"
        aria-invalid={lacks.jitter !== undefined}
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
      <p className="meta schedule-wide">{say(UNATTENDED_MEANS[value.unattended])}</p>
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

function Budgets({ draft: { value, lacks, change } }: Pick<PartProps, 'draft'>) {
  return (
    <fieldset className="schedule-budgets">
      <legend>{say('schedules.budgets')}</legend>
      <Money
        label={say('schedules.per-run')}
        value={value.runUsd}
        lack={lacks.runUsd}
        onValue={(runUsd) => change({ runUsd })}
      />
      <Money
        label={say('schedules.per-day')}
        value={value.dayUsd}
        lack={lacks.dayUsd}
        onValue={(dayUsd) => change({ dayUsd })}
      />
      <Money
        label={say('schedules.per-month')}
        value={value.monthUsd}
        lack={lacks.monthUsd}
        onValue={(monthUsd) => change({ monthUsd })}
      />
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
