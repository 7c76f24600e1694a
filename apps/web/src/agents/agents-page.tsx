import type { AccountApi, Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { EXTERNAL_AGENT } from '@holdfast/conversation'
import type { AgentRow } from '@holdfast/protocol'
import { useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { AgentEditor } from './agent-editor.tsx'
import { agentFacts } from './agent-facts.ts'
import { AgentMark } from './agent-mark.tsx'
import { ExternalSection } from './external/external-section.tsx'

/** What is being written. */
type Editing =
  | { readonly type: 'new' }
  | { readonly type: 'change'; readonly row: AgentRow }
  | { readonly type: 'copy'; readonly row: AgentRow }

/** What is open above the list. */
type Opened = Editing | { readonly type: 'show'; readonly row: AgentRow }

/** The agents that a person may choose: their own, those that are shared with them, and those of the installation. */
export function AgentsPage({ client, account }: { readonly client: Client; readonly account: AccountApi }) {
  const { value, state, problem } = useObservable(client.agents, (agents) => agents)
  const [opened, open] = useState<Opened | null>(null)
  const editing = opened?.type === 'show' ? null : opened
  const from = editing === null || editing.type === 'new' ? null : editing.row
  // Programs stand in a list of their own, with those that are not installed.
  const rows = (value?.agents ?? []).filter(({ id }) => !id.startsWith(EXTERNAL_AGENT))
  return (
    <section aria-label={say('agents.agents')}>
      <div className="settings-head">
        <p className="settings-lead">{say('agents.an-agent-is-a-name')}</p>
        {editing === null && (
          <button type="button" className="button" onClick={() => open({ type: 'new' })}>
            {say('agents.new-agent')}
          </button>
        )}
      </div>
      {editing !== null && (
        <AgentEditor
          key={`${editing.type}:${from?.id ?? ''}`}
          client={client}
          from={editing.type === 'copy' ? copyOf(editing.row) : from}
          isChange={editing.type === 'change'}
          onDone={() => open(null)}
        />
      )}
      {opened?.type === 'show' && (
        <AgentView
          row={opened.row}
          onDuplicate={() => open({ type: 'copy', row: opened.row })}
          onClose={() => open(null)}
        />
      )}
      {!value && state !== 'failed' && <p className="meta">{say('agents.reading-the-agents')}</p>}
      {state === 'failed' && (
        <p className="problem" role="alert">
          {say('agents.not-read', { problem: problem ? errorText(problem) : '' })}{' '}
          <button type="button" className="link-button" onClick={() => client.agents.load()}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      <ul className="provider-list">
        {rows.map((row) => (
          <Agent key={row.id} client={client} row={row} onOpen={open} />
        ))}
      </ul>
      <ExternalSection client={client} account={account} />
    </section>
  )
}

interface AgentProps {
  readonly client: Client
  readonly row: AgentRow
  readonly onOpen: (opened: Opened) => void
}

function Agent({ client, row, onOpen }: AgentProps) {
  const [isSure, setSure] = useState(false)
  const [useCount, setUseCount] = useState<number | null>(null)
  const { name, avatar, canChange, accepted } = row

  async function ask(): Promise<void> {
    setSure(true)
    setUseCount(null)
    await told(client.countAgentUse(row.id).then(setUseCount))
  }

  async function remove(): Promise<void> {
    if (await told(client.deleteAgent(row.id))) tell(say('agents.name-is-deleted-its-conversations', { name }), null)
  }

  return (
    <li className="provider-row agent-row" data-testid="agent-row">
      <AgentMark agentId={row.id} name={name} avatar={avatar} />
      <span className="provider-name">
        <strong dir="auto">{name}</strong>
        <span className="meta" dir="auto">
          {[row.description, wordsOf(row)].filter((words) => words !== '').join(' · ')}
        </span>
      </span>
      <span className="setting-acts">
        <button
          type="button"
          className="button"
          aria-label={say(canChange ? 'agents.edit-name' : 'agents.show-name', { name })}
          onClick={() => onOpen({ type: canChange ? 'change' : 'show', row })}
        >
          {say(canChange ? 'common.edit' : 'common.show')}
        </button>
        {!accepted && (
          <button
            type="button"
            className="button"
            aria-label={say('agents.accept-name', { name })}
            title={say('agents.why-accept')}
            onClick={() => void told(client.acceptAgent(row.id))}
          >
            {say('agents.accept')}
          </button>
        )}
        <button
          type="button"
          className="link-button"
          aria-label={say('agents.duplicate-name', { name })}
          onClick={() => onOpen({ type: 'copy', row })}
        >
          {say('agents.duplicate')}
        </button>
        {canChange && !isSure && (
          <button
            type="button"
            className="link-button"
            aria-label={say('agents.delete-name', { name })}
            onClick={() => void ask()}
          >
            {say('common.delete-asking')}
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
              aria-label={say('agents.really-delete-name', { name })}
              onClick={() => void remove()}
            >
              {say('common.delete')}
            </button>
            <button type="button" className="link-button" onClick={() => setSure(false)}>
              {say('common.keep')}
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
  const own = say('agents.used-by', { count })
  return sharing === null || sharing.type === 'private' ? own : [own, say('agents.shared-lose-it')].join(' ')
}

/** A copy is nobody's yet: it is shared with nobody. */
function copyOf(row: AgentRow): AgentRow {
  return { ...row, name: say('agents.copy-of', { name: row.name }).slice(0, 80), sharing: null }
}

const PERMISSIONS = {
  plan: 'palette.plan-only',
  ask: 'palette.ask-first',
  'accept-edits': 'palette.accept-edits',
  sandboxed: 'palette.ask-outside-the-sandbox',
  bypass: 'palette.ask-nothing',
} as const

/** Where it is from, and what it may do. */
function wordsOf({ origin, sharedBy, sharing, settings }: AgentRow): string {
  const words: string[] = []
  if (origin === 'built-in') words.push(say('agents.always-here'))
  if (origin === 'file') words.push(say('agents.from-the-configuration-file'))
  if (origin === 'shared')
    words.push(sharedBy === null ? say('agents.shared-with-you') : say('agents.shared-with-you-by', { name: sharedBy }))
  if (sharing?.type === 'everyone') words.push(say('agents.shared-with-everyone-here'))
  if (sharing?.type === 'people') words.push(say('agents.shared-with', { count: sharing.emails.length }))
  if (settings.modelId !== undefined) words.push(settings.modelId)
  if (settings.toolMode === 'all-off') words.push(say('agents.no-tools'))
  if (settings.toolMode === 'manual')
    words.push(say('agents.tool-count', { count: (settings.includedTools ?? []).length }))
  if (settings.memories === 'off') words.push(say('agents.no-memories'))
  if (settings.permissionMode !== undefined)
    words.push(say('agents.permission-mode', { mode: say(PERMISSIONS[settings.permissionMode]) }))
  return words.join(' · ')
}

interface AgentViewProps {
  readonly row: AgentRow
  readonly onDuplicate: () => void
  readonly onClose: () => void
}

/** What an agent is set to that is not this person's to change: shared with them, or the installation's. [AGENT4] */
function AgentView({ row, onDuplicate, onClose }: AgentViewProps) {
  const { name } = row
  return (
    <section className="agent-form" data-testid="agent-view" aria-label={say('agents.agent-name', { name })}>
      <h3 dir="auto">{name}</h3>
      <dl className="agent-facts">
        {agentFacts(row).map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd dir="auto" className={fact.isCode ? 'mono' : undefined}>
              {fact.value}
            </dd>
          </div>
        ))}
      </dl>
      <div className="setting-acts">
        <button type="button" className="button" onClick={onDuplicate}>
          {say('agents.duplicate')}
        </button>
        <button type="button" className="link-button" onClick={onClose}>
          {say('common.close')}
        </button>
      </div>
    </section>
  )
}
