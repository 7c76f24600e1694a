import { say } from './language/say.ts'
import type { QueueRow } from './pending.ts'

/** What a person does with what waits. */
export type QueueAct =
  | { readonly type: 'send-now' | 'remove'; readonly inputId: string }
  /** What was held is sent in its order. */
  | { readonly type: 'release' }

interface QueueListProps {
  readonly rows: readonly QueueRow[]
  readonly isHeld: boolean
  readonly onAct: (act: QueueAct) => void
}

/** What waits behind the running turn, or is held. What the server has not taken yet cannot be changed. */
export function QueueList({ rows, isHeld, onAct }: QueueListProps) {
  return (
    <>
      <p className={`queue-head${isHeld ? ' held' : ''}`}>
        <span>
          {isHeld ? say('queue.queue-paused-your-next-message') : say('queue.queued', { count: rows.length })}
        </span>
        {isHeld && (
          <button type="button" className="link-button" onClick={() => onAct({ type: 'release' })}>
            {say('queue.send-all')}
          </button>
        )}
      </p>
      <ol className="queue" data-testid="queue-list" aria-label={say('queue.queue')}>
        {rows.map((row, index) => (
          <li key={row.key} data-testid="queue-item" data-state={row.state}>
            <span className="number">{index + 1}</span>
            <span className="first-line" dir="auto">
              {row.text.split('\n')[0]}
            </span>
            {row.state === 'outbox' ? (
              <span className="meta">{say('queue.sending')}</span>
            ) : (
              <span className="queue-acts">
                <button
                  type="button"
                  className="link-button"
                  onClick={() => onAct({ type: 'send-now', inputId: row.key })}
                >
                  {say('queue.send-now')}
                </button>
                <button
                  type="button"
                  className="link-button"
                  onClick={() => onAct({ type: 'remove', inputId: row.key })}
                >
                  {say('common.remove')}
                </button>
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
