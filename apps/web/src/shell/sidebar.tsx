import type { Client, ConversationChange } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ConversationRow } from '@holdfast/protocol'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ImportDialog } from '../archive/import-dialog.tsx'
import { navigate, pathOf } from '../shared/address.ts'
import { told } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { chordWords } from '../shared/keys/chord.ts'
import { chordFor } from '../shared/keys/shortcuts.ts'
import { say } from '../shared/language/say.ts'
import { readPreferences, usePreference } from '../shared/preferences/preferences.ts'
import { SearchField } from '../shared/search-field.tsx'
import { tell } from '../shared/toasts/toasts.ts'
import { connectionState } from './connection-state.tsx'
import { ConversationLines } from './list/conversation-lines.tsx'
import { ConversationRow as RowView } from './list/conversation-row.tsx'
import { EmptyList } from './list/empty-list.tsx'
import { type ListLine, listLines } from './list/list-lines.ts'
import { SearchResults } from './list/search-results.tsx'
import { SidebarLinks } from './sidebar-links.tsx'

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
  const rows =
    wanted === ''
      ? list.rows
      : list.rows.filter(({ title, firstWords }) => (title ?? firstWords)?.toLowerCase().includes(wanted))
  const lines = listLines(rows, { pinnedIds, now })
  const scroller = useRef<HTMLDivElement>(null)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const tabStopId = tabStopOf(lines, [focusedId, currentId])

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
      <SidebarLinks client={client} onChosen={onChosen} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links in here */}
      <div
        ref={scroller}
        className="conversation-list"
        onKeyDown={onListKey}
        onFocus={({ target }) => setFocusedId(target.closest<HTMLElement>('[data-id]')?.dataset['id'] ?? focusedId)}
      >
        {list.state === 'loaded' && list.rows.length === 0 && <EmptyList client={client} />}
        {list.state === 'failed' && <p>{say('list.conversations-not-read')}</p>}
        <ConversationLines
          client={client}
          lines={lines}
          scroller={scroller}
          older={list.older}
          keptId={tabStopId}
          row={({ row, isPinned }) => (
            <RowView
              row={row}
              now={now}
              onChosen={onChosen}
              isPinned={isPinned}
              isTabStop={row.id === tabStopId}
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

/** The row that Tab comes to: the one that had the focus last, or is open; else the first. */
function tabStopOf(lines: readonly ListLine[], wanted: readonly (string | null)[]): string | null {
  const ids = lines.flatMap((line) => (line.type === 'row' ? [line.row.id] : []))
  return wanted.find((id) => id !== null && ids.includes(id)) ?? ids[0] ?? null
}

/** Letters that follow one another within this long are one word, in milliseconds. */
const WORD_MS = 700

const ROWS = 'a.conversation-row, a.search-hit'

let typed = { text: '', at: 0 }

/** Moves between the rows of the list: by the arrows, to its ends, or to the row that begins with what is typed. */
function onListKey(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: list, target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLAnchorElement)) return
  const rows = [...list.querySelectorAll<HTMLAnchorElement>(ROWS)]
  const to = rows[nextIndex(rows, rows.indexOf(target), key)]
  if (!to) return
  event.preventDefault()
  to.focus()
  if (key === 'Home' || key === 'End') goToEnd(list, key)
}

/** Of a long list only what is near the view is in the page: its end is there when it has been scrolled to. */
function goToEnd(list: HTMLElement, key: 'Home' | 'End'): void {
  list.scrollTop = key === 'Home' ? 0 : list.scrollHeight
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const rows = [...list.querySelectorAll<HTMLAnchorElement>(ROWS)]
      rows.at(key === 'Home' ? 0 : -1)?.focus()
    }),
  )
}

function nextIndex(rows: readonly HTMLElement[], index: number, key: string): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, rows.length - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return rows.length - 1
    default:
      return key.length === 1 && key !== ' ' ? startingWith(rows, key) : -1
  }
}

function startingWith(rows: readonly HTMLElement[], letter: string): number {
  const now = performance.now()
  typed = { text: now - typed.at < WORD_MS ? typed.text + letter : letter, at: now }
  const wanted = typed.text.toLowerCase()
  return rows.findIndex((row) =>
    row.querySelector('.title, .search-title')?.textContent?.toLowerCase().startsWith(wanted),
  )
}
