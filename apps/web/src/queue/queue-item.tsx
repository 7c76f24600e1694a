import { Icon } from '../icons.tsx'
import { say } from '../language/say.ts'
import type { QueueRow } from '../pending.ts'
import type { QueueAct } from './queue-act.ts'
import { isBeingEdited } from './queue-order.ts'
import { canEdit } from './use-queue-edit.ts'

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
export function QueueItem({ row, number, up, down, now, onAct, onEdit, editor }: QueueItemProps) {
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
          {row.text.split('\n')[0]}
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
