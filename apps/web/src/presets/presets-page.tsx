import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { PresetRow } from '@holdfast/protocol'
import { useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { presetWords } from '../shared/preset-words.ts'
import { errorText } from '../shared/problem-words.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { PresetEditor } from './preset-editor.tsx'
import { lacksSandbox, presetFacts } from './preset-facts.ts'

/** What is being written; a copy and a new one become presets of their own. */
interface Editing {
  readonly row: PresetRow | null
  readonly isChange: boolean
}

/** The presets of a person: what each sets, and how to change it. [UI89] */
export function PresetsPage({ client }: { readonly client: Client }) {
  const { value, state, problem } = useObservable(client.presets, (presets) => presets)
  const [editing, edit] = useState<Editing | null>(null)
  return (
    <section aria-label={say('presets.page')}>
      <div className="settings-head">
        <p className="settings-lead">{say('presets.lead')}</p>
        {editing === null && (
          <button type="button" className="button" onClick={() => edit({ row: null, isChange: false })}>
            {say('presets.new')}
          </button>
        )}
      </div>
      {editing !== null && (
        <PresetEditor
          key={`${editing.row?.id ?? ''} ${editing.isChange}`}
          client={client}
          from={editing.row}
          isChange={editing.isChange}
          onDone={() => edit(null)}
        />
      )}
      {!value && state !== 'failed' && <p className="meta">{say('presets.reading')}</p>}
      {state === 'failed' && (
        <p className="problem" role="alert">
          {say('presets.not-read', { problem: problem ? errorText(problem) : '' })}{' '}
          <button type="button" className="link-button" onClick={() => client.presets.load()}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      <ul className="provider-list">
        {(value?.presets ?? []).map((row) => (
          <Preset key={row.id} client={client} row={row} hasSandbox={value?.hasSandbox ?? null} onEdit={edit} />
        ))}
      </ul>
    </section>
  )
}

interface PresetProps {
  readonly client: Client
  readonly row: PresetRow
  readonly hasSandbox: boolean | null
  readonly onEdit: (editing: Editing) => void
}

function Preset({ client, row, hasSandbox, onEdit }: PresetProps) {
  const { name, says } = presetWords(row)

  async function remove(): Promise<void> {
    const words = row.origin === 'changed' ? 'presets.is-as-it-came' : 'presets.is-deleted'
    const { name: before, says: saidBefore, settings } = row
    if (!(await told(client.deletePreset(row.id)))) return
    const undo =
      row.origin === 'own' ? () => told(client.createPreset({ name: before, says: saidBefore, settings })) : null
    tell(say(words, { name }), undo && (() => void undo()))
  }

  return (
    <li className="provider-row preset-row" data-testid="preset-row" data-state={row.origin}>
      <span className="provider-name">
        <strong dir="auto">{name}</strong>
        <span dir="auto">{says}</span>
        <span className="meta">{presetFacts(row.settings).join(' · ')}</span>
        {lacksSandbox(row.settings, hasSandbox) && <span className="problem">{say('presets.no-sandbox')}</span>}
      </span>
      <span className="setting-acts">
        <button
          type="button"
          className="button"
          aria-label={say('presets.edit-name', { name })}
          onClick={() => onEdit({ row, isChange: true })}
        >
          {say('common.edit')}
        </button>
        <button
          type="button"
          className="link-button"
          aria-label={say('presets.copy-name', { name })}
          onClick={() => onEdit({ row, isChange: false })}
        >
          {say('presets.copy')}
        </button>
        {row.origin !== 'built-in' && (
          <button
            type="button"
            className="link-button"
            aria-label={say(row.origin === 'changed' ? 'presets.as-it-came-name' : 'presets.delete-name', { name })}
            onClick={() => void remove()}
          >
            {say(row.origin === 'changed' ? 'presets.as-it-came' : 'presets.delete')}
          </button>
        )}
      </span>
    </li>
  )
}
