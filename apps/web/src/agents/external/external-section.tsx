import type { AccountApi, Client } from '@holdfast/client'
import type { ExternalAgentRow } from '@holdfast/protocol'
import { useState } from 'react'
import { useAsked } from '../../shared/ask-server.ts'
import { say } from '../../shared/language/say.ts'
import { ExternalForm } from './external-form.tsx'
import { externalApi } from './external-here.ts'
import { ExternalRow } from './external-row.tsx'

interface ExternalSectionProps {
  readonly client: Client
  readonly account: AccountApi
}

/** The agents that are programs of their own; shown to whom they are for. [UI106, AGENT46] */
export function ExternalSection({ client, account }: ExternalSectionProps) {
  const [{ value: me }] = useAsked(account.readMe)
  return me?.role === 'admin' ? <ExternalAgents client={client} /> : null
}

/** What is being written: a new one, or a change of one. */
type Editing = { readonly type: 'new' } | { readonly type: 'change'; readonly row: ExternalAgentRow }

function ExternalAgents({ client }: Pick<ExternalSectionProps, 'client'>) {
  const [asked, askAgain] = useAsked(externalApi.list)
  const [editing, edit] = useState<Editing | null>(null)

  function onChanged(): void {
    edit(null)
    askAgain()
    client.agents.load()
  }

  return (
    <section aria-labelledby="settings-external" data-testid="external-section" className="external-section">
      <div className="settings-head">
        <h2 id="settings-external">{say('agents.external-agents')}</h2>
        <button
          type="button"
          className="button"
          aria-expanded={editing?.type === 'new'}
          onClick={() => edit({ type: 'new' })}
        >
          {say('external.add-an-agent')}
        </button>
      </div>
      <p className="meta external-lead">{say('external.lead')}</p>
      {editing !== null && (
        <ExternalForm
          key={editing.type === 'new' ? '' : editing.row.id}
          row={editing.type === 'new' ? null : editing.row}
          onDone={onChanged}
          onCancel={() => edit(null)}
        />
      )}
      {asked.type === 'failed' && (
        <p className="problem" role="alert">
          {say('external.not-read', { problem: asked.problem })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      <ul className="provider-list">
        {(asked.value ?? []).map((row) => (
          <ExternalRow
            key={row.id}
            row={row}
            name={nameAmong(row, asked.value ?? [])}
            onEdit={() => edit({ type: 'change', row })}
            onChanged={onChanged}
          />
        ))}
      </ul>
    </section>
  )
}

/** One whose name another one has too is called with its id. [AGENT72] */
function nameAmong({ id, name }: ExternalAgentRow, rows: readonly ExternalAgentRow[]): string {
  const isShared = rows.some((row) => row.id !== id && row.name.toLowerCase() === name.toLowerCase())
  return isShared ? `${name} (${id})` : name
}
