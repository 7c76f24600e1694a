import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { say } from '../shared/language/say.ts'
import { perSpeech } from '../shared/language/speech.ts'
import { presetWords } from '../shared/preset-words.ts'
import { Field } from './form-fields.tsx'
import type { ScheduleValue } from './kept-draft.ts'
import type { ScheduleDraft } from './use-schedule-draft.ts'

interface FieldsProps {
  readonly client: Client
  readonly draft: ScheduleDraft
}

/** Who answers, by which model, in which folder and with which preset, and whether in a conversation of its own each time. [SCHED27] */
export function MadeWithFields({ client, draft: { value, change } }: FieldsProps) {
  const agents = useObservable(client.agents, (known) => known.value?.agents) ?? []
  const models = useObservable(client.models, (known) => known.value?.providers) ?? []
  const presets = useObservable(client.presets, (known) => known.value?.presets) ?? []
  const isAnew = value.target === 'new'
  return (
    <>
      <TargetField client={client} value={value.target} onChosen={(target) => change({ target })} />
      {isAnew && (
        <>
          <OneOf
            label={say('schedules.agent')}
            none={say('schedules.no-agent')}
            gone={say('schedules.gone-agent')}
            value={value.agentId}
            rows={agents}
            onChosen={(agentId) => change({ agentId })}
          />
          <OneOf
            label={say('common.model')}
            none={say('schedules.no-model')}
            gone={say('context.not-here', { model: value.modelId })}
            value={value.modelId}
            rows={models.flatMap((provider) => provider.models)}
            onChosen={(modelId) => change({ modelId })}
          />
          <OneOf
            label={say('presets.preset')}
            none={say('presets.none')}
            gone={say('schedules.gone-preset')}
            value={value.presetId}
            rows={presets.map((row) => ({ id: row.id, name: presetWords(row).name }))}
            onChosen={(presetId) => change({ presetId })}
          />
        </>
      )}
      {(isAnew || value.workspaceId !== '') && <WorkspaceField client={client} value={value} change={change} />}
    </>
  )
}

function WorkspaceField({
  client,
  value,
  change,
}: Pick<FieldsProps, 'client'> & { readonly value: ScheduleValue; readonly change: ScheduleDraft['change'] }) {
  const rows = useObservable(client.workspaces, (known) => known.value?.workspaces) ?? []
  const isOfStart = rows.some(({ origin }) => origin === 'start')
  return (
    <OneOf
      label={say('schedules.workspace')}
      none={say(isOfStart ? 'schedules.no-workspace' : 'schedules.without-workspace')}
      gone={say('schedules.gone-workspace')}
      value={value.workspaceId}
      rows={rows.filter(({ id, origin }) => origin !== 'start' || id === value.workspaceId)}
      onChosen={(workspaceId) => change({ workspaceId })}
    />
  )
}

const toTheSecond = perSpeech(
  ({ locale }) => new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' }),
)
/** Of the conversations that changed last so many can be chosen. */
const OFFERED = 50

function TargetField(props: {
  readonly client: Client
  readonly value: string
  readonly onChosen: (target: string) => void
}) {
  const { client, value, onChosen } = props
  const { rows } = useObservable(client.conversations, (list) => list)
  const named = rows.slice(0, OFFERED).map(({ id, title, firstWords, updatedAt }) => {
    return { id, updatedAt, words: title ?? firstWords ?? say('inbox.untitled') }
  })
  const offered = named.map(({ id, words, updatedAt }) => {
    const isAlone = named.filter((other) => other.words === words).length === 1
    // Of equal names the time tells them apart.
    const name = isAlone
      ? words
      : say('schedules.name-and-time', { name: words, time: toTheSecond().format(updatedAt) })
    return { id, name: say('schedules.answers-in-one', { name }) }
  })
  return (
    <OneOf
      label={say('schedules.answers-in')}
      none={say('schedules.answers-anew')}
      gone={say('schedules.answers-in-one', { name: say('inbox.untitled') })}
      value={value === 'new' ? '' : value}
      rows={offered}
      onChosen={(target) => onChosen(target === '' ? 'new' : target)}
    />
  )
}

/** One of those that there are, or none; one that is gone stays chosen until another is. */
function OneOf(props: {
  readonly label: string
  readonly none: string
  /** What the chosen one is called where it is not among the rows. */
  readonly gone: string
  /** Empty for none. */
  readonly value: string
  readonly rows: readonly { readonly id: string; readonly name: string }[]
  readonly onChosen: (id: string) => void
}) {
  const { label, none, gone, value, rows, onChosen } = props
  const isHere = value === '' || rows.some(({ id }) => id === value)
  return (
    <Field label={label}>
      <select className="picker boxed" value={value} onChange={({ target }) => onChosen(target.value)}>
        <option value="">{none}</option>
        {!isHere && <option value={value}>{gone}</option>}
        {rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}
