import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { AgentRow } from '@holdfast/protocol'
import { useState } from 'react'
import { tell } from '../toasts/toasts.ts'
import { told } from '../told-request.ts'
import { AgentEditor } from './agent-editor.tsx'
import { AgentMark } from './agent-mark.tsx'

/** What is being written. */
type Editing =
  | { readonly type: 'new' }
  | { readonly type: 'change'; readonly row: AgentRow }
  | { readonly type: 'copy'; readonly row: AgentRow }

/** The agents that a person may choose: their own, those that are shared with them, and those of the installation. */
export function AgentsPage({ client }: { readonly client: Client }) {
  const { value, state, problem } = useObservable(client.agents, (agents) => agents)
  const [editing, setEditing] = useState<Editing | null>(null)
  const from = editing === null || editing.type === 'new' ? null : editing.row
  return (
    <section aria-labelledby="settings-agents">
      <div className="settings-head">
        <h2 id="settings-agents">Agents</h2>
        {editing === null && (
          <button type="button" className="button" onClick={() => setEditing({ type: 'new' })}>
            New agent
          </button>
        )}
      </div>
      <p className="settings-lead">
        An agent is a name with instructions, a model, tools and permissions. A conversation takes it as it is when it
        is chosen; later changes reach it when you take them over there.
      </p>
      {editing !== null && (
        <AgentEditor
          key={`${editing.type}:${from?.id ?? ''}`}
          client={client}
          from={editing.type === 'copy' ? copyOf(editing.row) : from}
          isChange={editing.type === 'change'}
          onDone={() => setEditing(null)}
        />
      )}
      {!value && state !== 'failed' && <p className="meta">Reading the agents…</p>}
      {state === 'failed' && (
        <p className="problem" role="alert">
          {`The agents could not be read: ${problem} `}
          <button type="button" className="link-button" onClick={() => client.agents.load()}>
            Try again
          </button>
        </p>
      )}
      <ul className="provider-list">
        {(value?.agents ?? []).map((row) => (
          <Agent key={row.id} client={client} row={row} onEdit={setEditing} />
        ))}
      </ul>
    </section>
  )
}

interface AgentProps {
  readonly client: Client
  readonly row: AgentRow
  readonly onEdit: (editing: Editing) => void
}

function Agent({ client, row, onEdit }: AgentProps) {
  const [isSure, setSure] = useState(false)
  const [useCount, setUseCount] = useState<number | null>(null)
  const { name, avatar, canChange } = row

  async function ask(): Promise<void> {
    setSure(true)
    setUseCount(null)
    await told(client.countAgentUse(row.id).then(setUseCount))
  }

  async function remove(): Promise<void> {
    if (await told(client.deleteAgent(row.id)))
      tell(`${name} is deleted; its conversations go on as they were set`, null)
  }

  return (
    <li className="provider-row agent-row" data-testid="agent-row">
      <AgentMark name={name} avatar={avatar} />
      <span className="provider-name">
        <strong dir="auto">{name}</strong>
        <span className="meta" dir="auto">
          {[row.description, wordsOf(row)].filter((words) => words !== '').join(' · ')}
        </span>
      </span>
      <span className="setting-acts">
        {canChange && (
          <button
            type="button"
            className="button"
            aria-label={`Edit ${name}`}
            onClick={() => onEdit({ type: 'change', row })}
          >
            Edit
          </button>
        )}
        <button
          type="button"
          className="link-button"
          aria-label={`Duplicate ${name}`}
          onClick={() => onEdit({ type: 'copy', row })}
        >
          Duplicate
        </button>
        {canChange && !isSure && (
          <button type="button" className="link-button" aria-label={`Delete ${name}`} onClick={() => void ask()}>
            Delete…
          </button>
        )}
        {isSure && (
          <>
            <span className="meta" role="status" data-testid="agent-use">
              {wordsOfUse(useCount, row)}
            </span>
            <button
              type="button"
              className="button danger"
              aria-label={`Really delete ${name}`}
              onClick={() => void remove()}
            >
              Delete
            </button>
            <button type="button" className="link-button" onClick={() => setSure(false)}>
              Keep
            </button>
          </>
        )}
      </span>
    </li>
  )
}

/** What a deletion touches, of this person's own; what others have, nobody is told. */
function wordsOfUse(count: number | null, { sharing }: AgentRow): string {
  if (count === null) return ''
  const own =
    count === 0
      ? 'None of your conversations uses it.'
      : `${count} of your conversations ${count === 1 ? 'uses' : 'use'} it and ${count === 1 ? 'goes' : 'go'} on as ${count === 1 ? 'it was' : 'they were'} set.`
  return sharing === null || sharing.type === 'private' ? own : `${own} Those it is shared with lose it too.`
}

/** A copy is nobody's yet: it is shared with nobody. */
function copyOf(row: AgentRow): AgentRow {
  return { ...row, name: `${row.name} (copy)`.slice(0, 80), sharing: null }
}

/** Where it is from, and what it may do. */
function wordsOf({ origin, sharing, settings }: AgentRow): string {
  const words: string[] = []
  if (origin === 'built-in') words.push('always here')
  if (origin === 'file') words.push('from the configuration file')
  if (origin === 'shared') words.push('shared with you')
  if (sharing?.type === 'everyone') words.push('shared with everyone here')
  if (sharing?.type === 'people')
    words.push(`shared with ${sharing.emails.length} ${sharing.emails.length === 1 ? 'person' : 'people'}`)
  if (settings.modelId !== undefined) words.push(settings.modelId)
  if (settings.toolMode === 'all-off') words.push('no tools')
  if (settings.toolMode === 'manual') words.push(`${(settings.includedTools ?? []).length} tools`)
  if (settings.memories === 'off') words.push('no memories')
  if (settings.permissionMode !== undefined) words.push(`permissions: ${settings.permissionMode}`)
  return words.join(' · ')
}
