import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
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
  /** Asks the same again in the place of what failed, which is set aside; null where that is not offered. [PRJ6] */
  readonly onTryAgain: (() => void) | null
  /** Raises the budget and goes on; null where it is not the budget that ended the turn. */
  readonly onRaiseBudget: (() => void) | null
}

/** Why a turn has ended other than by itself. What it had said by then stays above. */
export function EndCaption(props: EndCaptionProps) {
  const { state, hasWords, hasFailure, figures, reason, onContinue, onTryAgain, onRaiseBudget } = props
  switch (state) {
    case 'stopped':
      return (
        <div className="caption stopped" data-testid="end-caption">
          <Glyph name="stopped" lively={false} />
          <strong className="caption-name">
            {reason === null && hasWords
              ? say('answer.stopped-by-you')
              : say(hasWords ? 'page.stopped' : 'answer.stopped-before-any-reply')}
          </strong>
          {reason !== null && <span className="meta">{reason}</span>}
          {hasWords && figures && figures.outputTokens > 0 && <span className="meta">{keptText(figures)}</span>}
          {figures && !figures.measured && <span className="meta">{say('answer.the-provider-did-not-confirm')}</span>}
          <GoOn onContinue={onContinue} name={say('common.continue')} />
        </div>
      )
    case 'interrupted':
      return (
        <div className="caption interrupted" data-testid="end-caption">
          <Glyph name="interrupted" lively={false} />
          <strong className="caption-name">{say('answer.interrupted')}</strong>
          <span className="meta">
            {hasWords ? say('answer.the-server-ended-in-the') : say('answer.the-server-ended-before-any')}
          </span>
          <GoOn onContinue={onContinue} name={say('common.continue')} />
        </div>
      )
    case 'limit':
      // Its card says why, and what can be done.
      return hasFailure ? null : (
        <div className="caption limit" data-testid="end-caption">
          <Glyph name="waiting" lively={false} />
          <strong className="caption-name">{say('answer.limit-reached')}</strong>
          <span className="meta">{reason ?? say('answer.the-turn-took-as-many')}</span>
          {onRaiseBudget ? (
            <button
              type="button"
              className="button go-on"
              title={say('answer.raises-the-budget-of-this')}
              onClick={onRaiseBudget}
            >
              {say('answer.add-1-and-go-on')}
            </button>
          ) : (
            <GoOn onContinue={onContinue} name={say('answer.go-on')} />
          )}
        </div>
      )
    case 'error':
      return hasFailure ? (
        <div className="caption">
          <AfterFailure hasWords={hasWords} onContinue={onContinue} onTryAgain={onTryAgain} />
        </div>
      ) : (
        <div className="failure" data-testid="error-card" data-kind="broke-off">
          <header className="failure-head">
            <Glyph name="failed" lively={false} />
            <strong className="failure-title">
              {hasWords ? say('answer.the-reply-broke-off') : say('answer.no-reply')}
            </strong>
            {figures && figures.outputTokens > 0 && <span className="meta">{keptText(figures)}</span>}
          </header>
          <div className="failure-words">
            <p>{reason ?? say('answer.the-stream-ended-before-its')}</p>
            <AfterFailure hasWords={hasWords} onContinue={onContinue} onTryAgain={onTryAgain} />
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

type AfterFailureProps = Pick<EndCaptionProps, 'hasWords' | 'onContinue' | 'onTryAgain'>

/** What was said stays where a reply broke off; of one that said nothing, the same is asked again. */
function AfterFailure({ hasWords, onContinue, onTryAgain }: AfterFailureProps) {
  return (
    <>
      {onTryAgain && (
        <button type="button" className="button go-on" title={say('answer.asks-the-same-again')} onClick={onTryAgain}>
          {say('common.try-again')}
        </button>
      )}
      {hasWords && <GoOn onContinue={onContinue} name={say('common.continue')} />}
    </>
  )
}

/** Goes on by a message of its own, which the thread shows: nothing is sent unseen. */
function GoOn({ onContinue, name }: { readonly onContinue: (() => void) | null; readonly name: string }) {
  if (!onContinue) return null
  return (
    <button
      type="button"
      className="button go-on"
      title={say('answer.sends-the-message-continue')}
      onClick={onContinue}
    >
      {name}
    </button>
  )
}

function keptText({ outputTokens, measured }: TurnFigures): string {
  return say('answer.tokens-kept', { about: measured ? '' : '≈ ', count: outputTokens })
}
