import { wholeCount } from '../format.ts'
import { Glyph } from '../icons.tsx'
import type { TurnFigures } from '../ledger-margin.tsx'
import type { TurnState } from '../thread-parts.ts'

interface EndCaptionProps {
  readonly state: TurnState
  readonly hasWords: boolean
  readonly hasFailure: boolean
  readonly figures: TurnFigures | null
  readonly reason: string | null
  /** Goes on from here; null where that is not offered. */
  readonly onContinue: (() => void) | null
  /** Raises the budget and goes on; null where it is not the budget that ended the turn. */
  readonly onRaiseBudget: (() => void) | null
}

/** Why a turn has ended other than by itself. What it had said by then stays above. */
export function EndCaption(props: EndCaptionProps) {
  const { state, hasWords, hasFailure, figures, reason, onContinue, onRaiseBudget } = props
  switch (state) {
    case 'stopped':
      return (
        <div className="caption stopped" data-testid="end-caption">
          <Glyph name="stopped" lively={false} />
          <strong className="caption-name">{hasWords ? 'Stopped by you' : 'Stopped before any reply.'}</strong>
          {hasWords && figures && figures.outputTokens > 0 && <span className="meta">{keptText(figures)}</span>}
          <GoOn onContinue={onContinue} name="Continue" />
        </div>
      )
    case 'interrupted':
      return (
        <div className="caption interrupted" data-testid="end-caption">
          <Glyph name="interrupted" lively={false} />
          <strong className="caption-name">Interrupted</strong>
          <span className="meta">
            {hasWords
              ? 'The server ended in the middle of this reply. The text so far is kept.'
              : 'The server ended before any reply.'}
          </span>
          <GoOn onContinue={onContinue} name="Continue" />
        </div>
      )
    case 'limit':
      return (
        <div className="caption limit" data-testid="end-caption">
          <Glyph name="waiting" lively={false} />
          <strong className="caption-name">Limit reached</strong>
          <span className="meta">{reason ?? 'The turn took as many steps as it may.'}</span>
          {onRaiseBudget ? (
            <button
              type="button"
              className="button go-on"
              title="Raises the budget of this conversation, and sends the message “Continue.”"
              onClick={onRaiseBudget}
            >
              Add $1 and go on
            </button>
          ) : (
            <GoOn onContinue={onContinue} name="Go on" />
          )}
        </div>
      )
    case 'error':
      return hasFailure ? (
        <div className="caption">
          <GoOn onContinue={onContinue} name={hasWords ? 'Continue' : 'Try again'} />
        </div>
      ) : (
        <div className="failure" data-testid="error-card" data-kind="broke-off">
          <header className="failure-head">
            <Glyph name="failed" lively={false} />
            <strong className="failure-title">{hasWords ? 'The reply broke off' : 'No reply'}</strong>
            {figures && figures.outputTokens > 0 && <span className="meta">{keptText(figures)}</span>}
          </header>
          <div className="failure-words">
            <p>{reason ?? 'The stream ended before its end. The text so far is kept.'}</p>
            <GoOn onContinue={onContinue} name={hasWords ? 'Continue' : 'Try again'} />
          </div>
        </div>
      )
    case 'submitting':
    case 'streaming':
    case 'tool_running':
    case 'waiting_permission':
    case 'waiting_retry':
    case 'stopping':
    case 'completed':
      return null
  }
}

/** Goes on by a message of its own, which the thread shows: nothing is sent unseen. */
function GoOn({ onContinue, name }: { readonly onContinue: (() => void) | null; readonly name: string }) {
  if (!onContinue) return null
  return (
    <button type="button" className="button go-on" title="Sends the message “Continue.”" onClick={onContinue}>
      {name}
    </button>
  )
}

function keptText({ outputTokens, measured }: TurnFigures): string {
  return `${measured ? '' : '≈ '}${wholeCount(outputTokens)} tokens kept`
}
