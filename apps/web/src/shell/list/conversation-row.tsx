import { markHidden } from '@holdfast/conversation'
import type { ConversationRow as Row } from '@holdfast/protocol'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { navigate, pathOf } from '../../shared/address.ts'
import { listTime } from '../../shared/format.ts'
import { Glyph, type GlyphName, Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { choose, readPreferences } from '../../shared/preferences/preferences.ts'
import { type RowAct, RowMenu } from './row-menu.tsx'

interface RowProps {
  readonly row: Row
  readonly isCurrent: boolean
  readonly isPinned: boolean
  readonly isUnread: boolean
  /** Whether Tab comes to it: to one of all rows. */
  readonly isTabStop: boolean
  readonly now: number
  readonly onChosen: () => void
  readonly onRename: (row: Row, title: string) => void
  readonly onArchive: (row: Row, title: string) => void
}

/** One conversation of the list. F2 renames it, Delete archives it; its menu has both. */
export function ConversationRow({
  row,
  isCurrent,
  isPinned,
  isUnread,
  isTabStop,
  now,
  onChosen,
  onRename,
  onArchive,
}: RowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const [hasMenu, setMenu] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const glyph = glyphOf(row.state)
  const title = markHidden(row.title ?? row.firstWords ?? say('common.untitled'))

  function onClick(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate({ type: 'conversation', conversationId: row.id }, 'push')
    onChosen()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'F2') setRenaming(true)
    else if (event.key === 'Delete') onArchive(row, title)
    else if (event.key === 'ArrowRight' || event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      setMenu(true)
    else return
    event.preventDefault()
  }

  const acts: readonly RowAct[] = [
    { name: isPinned ? say('common.unpin') : say('common.pin'), icon: 'pin', act: () => togglePin(row.id) },
    { name: say('common.rename'), icon: 'pencil', act: () => setRenaming(true) },
    { name: say('keys.archive'), icon: 'archive', act: () => onArchive(row, title) },
  ]

  if (isRenaming) {
    return (
      <RenameRow
        title={title}
        onDone={(next) => {
          setRenaming(false)
          if (next !== null && next !== title) onRename(row, next)
        }}
      />
    )
  }
  return (
    <div className="row-frame">
      <a
        ref={link}
        className="conversation-row"
        tabIndex={isTabStop ? 0 : -1}
        aria-haspopup="menu"
        data-id={row.id}
        data-testid="conv-row"
        data-state={row.state}
        data-unread={isUnread || undefined}
        href={pathOf({ type: 'conversation', conversationId: row.id })}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {glyph ? <Glyph name={glyph.name} lively={false} /> : <span className={isUnread ? 'unread-dot' : undefined} />}
        <span className="title" dir="auto">
          {title}
          {glyph && <span className="visually-hidden">{[', ', glyph.words]}</span>}
          {isUnread && <span className="visually-hidden">{[', ', say('list.unread')]}</span>}
          {row.forkedFromId !== null && <span className="visually-hidden">{[', ', say('list.branched')]}</span>}
        </span>
        <RowMarks row={row} />
        <time className="meta" dateTime={new Date(row.updatedAt).toISOString()}>
          {listTime(row.updatedAt, now)}
        </time>
      </a>
      <span className="row-acts">
        <button
          type="button"
          className="icon-button"
          tabIndex={-1}
          aria-label={say('list.pin-title', { title })}
          aria-pressed={isPinned}
          onClick={() => togglePin(row.id)}
        >
          <Icon name="pin" />
        </button>
        <button
          type="button"
          className="icon-button"
          tabIndex={-1}
          aria-label={say('list.rename-title', { title })}
          onClick={() => setRenaming(true)}
        >
          <Icon name="pencil" />
        </button>
        <button
          type="button"
          className="icon-button"
          tabIndex={-1}
          aria-label={say('list.archive-title', { title })}
          data-archives={row.id}
          onClick={() => onArchive(row, title)}
        >
          <Icon name="archive" />
        </button>
      </span>
      <button
        type="button"
        className="icon-button row-more"
        tabIndex={-1}
        aria-label={say('list.acts-on-title', { title })}
        aria-haspopup="menu"
        aria-expanded={hasMenu}
        onClick={() => setMenu(true)}
      >
        <Icon name="more" />
      </button>
      {hasMenu && <RowMenu title={title} acts={acts} opener={link} onClose={() => setMenu(false)} />}
    </div>
  )
}

/** What stands behind the title: that it was branched, and what waits in its queue. Who listens hears the first with the title. */
function RowMarks({ row: { forkedFromId, queuedCount } }: { readonly row: Row }) {
  if (forkedFromId === null && queuedCount === 0) return null
  return (
    <span className="meta row-marks">
      {forkedFromId !== null && (
        <span title={say('list.branched')} data-testid="forked-mark">
          <Icon name="fork" />
        </span>
      )}
      {queuedCount > 0 && <span className="queued">{say('list.queued', { count: queuedCount })}</span>}
    </span>
  )
}

interface RenameRowProps {
  readonly title: string
  /** Null: it stays as it was. */
  readonly onDone: (title: string | null) => void
}

function RenameRow({ title, onDone }: RenameRowProps) {
  const [draft, setDraft] = useState(title)
  const wanted = draft.trim() === '' ? null : draft.trim()
  return (
    <input
      type="text"
      className="rename-row"
      aria-label={say('common.title')}
      dir="auto"
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: it opens where its row was, at the person's wish
      autoFocus
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={() => onDone(wanted)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') onDone(wanted)
        if (event.key === 'Escape') onDone(null)
      }}
    />
  )
}

/** Pins a conversation at the top of the list in this browser, or lets it go. */
function togglePin(id: string): void {
  const { pinnedIds } = readPreferences()
  choose({ pinnedIds: pinnedIds.includes(id) ? pinnedIds.filter((other) => other !== id) : [...pinnedIds, id] })
}

function glyphOf(state: Row['state']): { readonly name: GlyphName; readonly words: string } | null {
  switch (state) {
    case 'running':
      return { name: 'running', words: say('list.running') }
    case 'waiting-for-permission':
    case 'waiting-for-answer':
      return { name: 'waiting', words: say('list.needs-you') }
    case 'failed':
      return { name: 'failed', words: say('list.failed') }
    case 'interrupted':
      return { name: 'interrupted', words: say('list.interrupted') }
    case 'queue-held':
      return { name: 'stopped', words: say('list.queue-paused') }
    case 'idle':
      return null
  }
}
