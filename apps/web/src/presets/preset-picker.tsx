import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { PresetRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { Picker } from '../shared/picker.tsx'
import { lacksSandbox, presetFacts, presetWords } from './preset-words.ts'

const NONE = ''

interface PresetPickerProps {
  readonly client: Client
  /** Null for none. */
  readonly chosenId: string | null
  readonly onChoose: (presetId: string | null) => void
}

/** What a conversation begins with; each preset says what it is for where it is chosen. [UI87] */
export function PresetPicker({ client, chosenId, onChoose }: PresetPickerProps) {
  const rows = useObservable(client.presets, ({ value }) => value?.presets) ?? []
  if (rows.length === 0) return null
  const chosen = rows.find(({ id }) => id === chosenId)
  const words = chosen === undefined ? say('presets.none') : presetWords(chosen).name
  return (
    <Picker
      testId="preset-picker"
      state={chosen?.id ?? 'none'}
      name={say('presets.preset')}
      words={words}
      isName={chosen !== undefined}
      title={chosen && presetWords(chosen).says}
      value={chosen?.id ?? NONE}
      onChoose={(value) => onChoose(value === NONE ? null : value)}
    >
      <option value={NONE}>{say('presets.none-line')}</option>
      {rows.map((row) => {
        const { name, says } = presetWords(row)
        return (
          <option key={row.id} value={row.id}>
            {says === '' ? name : `${name} – ${says}`}
          </option>
        )
      })}
    </Picker>
  )
}

/** What the chosen preset sets, before the first message is sent. [UI87] */
export function PresetLine({ client, row }: { readonly client: Client; readonly row: PresetRow }) {
  const hasSandbox = useObservable(client.presets, ({ value }) => value?.hasSandbox ?? null)
  const { name, says } = presetWords(row)
  return (
    <p className="preset-line" role="status" data-testid="preset-line">
      <strong dir="auto">{name}</strong> <span dir="auto">{says}</span>
      <span className="meta">{presetFacts(row.settings).join(' · ')}</span>
      {lacksSandbox(row.settings, hasSandbox) && <span className="problem">{say('presets.no-sandbox')}</span>}
    </p>
  )
}
