import type { TranscriptItemOf } from '@holdfast/conversation'
import { CopyButton } from '../../shared/copy-button.tsx'
import { exactTime } from '../../shared/format.ts'
import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { wordsOf } from '../thread-parts.ts'
import { failureWords } from './failure-words.ts'

interface FailureCardProps {
  readonly item: TranscriptItemOf<'error'>
  readonly isLast: boolean
}

/** A request that failed: the cause, what to do, and the provider's own words. One that was tried again is one line. */
export function FailureCard({ item, isLast }: FailureCardProps) {
  const { title, advice } = failureWords(item.code)
  const details = wordsOf(item.parts)
  if (item.retryAt !== null) {
    return isLast ? null : (
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
  return (
    <div className="failure" data-testid="error-card" data-kind={item.code}>
      <header className="failure-head">
        <Glyph name="failed" lively={false} />
        <strong className="failure-title">{title}</strong>
      </header>
      <div className="failure-words">
        <p>{advice}</p>
        <details>
          <summary>{say('answer.technical-details')}</summary>
          <div className="failure-details">
            <p dir="auto">{details}</p>
            <CopyButton text={() => `${item.code}: ${details}`} label={say('answer.copy-details')} />
          </div>
        </details>
      </div>
    </div>
  )
}
