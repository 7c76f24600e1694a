import type { Client, WorkspaceChange } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { WORKSPACE_LIMITS, type WorkspaceRow } from '@holdfast/protocol'
import { useState } from 'react'
import { told } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { OpenFolder } from './open-folder.tsx'
import { WorktreeList } from './worktree-list.tsx'

/** The folders that conversations may work in, and who may use them. [UI56] */
export function WorkspacesPage({ client }: { readonly client: Client }) {
  const { value, state, problem } = useObservable(client.workspaces, (workspaces) => workspaces)
  const [isOpening, setOpening] = useState(false)
  const rows = value?.workspaces ?? []
  return (
    <section aria-label={say('workspaces.page')}>
      <div className="settings-head">
        <p className="settings-lead">{say('workspaces.lead')}</p>
        {value?.canOpen === true && (
          <button type="button" className="button" onClick={() => setOpening(true)}>
            {say('workspaces.open-asking')}
          </button>
        )}
      </div>
      {!value && state !== 'failed' && <p className="meta">{say('workspaces.reading-list')}</p>}
      {state === 'failed' && (
        <p className="problem" role="alert">
          {say('workspaces.not-read', { problem: problem ? errorText(problem) : '' })}{' '}
          <button type="button" className="link-button" onClick={() => client.workspaces.load()}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {value && rows.length === 0 && (
        <p className="meta">{say(value.canOpen ? 'workspaces.none-yet-open' : 'workspaces.none-yet')}</p>
      )}
      <ul className="provider-list">
        {rows.map((row) => (
          <Workspace key={`${row.id} ${row.version}`} client={client} row={row} />
        ))}
      </ul>
      <WorktreeList client={client} />
      {isOpening && (
        <OpenFolder
          client={client}
          onOpened={({ name }) => tell(say('workspaces.opened', { name }), null)}
          onClose={() => setOpening(false)}
        />
      )}
    </section>
  )
}

function Workspace({ client, row }: { readonly client: Client; readonly row: WorkspaceRow }) {
  const [isChanging, setChanging] = useState(false)
  const [isSure, setSure] = useState(false)
  const { id, name, root, isThere, canChange } = row

  async function close(): Promise<void> {
    if (await told(client.closeWorkspace(id))) tell(say('workspaces.closed', { name }), null)
  }

  return (
    <li className="workspace-row" data-testid="workspace-row" data-state={isThere ? 'there' : 'gone'}>
      <span className="provider-name">
        <strong dir="auto">{name}</strong>
        <span className="mono meta" dir="ltr">
          {root}
        </span>
        <span className="meta">{wordsOf(row)}</span>
        {!isThere && <span className="problem">{say('workspaces.gone')}</span>}
      </span>
      {canChange && (
        <span className="setting-acts">
          {!isSure && (
            <>
              <button
                type="button"
                className="button"
                aria-label={say('workspaces.edit-name', { name })}
                aria-expanded={isChanging}
                onClick={() => setChanging(!isChanging)}
              >
                {say('common.edit')}
              </button>
              <button
                type="button"
                className="link-button"
                aria-label={say('workspaces.close-name', { name })}
                onClick={() => setSure(true)}
              >
                {say('workspaces.close-asking')}
              </button>
            </>
          )}
          {isSure && (
            <>
              <span className="meta" role="status">
                {say('workspaces.close-says')}
              </span>
              <button
                type="button"
                className="button danger"
                aria-label={say('workspaces.really-close-name', { name })}
                onClick={() => void close()}
              >
                {say('workspaces.close')}
              </button>
              <button type="button" className="link-button" onClick={() => setSure(false)}>
                {say('common.keep')}
              </button>
            </>
          )}
        </span>
      )}
      {isChanging && <WorkspaceForm client={client} row={row} />}
    </li>
  )
}

/** Each choice is kept as soon as it is made; a name when its field is left. */
function WorkspaceForm({ client, row }: { readonly client: Client; readonly row: WorkspaceRow }) {
  const [name, setName] = useState(row.name)
  const change = (changes: WorkspaceChange) => void told(client.changeWorkspace(row, changes))
  const keepName = (): void => {
    if (name.trim() !== '' && name.trim() !== row.name) change({ name: name.trim() })
  }
  const shared = typeof row.access === 'string' ? row.access : 'people'
  return (
    <form
      className="workspace-form"
      onSubmit={(event) => {
        event.preventDefault()
        keepName()
      }}
    >
      <label>
        <span>{say('workspaces.name')}</span>
        <input
          type="text"
          dir="auto"
          maxLength={WORKSPACE_LIMITS.name}
          value={name}
          onChange={({ target }) => setName(target.value)}
          onBlur={keepName}
        />
      </label>
      <label>
        <span>{say('workspaces.access')}</span>
        <select
          className="picker boxed"
          value={shared}
          onChange={({ target: { value } }) => {
            if (value === 'owner' || value === 'everyone') change({ access: value })
          }}
        >
          <option value="owner">
            {say(row.origin === 'own' ? 'workspaces.only-owner' : 'workspaces.only-its-owner')}
          </option>
          {shared === 'people' && (
            <option value="people">{say('workspaces.people', { count: row.access.length })}</option>
          )}
          <option value="everyone">{say('workspaces.everyone')}</option>
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={row.readsInstructions}
          onChange={({ target }) => change({ readsInstructions: target.checked })}
        />
        {say('workspaces.reads-instructions')}
      </label>
    </form>
  )
}

function wordsOf({ origin, access, isGit }: WorkspaceRow): string {
  const words = [isGit ? say('workspaces.git') : '', origin === 'start' ? say('workspaces.from-start') : '']
  if (access === 'everyone') words.push(say('workspaces.everyone'))
  else if (access === 'owner') words.push(say(origin === 'own' ? 'workspaces.only-owner' : 'workspaces.only-its-owner'))
  else words.push(say('workspaces.people', { count: access.length }))
  return words.filter((word) => word !== '').join(' · ')
}
