import type { Client } from '@holdfast/client'
import type { WorkspaceRow } from '@holdfast/protocol'
import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useAskedAtRest, useTold } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'

interface OpenFolderProps {
  readonly client: Client
  readonly onOpened: (row: WorkspaceRow) => void
  readonly onClose: () => void
}

/** Looks through the folders of the server, and opens one as a workspace. [UI55] */
export function OpenFolder({ client, onOpened, onClose }: OpenFolderProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [path, setPath] = useState<string | null>(null)
  const [written, setWritten] = useState<string | null>(null)
  const opening = useTold()
  const list = useCallback(() => client.listFolders(path), [client, path])
  const { asked, isNewest } = useAskedAtRest(list, 0)
  const here = asked.value
  const problem = opening.problem ?? asked.problem ?? here?.refusal ?? null

  useEffect(() => dialog.current?.showModal(), [])

  function goTo(next: string): void {
    setPath(next)
    setWritten(null)
  }

  function onGo(event: SubmitEvent): void {
    event.preventDefault()
    event.stopPropagation()
    if (written !== null && written.trim() !== '') setPath(written.trim())
  }

  async function open(root: string): Promise<void> {
    const isOpened = await opening.run(async () => onOpened(await client.openWorkspace(root)))
    if (isOpened) dialog.current?.close()
  }

  // Beside the page, not inside of the form whose picker opens it: what is pressed here is for this alone.
  return createPortal(
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby="open-folder-title"
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2 id="open-folder-title">{say('workspaces.open')}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={say('workspaces.close-folder')}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="folder-chooser" data-testid="open-folder" data-state={isNewest ? asked.type : 'asking'}>
        <form className="folder-path" onSubmit={onGo}>
          <button
            type="button"
            className="icon-button"
            aria-label={say('workspaces.up')}
            disabled={here === null || here.parent === null}
            onClick={() => here?.parent && goTo(here.parent)}
          >
            <Icon name="up" />
          </button>
          <input
            type="text"
            className="mono"
            dir="ltr"
            aria-label={say('workspaces.path')}
            spellCheck={false}
            autoCapitalize="off"
            value={written ?? path ?? here?.path ?? ''}
            onChange={({ target }) => setWritten(target.value)}
          />
          <button type="submit" className="button small" disabled={written === null}>
            {say('workspaces.go')}
          </button>
        </form>
        <ul className="folder-list">
          {(here?.folders ?? []).map(({ name, path: at, isGit }) => (
            <li key={at}>
              <button type="button" className="folder-row" onClick={() => goTo(at)}>
                <span dir="auto">{name}</span>
                <span className="meta">{isGit && say('workspaces.git')}</span>
                <Icon name="right" />
              </button>
            </li>
          ))}
          {here === null && asked.type === 'asking' && <li className="meta">{say('workspaces.reading')}</li>}
          {here !== null && here.folders.length === 0 && <li className="meta">{say('workspaces.no-folders')}</li>}
          {here?.isCut === true && <li className="meta">{say('workspaces.is-cut')}</li>}
        </ul>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <div className="folder-acts">
          <span className="mono meta" dir="ltr">
            {here?.path}
          </span>
          <button
            type="button"
            className="button primary"
            disabled={here === null || here.refusal !== null || asked.type === 'failed' || opening.isBusy}
            onClick={() => here && void open(here.path)}
          >
            {say('workspaces.open-this')}
          </button>
        </div>
      </div>
    </dialog>,
    document.body,
  )
}
