import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { ConversationRow } from '@holdfast/protocol'
import type { MouseEvent } from 'react'
import { connectionState } from './connection-state.tsx'
import { listGroup, listTime } from './format.ts'
import { Glyph, type GlyphName, Icon } from './icons.tsx'
import { navigate, pathOf } from './route.ts'
import { firstWords } from './thread-parts.ts'

interface SidebarProps {
  readonly client: Client
  readonly currentId: string | null
  readonly onChosen: () => void
}

/** The conversations, newest change first. */
export function Sidebar({ client, currentId, onChosen }: SidebarProps) {
  const list = useObservable(client.conversations, (state) => state)
  const link = useObservable(client.link, (state) => state)
  const now = Date.now()
  const groups = Map.groupBy(list.rows, (row) => listGroup(row.updatedAt, now))
  return (
    <div className="sidebar">
      <div className="bar">
        <span className="brand">
          <Icon name="logo" />
          holdfast
        </span>
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
      <nav className="conversation-list" aria-label="Conversations">
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
                  <Row client={client} row={row} isCurrent={row.id === currentId} now={now} onChosen={onChosen} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className="sidebar-foot meta">
        <span className="dot" data-state={connectionState(link, true)} />
        {location.host}
      </div>
    </div>
  )
}

interface RowProps {
  readonly client: Client
  readonly row: ConversationRow
  readonly isCurrent: boolean
  readonly now: number
  readonly onChosen: () => void
}

function Row({ client, row, isCurrent, now, onChosen }: RowProps) {
  function onClick(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate({ type: 'conversation', conversationId: row.id }, 'push')
    onChosen()
  }
  const glyph = glyphOf(row.state)
  return (
    <a
      className="conversation-row"
      data-testid="conv-row"
      data-state={row.state}
      href={pathOf({ type: 'conversation', conversationId: row.id })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onClick}
    >
      {glyph ? <Glyph name={glyph.name} lively={false} /> : <span />}
      <span className="title" dir="auto">
        {row.title ?? openedWords(client, row.id) ?? 'Untitled'}
        {glyph && <span className="visually-hidden">{`, ${glyph.words}`}</span>}
      </span>
      <time className="meta" dateTime={new Date(row.updatedAt).toISOString()}>
        {listTime(row.updatedAt, now)}
      </time>
    </a>
  )
}

/** How the conversation begins, when this tab has had it open. */
function openedWords(client: Client, conversationId: string): string | null {
  const store = client.openedConversation(conversationId)
  return store ? firstWords(store.getSnapshot().window) : null
}

function glyphOf(state: ConversationRow['state']): { readonly name: GlyphName; readonly words: string } | null {
  switch (state) {
    case 'running':
      return { name: 'running', words: 'running' }
    case 'waiting-for-permission':
      return { name: 'waiting', words: 'needs you' }
    case 'failed':
      return { name: 'failed', words: 'failed' }
    case 'interrupted':
      return { name: 'interrupted', words: 'interrupted' }
    case 'queue-held':
      return { name: 'stopped', words: 'queue paused' }
    case 'idle':
      return null
  }
}
