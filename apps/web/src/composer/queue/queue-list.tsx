import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { isComposing } from '../../shared/is-composing.ts'
import { say } from '../../shared/language/say.ts'
import { useTick } from '../../shared/use-seconds.ts'
import type { QueueRow } from '../pending.ts'
import type { QueueAct } from './queue-act.ts'
import { isBeingEdited, placeAfterMove, withWords } from './queue-order.ts'
import { canEdit, type QueueEditing } from './use-queue-edit.ts'

/** As many are shown at once; more are closed until they are asked for. */
const MOST_OPEN = 3

/** Whether long queues are open, for as long as the page is. */
let isOpenByChoice = false

interface QueueListProps {
  readonly rows: readonly QueueRow[]
  /** False while the rows are not all read: one that is missing may still come. */
  readonly isKnown: boolean
  readonly isHeld: boolean
  readonly editing: QueueEditing
  readonly onAct: (act: QueueAct) => void
  /** What was written in the place of a message that is sent already goes back to the field. */
  readonly onBack: (words: string) => void
  /** An act took away what had the focus. */
  readonly onLeft: () => void
}

/** What waits behind the running turn, or is held. */
export function QueueList({ rows, isKnown, isHeld, editing, onAct, onBack, onLeft }: QueueListProps) {
  const { edit } = editing
  const [told, tell] = useState('')
  const [isChosenOpen, setChosenOpen] = useState(isOpenByChoice)
  const list = useRef<HTMLOListElement>(null)
  const moved = useRef<{ readonly inputId: string; readonly direction: string } | null>(null)
  const inputs = rows.flatMap((row) => (row.state === 'outbox' ? [] : [row.input]))
  const now = useTick(inputs.some(({ lockedAt }) => lockedAt !== null))
  const edited = rows.find((row) => row.state !== 'outbox' && row.key === edit?.inputId)
  const isOpen = rows.length <= MOST_OPEN || edited ? null : isChosenOpen

  // An element that is put elsewhere loses the focus.
  const order = rows.map(({ key }) => key).join(' ')
  useLayoutEffect(() => {
    if (!moved.current || order === '') return
    const { inputId, direction } = moved.current
    moved.current = null
    const item = [...(list.current?.children ?? [])].find((child) => child.getAttribute('data-input') === inputId)
    item?.querySelector<HTMLElement>(`[data-move=${direction}]`)?.focus()
  }, [order])

  function onItemAct(act: QueueAct): void {
    if (act.type === 'move') {
      const from = inputs.findIndex(({ inputId }) => inputId === act.inputId)
      moved.current = { inputId: act.inputId, direction: act.position < from ? 'up' : 'down' }
      tell(say('queue.moved-to', { place: act.position + 1, count: inputs.length }))
    }
    if (act.type === 'remove') {
      tell(rows.length === 1 ? say('queue.queue-empty') : '')
      onLeft()
    }
    onAct(act)
  }

  function onHeadAct(act: QueueAct): void {
    if (act.type === 'clear') {
      tell(say('queue.queue-empty'))
      onLeft()
    }
    onAct(act)
  }

  const editor = edit && (
    <QueueEditor
      key={edit.inputId}
      words={edit.words}
      state={edited || !isKnown ? 'waiting' : 'sent'}
      canSave={edited?.state !== 'outbox' && withWords(edited?.input.content ?? [], edit.words) !== null}
      onWrite={editing.write}
      onSave={() => {
        editing.save()
        onLeft()
      }}
      onBack={() => {
        onBack(edit.words)
        editing.leave()
      }}
      onCancel={() => {
        editing.leave()
        onLeft()
      }}
    />
  )

  return (
    <>
      <p className="visually-hidden" role="status" data-testid="queue-told">
        {told}
      </p>
      {edit && !edited && <div className="queue-lost">{editor}</div>}
      {rows.length > 0 && (
        <QueueHead
          rows={rows}
          isHeld={isHeld}
          now={now}
          isOpen={isOpen}
          onOpen={(open) => {
            isOpenByChoice = open
            setChosenOpen(open)
          }}
          onAct={onHeadAct}
        />
      )}
      {rows.length > 0 && isOpen !== false && (
        <ol ref={list} className="queue" data-testid="queue-list" aria-label={say('queue.queue')}>
          {rows.map((row, index) => (
            <QueueItem
              key={row.key}
              row={row}
              now={now}
              number={index + 1}
              up={placeAfterMove(inputs, row.key, -1)}
              down={placeAfterMove(inputs, row.key, 1)}
              onAct={onItemAct}
              onEdit={edit ? null : () => editing.begin(row)}
              editor={row === edited ? editor : null}
            />
          ))}
        </ol>
      )}
    </>
  )
}

interface QueueHeadProps {
  readonly rows: readonly QueueRow[]
  readonly isHeld: boolean
  readonly now: number
  /** Whether the list is open; null where it is too short to be closed. */
  readonly isOpen: boolean | null
  readonly onOpen: (isOpen: boolean) => void
  readonly onAct: (act: QueueAct) => void
}

/** How many wait, and what is done with all of them while they are held. */
function QueueHead({ rows, isHeld, now, isOpen, onOpen, onAct }: QueueHeadProps) {
  const taken = rows.filter((row) => row.state !== 'outbox')
  const next = taken.find(({ input }) => !isBeingEdited(input.lockedAt, now))
  const count = say('queue.queued', { count: rows.length })

  return (
    <div className={`queue-head${isHeld ? ' held' : ''}`}>
      {isOpen !== null && (
        <button
          type="button"
          className="queue-toggle"
          data-testid="queue-toggle"
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          {count} <Icon name="right" />
        </button>
      )}
      {isHeld && <span>{say('queue.queue-paused')}</span>}
      {!isHeld && isOpen === null && <span>{count}</span>}
      {isHeld && (
        <span className="queue-acts">
          {next && (
            <button
              type="button"
              className="link-button"
              onClick={() => onAct({ type: 'send-next', inputId: next.key })}
            >
              {say('queue.send-next')}
            </button>
          )}
          <button type="button" className="link-button" onClick={() => onAct({ type: 'release' })}>
            {say('queue.send-all')}
          </button>
          {taken.length > 0 && (
            <button
              type="button"
              className="link-button"
              onClick={() => onAct({ type: 'clear', inputIds: taken.map(({ key }) => key) })}
            >
              {say('queue.clear')}
            </button>
          )}
        </span>
      )}
    </div>
  )
}

interface QueueEditorProps {
  readonly words: string
  /** `sent`: it waits no more, and what was written goes back to the message field. */
  readonly state: 'waiting' | 'sent'
  readonly canSave: boolean
  readonly onWrite: (words: string) => void
  readonly onSave: () => void
  readonly onBack: () => void
  readonly onCancel: () => void
}

/** Writing a waiting message anew in its place. Esc leaves this and nothing else. */
function QueueEditor({ words, state, canSave, onWrite, onSave, onBack, onCancel }: QueueEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  const act = state === 'sent' ? onBack : onSave
  const isIdle = state === 'waiting' && !canSave

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    if (event.key !== 'Enter' || event.shiftKey || matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    if (!isIdle) act()
  }

  return (
    <div className="queue-editor" data-testid="queue-editor" data-state={state}>
      <textarea
        ref={field}
        aria-label={say('queue.queued-message')}
        rows={1}
        dir="auto"
        value={words}
        onChange={(event) => onWrite(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="queue-acts">
        <span className="meta" role="status">
          {state === 'sent' ? say('queue.already-sent') : say('queue.not-sent-while-edited')}
        </span>
        <button type="button" className="link-button" aria-disabled={isIdle} onClick={() => !isIdle && act()}>
          {state === 'sent' ? say('composer.back-to-the-field') : say('common.save')}
        </button>
        <button type="button" className="link-button" onClick={onCancel}>
          {state === 'sent' ? say('queue.discard') : say('common.cancel')}
        </button>
      </div>
    </div>
  )
}

interface QueueItemProps {
  readonly row: QueueRow
  readonly number: number
  /** Where it goes by one step; null where it cannot. */
  readonly up: number | null
  readonly down: number | null
  readonly now: number
  readonly onAct: (act: QueueAct) => void
  /** Null while another one is edited: what is written there is not thrown away. */
  readonly onEdit: (() => void) | null
  /** It is the one that is edited here: this stands in the place of its words. */
  readonly editor: React.ReactNode
}

/** A message that waits. What the server has not taken yet cannot be changed. */
function QueueItem({ row, number, up, down, now, onAct, onEdit, editor }: QueueItemProps) {
  const inputId = row.key
  const isEditedElsewhere = row.state !== 'outbox' && !editor && isBeingEdited(row.input.lockedAt, now)

  function moveButton(direction: 'up' | 'down', position: number | null) {
    return (
      <button
        type="button"
        className="icon-button"
        data-move={direction}
        aria-label={direction === 'up' ? say('queue.move-up') : say('queue.move-down')}
        title={direction === 'up' ? say('queue.move-up') : say('queue.move-down')}
        aria-disabled={position === null}
        onClick={() => position !== null && onAct({ type: 'move', inputId, position })}
      >
        <Icon name={direction} />
      </button>
    )
  }

  return (
    <li data-testid="queue-item" data-state={row.state} data-input={inputId}>
      <span className="number">{number}</span>
      {editor || (
        <span className="first-line" dir="auto">
          {row.text}
        </span>
      )}
      {row.state === 'outbox' && <span className="meta">{say('queue.sending')}</span>}
      {row.state !== 'outbox' && !editor && (
        <span className="queue-acts">
          {isEditedElsewhere ? (
            <span className="meta">{say('queue.being-edited')}</span>
          ) : (
            <button type="button" className="link-button" onClick={() => onAct({ type: 'send-now', inputId })}>
              {say('queue.send-now')}
            </button>
          )}
          {onEdit && canEdit(row, now) && (
            <button type="button" className="link-button" onClick={onEdit}>
              {say('common.edit')}
            </button>
          )}
          <button type="button" className="link-button" onClick={() => onAct({ type: 'remove', inputId })}>
            {say('common.remove')}
          </button>
          {(up !== null || down !== null) && (
            <span className="queue-moves">
              {moveButton('up', up)}
              {moveButton('down', down)}
            </span>
          )}
        </span>
      )}
    </li>
  )
}
