import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { say } from '../shared/language/say.ts'
import { Picker } from '../shared/picker.tsx'
import { presetWords } from '../shared/preset-words.ts'

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
