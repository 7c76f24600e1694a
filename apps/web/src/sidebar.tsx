import type { Client, ConversationChange } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ConversationRow } from '@holdfast/protocol'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ImportDialog } from './archive/import-dialog.tsx'
import { connectionState } from './connection-state.tsx'
import { Icon } from './icons.tsx'
import { chordWords } from './keys/chord.ts'
import { chordFor } from './keys/shortcuts.ts'
import { say } from './language/say.ts'
import { ConversationLines } from './list/conversation-lines.tsx'
import { ConversationRow as RowView } from './list/conversation-row.tsx'
import { onListKey } from './list/list-keys.ts'
import { listLines } from './list/list-lines.ts'
import { SearchResults } from './list/search-results.tsx'
import { readPreferences, usePreference } from './preferences/preferences.ts'
import { navigate, pathOf } from './route.ts'
import { SearchField } from './search-field.tsx'
import { tell } from './toasts/toasts.ts'
import { told } from './told-request.ts'

interface SidebarProps {
  readonly client: Client
  readonly currentId: string | null
  readonly onChosen: () => void
  /** Stands at the foot, beside the name of the server. */
  readonly children?: ReactNode
}

/** The conversations: pinned ones first, then by the day of their newest change. */
export function Sidebar({ client, currentId, onChosen, children }: SidebarProps) {
  const list = useObservable(client.conversations, (state) => state)
  const link = useObservable(client.link, (state) => state)
  const pinnedIds = usePreference('pinnedIds')
  const current = list.rows.find(({ id }) => id === currentId)
  useEffect(() => {
    if (current?.unread && document.visibilityState === 'visible') void told(client.markRead(current.id, current.head))
  }, [client, current])
  const now = Date.now()
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const rows = wanted === '' ? list.rows : list.rows.filter(({ title }) => title?.toLowerCase().includes(wanted))
  const lines = listLines(rows, { pinnedIds, now })
  const scroller = useRef<HTMLDivElement>(null)

  function change(id: string, wish: ConversationChange): Promise<boolean> {
    return told(client.changeConversation(id, wish))
  }

  async function archive({ id }: ConversationRow, title: string): Promise<void> {
    if (!(await change(id, { archived: true }))) return
    tell(say('list.archived-title', { title }), () => void bringBack(id))
    if (id === currentId) navigate({ type: 'new' }, 'push')
  }

  async function bringBack(id: string): Promise<void> {
    if (await change(id, { archived: false })) navigate({ type: 'conversation', conversationId: id }, 'push')
  }

  return (
    <nav className="sidebar" data-region="list" aria-label={say('common.conversations')}>
      <div className="bar">
        <span className="brand">
          <Icon name="logo" />
          holdfast
        </span>
        <span className="meta bar-hint" title={say('list.command-palette')}>
          {chordWords(chordFor('palette', readPreferences()))}
        </span>
      </div>
      <SearchField
        label={say('list.search-conversations')}
        placeholder={say('list.search')}
        words={words}
        onWords={setWords}
      />
      <button
        type="button"
        className="new-conversation"
        onClick={() => {
          navigate({ type: 'new' }, 'push')
          onChosen()
        }}
      >
        <Icon name="plus" />
        {say('common.new-conversation')}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links in here */}
      <div ref={scroller} className="conversation-list" onKeyDown={onListKey}>
        {list.state === 'loaded' && list.rows.length === 0 && <p>{say('list.no-conversations-yet-start-one')}</p>}
        {list.state === 'failed' && <p>{say('list.couldnt-read-the-conversation-list')}</p>}
        <ConversationLines
          {...{ client, lines, scroller }}
          older={list.older}
          row={({ row, isPinned }) => (
            <RowView
              {...{ client, row, now, onChosen, isPinned }}
              isCurrent={row.id === currentId}
              isUnread={row.id !== currentId && row.unread}
              onRename={({ id }, title) => void change(id, { title })}
              onArchive={(archived, title) => void archive(archived, title)}
            />
          )}
        />
        {wanted !== '' && rows.length === 0 && <p>{say('list.no-title-holds-words', { words: words.trim() })}</p>}
        <SearchResults client={client} words={words} onChosen={onChosen} />
      </div>
      <div className="sidebar-foot meta">
        <span className="dot" data-state={connectionState(link, true)} />
        <span className="sidebar-host">{location.host}</span>
        <ImportDialog client={client} onOpened={onChosen} />
        {children}
        <a
          className="icon-button"
          href={pathOf({ type: 'settings', section: 'appearance' })}
          aria-label={say('common.settings')}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            navigate({ type: 'settings', section: 'appearance' }, 'push')
            onChosen()
          }}
        >
          <Icon name="sliders" />
        </a>
      </div>
    </nav>
  )
}
