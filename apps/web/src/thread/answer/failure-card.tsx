import type { TranscriptItemOf } from '@holdfast/conversation'
import type { ReactNode } from 'react'
import { CopyButton } from '../../shared/copy-button.tsx'
import { exactTime } from '../../shared/format.ts'
import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { wordsOf } from '../thread-parts.ts'
import { failureWords } from './failure-words.ts'

interface FailureCardProps {
  readonly item: TranscriptItemOf<'error'>
  /** Whether nothing followed it in its turn. */
  readonly isLast: boolean
  /** What can be done about it; null where that is over. */
  readonly nextSteps: ReactNode
}

/** A request that failed: the cause, what to do, and the provider's own words. One that was asked again is one line. [UI16] */
export function FailureCard({ item, isLast, nextSteps }: FailureCardProps) {
  const { title, advice } = failureWords(item.code)
  const details = wordsOf(item.parts)
  if (item.retryAt !== null && isLast) return null
  if (!isLast) {
    return (
      <p className="receipt" data-testid="failed-attempt">
        <Glyph name="failed" lively={false} />
        <span>
          {say('answer.attempt-failed-at', {
            attempt: String(item.attempt),
            time: exactTime(item.at),
            title,
          })}
        </span>
      </p>
    )
  }
  return <FailureFrame title={title} advice={advice} code={item.code} details={details} nextSteps={nextSteps} />
}

interface FailureFrameProps {
  readonly title: string
  readonly advice: string
  readonly code: string
  /** The words of who failed. */
  readonly details: string
  readonly nextSteps: ReactNode
}

/** A failure that ended a turn. */
export function FailureFrame({ title, advice, code, details, nextSteps }: FailureFrameProps) {
  return (
    <div className="failure" data-testid="error-card" data-kind={code}>
      <header className="failure-head">
        <Glyph name="failed" lively={false} />
        <strong className="failure-title">{title}</strong>
      </header>
      <div className="failure-words">
        <p>{advice}</p>
        {nextSteps}
        <details>
          <summary>{say('answer.technical-details')}</summary>
          <div className="failure-details">
            <p dir="auto">{details}</p>
            <CopyButton text={() => `${code}: ${details}`} label={say('answer.copy-details')} />
          </div>
        </details>
      </div>
    </div>
  )
}
