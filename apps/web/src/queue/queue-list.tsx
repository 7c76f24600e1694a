import { useLayoutEffect, useRef, useState } from 'react'
import { say } from '../language/say.ts'
import type { QueueRow } from '../pending.ts'
import { useTick } from '../use-seconds.ts'
import type { QueueAct } from './queue-act.ts'
import { QueueEditor } from './queue-editor.tsx'
import { QueueHead } from './queue-head.tsx'
import { QueueItem } from './queue-item.tsx'
import { placeAfterMove, withWords } from './queue-order.ts'
import type { QueueEditing } from './use-queue-edit.ts'

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
    if (act.type === 'remove') {
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
          {...{ rows, isHeld, now, isOpen }}
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
              {...{ row, now }}
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
