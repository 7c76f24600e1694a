import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { START_WORKSPACE } from '@holdfast/protocol'
import { useEffect, useMemo, useState } from 'react'
import { navigate } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'
import { shownName } from '../shared/language/shown-name.ts'
import { choose, usePreference } from '../shared/preferences/preferences.ts'
import { SearchField } from '../shared/search-field.tsx'
import { tell } from '../shared/toasts/toasts.ts'
import { changedHere } from './changed-here.ts'
import type { SelectedLines } from './code-editor.tsx'
import { FileTree } from './file-tree.tsx'
import { FileView } from './file-view.tsx'
import { type FilesDesk, filesDeskOf } from './files-desk.ts'
import { FoundLines } from './found-lines.tsx'

interface FilesTabProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** The files of the place in which a conversation works. [UI67] */
export function FilesTab({ client, store }: FilesTabProps) {
  const settings = useConversation(store, (state) => state.overview.settings)
  const known = useObservable(client.workspaces, ({ value }) => value)
  const { workspaceId: chosen = START_WORKSPACE, worktreeId, workspace: folder } = settings
  const row = known?.workspaces.find(({ id }) => id === chosen)
  const placeId = [chosen, worktreeId ?? '', folder ?? ''].join('|')
  if (known === null) return <p className="meta dock-wait">{say('tree.reading')}</p>
  if (row === undefined)
    return (
      <div className="files-empty" data-testid="files-empty">
        <p>{say(chosen === START_WORKSPACE ? 'tree.no-workspace' : 'tree.workspace-gone')}</p>
        <button
          type="button"
          className="button small"
          onClick={() => navigate({ type: 'settings', section: 'workspaces' }, 'push')}
        >
          {say('workspaces.open')}
        </button>
      </div>
    )
  return (
    <Place
      key={placeId}
      client={client}
      store={store}
      desk={filesDeskOf(client, store, { workspaceId: chosen, placeId })}
    />
  )
}

interface PlaceProps extends FilesTabProps {
  readonly desk: FilesDesk
}

function Place({ client, store, desk }: PlaceProps) {
  const { tree, files } = desk
  const opened = useObservable(desk.opened, (file) => file)
  const unsaved = useObservable(desk.unsaved, (paths) => paths)
  const folder = useObservable(tree, (state) => state.folder)
  const branch = useObservable(tree, (state) => state.marks.branch)
  const items = useConversation(store, ({ window }) => window.items)
  const follows = usePreference('followsFiles')
  const byAgent = useMemo(() => changedHere(items), [items])
  const [words, setWords] = useState('')
  const [goTo, setGoTo] = useState<{ readonly line: number; readonly round: number } | null>(null)
  const path = opened?.getSnapshot().path ?? null

  useEffect(() => followWhileSeen(desk), [desk])

  const newest = byAgent.newest
  useEffect(() => {
    if (follows && desk.isNews(newest)) {
      setGoTo(null)
      desk.open(newest.path)
    }
  }, [desk, follows, newest])

  function open(at: string, line: number | null): void {
    setGoTo((before) => (line === null ? null : { line, round: (before?.round ?? 0) + 1 }))
    desk.open(at)
  }

  function mention(lines: SelectedLines | null): void {
    if (path === null) return
    const { conversationId } = store.getSnapshot()
    client
      .composer(conversationId)
      .add({ type: 'mention', kind: 'file', id: path, ...(lines === null ? {} : { lines }) })
    const name = lines === null ? `@${path}` : `@${path}#L${lines.from}-${lines.to}`
    tell(say('tree.goes-along', { name: shownName(name) }), null)
  }

  return (
    <div className="files-tab" data-testid="files-tab" data-opened={path !== null || undefined}>
      <div className="files-side">
        <div className="files-head">
          <SearchField
            label={say('tree.search')}
            placeholder={say('tree.search-names-and-lines')}
            words={words}
            onWords={setWords}
          />
          <div className="files-facts">
            <span className="meta" title={folder ?? undefined}>
              {folder === null ? '' : <bdi>{folder.split('/').at(-1)}</bdi>}
              {branch !== null && <bdi className="files-branch"> {branch}</bdi>}
            </span>
            <label className="check">
              <input
                type="checkbox"
                checked={follows}
                data-testid="follow-files"
                onChange={({ target }) => choose({ followsFiles: target.checked })}
              />
              {say('tree.follow')}
            </label>
          </div>
        </div>
        {words.trim() === '' ? (
          <FileTree
            tree={tree}
            opened={path}
            byAgent={byAgent.paths}
            unsaved={unsaved}
            onOpen={(at) => open(at, null)}
          />
        ) : (
          <FoundLines files={files} words={words.trim()} onOpen={open} />
        )}
      </div>
      {opened !== null && path !== null && (
        <FileView
          key={path}
          file={opened}
          attachments={client.attachments}
          address={files.addressOf(path)}
          goTo={goTo}
          onMention={mention}
          onClose={() => desk.close()}
        />
      )}
    </div>
  )
}

/** Follows what changes while the tab is open and the page is looked at. */
function followWhileSeen(desk: FilesDesk): () => void {
  let ending: AbortController | null = null
  const onSight = (): void => {
    if (document.visibilityState === 'hidden') {
      ending?.abort()
      ending = null
    } else if (ending === null) {
      ending = new AbortController()
      void desk.follow(ending.signal)
    }
  }
  onSight()
  document.addEventListener('visibilitychange', onSight)
  return () => {
    document.removeEventListener('visibilitychange', onSight)
    ending?.abort()
  }
}
