import type { Client } from '@holdfast/client'
import { type PresetSettings, setIn } from '@holdfast/conversation'
import { PRESET_LIMITS, type PresetRow } from '@holdfast/protocol'
import { type SubmitEvent, useState } from 'react'
import { PERMISSION_MODES } from '../agents/agent-choices.ts'
import { withLimit } from '../agents/agent-form.ts'
import { OwnLimits } from '../limits/own-limits.tsx'
import { useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { presetWords } from '../shared/preset-words.ts'

const PLACES = [
  { value: '', name: 'presets.place-usual' },
  { value: 'in-place', name: 'presets.in-the-folder' },
  { value: 'worktree', name: 'presets.in-a-worktree' },
  { value: 'ask', name: 'presets.place-asked' },
] as const

interface PresetEditorProps {
  readonly client: Client
  /** What the form begins with; null for an empty one. */
  readonly from: PresetRow | null
  /** Whether it is saved over what it began with; else it becomes one of its own. */
  readonly isChange: boolean
  readonly onDone: () => void
}

/** Makes a preset, or changes one. What was typed stays when it is refused. [UI89] */
export function PresetEditor({ client, from, isChange, onDone }: PresetEditorProps) {
  const words = from === null ? { name: '', says: '' } : presetWords(from)
  const [name, setName] = useState(from === null || isChange ? words.name : say('presets.copy-of', words))
  const [says, setSays] = useState(words.says)
  const [settings, setSettings] = useState<PresetSettings>(from?.settings ?? {})
  const saving = useTold()

  async function onSubmit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = { name, says, settings }
    const isSaved = await saving.run(() =>
      isChange && from ? client.changePreset(from, fields) : client.createPreset(fields),
    )
    if (isSaved) onDone()
  }

  function setLimit(key: string, value: Parameters<typeof withLimit>[2]): void {
    const kept = Object.fromEntries(Object.entries(settings).filter(([one]) => !(one in setIn(settings))))
    setSettings({ ...kept, ...withLimit(setIn(settings), key, value) })
  }

  const { permissionMode, place, instructions } = settings
  return (
    <form
      className="agent-form"
      aria-label={isChange ? words.name : say('presets.new')}
      data-testid="preset-editor"
      onSubmit={(event) => void onSubmit(event)}
    >
      <label>
        {say('common.name')}
        <input
          type="text"
          dir="auto"
          required
          maxLength={PRESET_LIMITS.name}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <label>
        {say('presets.what-it-is-for')}
        <textarea
          dir="auto"
          rows={2}
          maxLength={PRESET_LIMITS.says}
          value={says}
          onChange={({ target }) => setSays(target.value)}
        />
      </label>
      <div className="agent-form-pair">
        <label>
          {say('presets.place')}
          <select
            className="picker boxed"
            value={place ?? ''}
            onChange={({ target: { value } }) => {
              const chosen = PLACES.find((one) => one.value === value)?.value ?? ''
              const { place: _, ...others } = settings
              setSettings(chosen === '' ? others : { ...others, place: chosen })
            }}
          >
            {PLACES.map((one) => (
              <option key={one.value} value={one.value}>
                {say(one.name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say('agents.permissions')}
          <select
            className="picker boxed"
            value={permissionMode ?? ''}
            onChange={({ target: { value } }) => {
              const chosen = PERMISSION_MODES.find((one) => one.value === value)?.value ?? ''
              const { permissionMode: _, ...others } = settings
              setSettings(chosen === '' ? others : { ...others, permissionMode: chosen })
            }}
          >
            {PERMISSION_MODES.map((one) => (
              <option key={one.value} value={one.value}>
                {say(one.name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label>
        {say('agents.instructions')}
        <textarea
          dir="auto"
          rows={5}
          value={instructions ?? ''}
          onChange={({ target: { value } }) => {
            const { instructions: _, ...others } = settings
            setSettings(value === '' ? others : { ...others, instructions: value })
          }}
        />
      </label>
      <OwnLimits title={say('presets.limits')} lead={say('presets.limits-lead')} settings={settings} onSet={setLimit} />
      {saving.problem !== null && (
        <p className="problem" role="alert">
          {saving.problem}
        </p>
      )}
      <div className="setting-acts">
        <button type="submit" className="button primary" disabled={saving.isBusy}>
          {say('common.save')}
        </button>
        <button type="button" className="link-button" onClick={onDone}>
          {say('common.cancel')}
        </button>
      </div>
    </form>
  )
}
