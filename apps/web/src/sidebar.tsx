import { type Client, type ConversationChange, RequestFailedError } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ConversationRow } from '@holdfast/protocol'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { ImportDialog } from './archive/import-dialog.tsx'
import { connectionState } from './connection-state.tsx'
import { listGroup } from './format.ts'
import { Icon } from './icons.tsx'
import { ConversationRow as RowView } from './list/conversation-row.tsx'
import { SearchResults } from './list/search-results.tsx'
import { navigate } from './route.ts'

interface SidebarProps {
  readonly client: Client
  readonly currentId: string | null
  readonly onChosen: () => void
  /** Stands at the foot, beside the name of the server. */
  readonly children?: ReactNode
}

/** An archived conversation can be brought back with one click for this long, in milliseconds. */
const UNDO_MS = 8_000

/** The conversations, newest change first. */
export function Sidebar({ client, currentId, onChosen, children }: SidebarProps) {
  const list = useObservable(client.conversations, (state) => state)
  const link = useObservable(client.link, (state) => state)
  const now = Date.now()
  const searchId = useId()
  const [words, setWords] = useState('')
  const [archived, setArchived] = useState<{ readonly id: string; readonly title: string } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const wanted = words.trim().toLowerCase()
  const rows = wanted === '' ? list.rows : list.rows.filter(({ title }) => title?.toLowerCase().includes(wanted))
  const groups = Map.groupBy(rows, (row) => listGroup(row.updatedAt, now))
  useEffect(() => {
    if (archived === null) return
    const timer = setTimeout(() => setArchived(null), UNDO_MS)
    return () => clearTimeout(timer)
  }, [archived])

  async function change(id: string, wish: ConversationChange): Promise<boolean> {
    setProblem(null)
    try {
      await client.changeConversation(id, wish)
      return true
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(error.message)
      return false
    }
  }

  async function archive({ id }: ConversationRow, title: string): Promise<void> {
    if (!(await change(id, { archived: true }))) return
    setArchived({ id, title })
    if (id === currentId) navigate({ type: 'new' }, 'push')
  }

  async function bringBack(id: string): Promise<void> {
    if (!(await change(id, { archived: false }))) return
    setArchived(null)
    navigate({ type: 'conversation', conversationId: id }, 'push')
  }

  return (
    <nav className="sidebar" aria-label="Conversations">
      <div className="bar">
        <span className="brand">
          <Icon name="logo" />
          holdfast
        </span>
      </div>
      <div className="search-field">
        <label htmlFor={searchId} className="visually-hidden">
          Search conversations
        </label>
        <Icon name="search" />
        <input
          id={searchId}
          type="search"
          placeholder="Search"
          dir="auto"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </div>
      <button
        type="button"
        className="new-conversation"
        onClick={() => {
          navigate({ type: 'new' }, 'push')
          onChosen()
        }}
      >
        <Icon name="plus" />
        New conversation
      </button>
      <div className="conversation-list">
        {list.state === 'loaded' && list.rows.length === 0 && (
          <p>No conversations yet. Start one: nothing leaves this computer until you connect a model.</p>
        )}
        {list.state === 'failed' && <p>Couldn’t read the conversation list.</p>}
        {[...groups].map(([group, rows]) => (
          <section key={group}>
            <h2>{group}</h2>
            <ul>
              {rows.map((row) => (
                <li key={row.id}>
                  <RowView
                    {...{ client, row, now, onChosen }}
                    isCurrent={row.id === currentId}
                    onRename={({ id }, title) => void change(id, { title })}
                    onArchive={(which, title) => void archive(which, title)}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {wanted !== '' && rows.length === 0 && <p>{`No title holds “${words.trim()}”.`}</p>}
        <SearchResults client={client} words={words} onChosen={onChosen} />
      </div>
      <div className="toast-place" role="status">
        {archived && (
          <p className="toast">
            <span className="title">{`Archived “${archived.title}”`}</span>
            <button type="button" className="link-button" onClick={() => void bringBack(archived.id)}>
              Undo
            </button>
          </p>
        )}
        {problem !== null && <p className="toast problem">{problem}</p>}
      </div>
      <div className="sidebar-foot meta">
        <span className="dot" data-state={connectionState(link, true)} />
        <span className="sidebar-host">{location.host}</span>
        <ImportDialog client={client} onOpened={onChosen} />
        {children}
      </div>
    </nav>
  )
}
