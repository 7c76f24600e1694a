import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { PresetRow } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { presetWords } from '../shared/preset-words.ts'
import { lacksSandbox, presetFacts } from './preset-facts.ts'

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
