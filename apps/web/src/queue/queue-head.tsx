import { useState } from 'react'
import { Icon } from '../icons.tsx'
import { say } from '../language/say.ts'
import type { QueueRow } from '../pending.ts'
import type { QueueAct } from './queue-act.ts'
import { isBeingEdited } from './queue-order.ts'

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
export function QueueHead({ rows, isHeld, now, isOpen, onOpen, onAct }: QueueHeadProps) {
  const [isAsking, setAsking] = useState(false)
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
      {isHeld && <span>{isAsking ? say('queue.remove-all', { count: taken.length }) : say('queue.queue-paused')}</span>}
      {!isHeld && isOpen === null && <span>{count}</span>}
      {isHeld && !isAsking && (
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
          <button type="button" className="link-button" onClick={() => setAsking(true)}>
            {say('queue.clear')}
          </button>
        </span>
      )}
      {isHeld && isAsking && (
        <span className="queue-acts">
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setAsking(false)
              for (const { key } of taken) onAct({ type: 'remove', inputId: key })
            }}
          >
            {say('common.remove')}
          </button>
          <button type="button" className="link-button" ref={focusNew} onClick={() => setAsking(false)}>
            {say('common.keep')}
          </button>
        </span>
      )}
    </div>
  )
}

/** Stands still, so that it is called for a new element only. */
function focusNew(button: HTMLButtonElement | null): void {
  button?.focus()
}
