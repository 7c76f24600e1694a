import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { AGENT_LIMITS, type AgentRow } from '@holdfast/protocol'
import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react'
import { OwnLimits } from '../limits/own-limits.tsx'
import { useTold } from '../shared/ask-server.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { presetWords } from '../shared/preset-words.ts'
import { OwnVoice } from '../voice/voice-fields.tsx'
import { PERMISSION_MODES, TOOL_MODES } from './agent-choices.ts'
import { type AgentForm, roughTokens, toFields, toForm, withLimit } from './agent-form.ts'
import { usePictureAddress } from './agent-pictures.tsx'
import { PictureField } from './picture-field.tsx'
import { ToolChooser } from './tool-chooser.tsx'

interface EditorProps {
  readonly client: Client
  /** What the form begins with; null for an empty one. */
  readonly from: AgentRow | null
  /** Whether it is saved over what it began with; else it becomes an agent of its own. */
  readonly isChange: boolean
  readonly onDone: () => void
}

const SHARINGS = [
  { value: 'private', name: 'agents.only-me' },
  { value: 'people', name: 'agents.these-people' },
  { value: 'everyone', name: 'agents.everyone-here' },
] as const

/** Makes an agent, or changes one. What was typed stays when it is refused, and is not thrown away unasked. */
export function AgentEditor({ client, from, isChange, onDone }: EditorProps) {
  const [first] = useState(() => toForm(from))
  const [form, setForm] = useState(first)
  const [mistake, setMistake] = useState<string | null>(null)
  const saving = useTold()
  const problem = mistake ?? saving.problem
  const [isLeaving, setLeaving] = useState(false)
  const address = usePictureAddress(from?.id ?? '')
  const isDirty = JSON.stringify(form) !== JSON.stringify(first)
  const set = (change: Partial<AgentForm>) => setForm((known) => ({ ...known, ...change }))

  useEffect(() => {
    if (!isDirty) return
    const keep = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', keep)
    return () => removeEventListener('beforeunload', keep)
  }, [isDirty])

  async function onSubmit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const read = toFields(form)
    if ('problem' in read) return setMistake(read.problem)
    setMistake(null)
    const { fields } = read
    const isSaved = await saving.run(() =>
      isChange && from ? client.changeAgent(from, fields) : client.createAgent(fields),
    )
    if (isSaved) onDone()
  }

  const tokenCount = roughTokens(form.instructions)
  return (
    <form
      className="agent-form"
      aria-label={isChange ? say('agents.agent-name', { name: first.name }) : say('agents.new-agent')}
      data-testid="agent-editor"
      onSubmit={(event) => void onSubmit(event)}
    >
      <div className="agent-form-pair">
        <Text name={say('common.name')} value={form.name} most={AGENT_LIMITS.name} onChange={(name) => set({ name })} />
        <Text
          name={say('agents.emoji-or-letters')}
          value={form.avatar}
          most={AGENT_LIMITS.avatar}
          onChange={(avatar) => set({ avatar })}
        />
      </div>
      <PictureField
        wish={form.picture}
        address={isChange ? address : null}
        letters={form.avatar}
        onWish={(picture) => set({ picture })}
      />
      <Text
        name={say('agents.what-it-is-for')}
        value={form.description}
        most={AGENT_LIMITS.description}
        onChange={(description) => set({ description })}
      />
      <Long
        name={say('agents.instructions')}
        value={form.instructions}
        rows={8}
        onChange={(instructions) => set({ instructions })}
        meta={say('agents.about-tokens', { count: tokenCount, tokens: String(tokenCount) })}
      />
      <div className="agent-form-pair">
        <ModelField client={client} value={form.modelId} onChange={(modelId) => set({ modelId })} />
        <Text
          name={say('agents.parameters-json')}
          value={form.parameters}
          most={4_000}
          onChange={(parameters) => set({ parameters })}
        />
      </div>
      <div className="agent-form-pair">
        <Pick
          name={say('common.tools')}
          value={form.toolMode}
          choices={named(TOOL_MODES)}
          onChange={(toolMode) => set({ toolMode })}
        />
        <Pick
          name={say('agents.permissions')}
          value={form.permissionMode}
          choices={named(PERMISSION_MODES)}
          onChange={(permissionMode) => set({ permissionMode })}
        />
      </div>
      <PresetField client={client} value={form.presetId} onChange={(presetId) => set({ presetId })} />
      <OwnVoice value={form.voice} onChange={(voice) => set({ voice })} />
      <OwnLimits
        title={say('limits.of-agent')}
        lead={say('limits.of-agent-lead')}
        settings={form.limits}
        onSet={(key, value) => set({ limits: withLimit(form.limits, key, value) })}
      />
      {form.toolMode === 'manual' && (
        <ToolChooser client={client} chosen={form.includedTools} onChange={(includedTools) => set({ includedTools })} />
      )}
      <Long
        name={say('agents.starters-one-a-line')}
        value={form.starters}
        rows={3}
        onChange={(starters) => set({ starters })}
        meta={say('agents.offered-where-a-conversation-begins')}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={form.usesMemories}
          onChange={({ target }) => set({ usesMemories: target.checked })}
        />
        {say('agents.it-is-told-what-you')}
      </label>
      <Pick
        name={say('agents.who-may-use-it')}
        value={form.sharing}
        choices={named(SHARINGS)}
        onChange={(value) => set({ sharing: value === 'people' || value === 'everyone' ? value : 'private' })}
      />
      {form.sharing === 'people' && (
        <Long
          name={say('agents.addresses-one-a-line')}
          value={form.emails}
          rows={3}
          onChange={(emails) => set({ emails })}
          meta={say('agents.they-see-what-it-is')}
        />
      )}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="setting-acts">
        <button type="submit" className={`button${isDirty ? ' primary' : ''}`}>
          {say('common.save')}
        </button>
        {isLeaving ? (
          <>
            <button type="button" className="button danger" onClick={onDone}>
              {say('agents.throw-the-changes-away')}
            </button>
            <button type="button" className="link-button" onClick={() => setLeaving(false)}>
              {say('agents.go-on')}
            </button>
          </>
        ) : (
          <button type="button" className="link-button" onClick={() => (isDirty ? setLeaving(true) : onDone())}>
            {say('common.cancel')}
          </button>
        )}
      </div>
    </form>
  )
}

interface FieldProps {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Text({ name, value, most, onChange }: FieldProps & { readonly most: number }) {
  return (
    <label>
      {name}
      <input
        type="text"
        dir="auto"
        maxLength={most}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}

function Long({ name, value, rows, onChange, meta }: FieldProps & { readonly rows: number; readonly meta?: string }) {
  const id = useId()
  return (
    <Labelled id={id} name={name} meta={meta}>
      <textarea
        id={id}
        dir="auto"
        rows={rows}
        value={value}
        aria-describedby={meta === undefined ? undefined : `${id}-why`}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labelled>
  )
}

function Labelled(props: {
  readonly id: string
  readonly name: string
  readonly meta: string | undefined
  readonly children: ReactNode
}) {
  const { id, name, meta, children } = props
  return (
    <div className="agent-field">
      <label htmlFor={id}>{name}</label>
      {children}
      {meta !== undefined && (
        <p className="meta" id={`${id}-why`}>
          {meta}
        </p>
      )}
    </div>
  )
}

function PresetField({ client, value, onChange }: Omit<FieldProps, 'name'> & { readonly client: Client }) {
  const rows = useObservable(client.presets, (presets) => presets.value?.presets) ?? []
  const known = rows.map((row) => ({ value: row.id, name: presetWords(row).name }))
  const gone = value === '' || known.some((choice) => choice.value === value) ? [] : [{ value, name: value }]
  const choices = [{ value: '', name: say('presets.none') }, ...known, ...gone]
  return <Pick name={say('presets.preset')} value={value} choices={choices} onChange={onChange} />
}

interface PickProps extends FieldProps {
  readonly choices: readonly { readonly value: string; readonly name: string }[]
}

function Pick({ name, value, choices, onChange }: PickProps) {
  return (
    <label>
      {name}
      <select className="picker boxed" value={value} onChange={({ target }) => onChange(target.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  )
}

function ModelField({ client, value, onChange }: Omit<FieldProps, 'name'> & { readonly client: Client }) {
  const models = useObservable(client.models, (known) => known.value)
  const rows = (models?.providers ?? []).flatMap((provider) => provider.models)
  const isHere = value === '' || rows.some(({ id }) => id === value)
  const choices = [
    { value: '', name: say('agents.as-the-conversation') },
    ...(isHere ? [] : [{ value, name: say('context.not-here', { model: value }) }]),
    ...rows.map(({ id, name }) => ({ value: id, name })),
  ]
  return <Pick name={say('common.model')} value={value} choices={choices} onChange={onChange} />
}

function named(choices: readonly { readonly value: string; readonly name: PlainKey }[]): PickProps['choices'] {
  return choices.map(({ value, name }) => ({ value, name: say(name) }))
}
