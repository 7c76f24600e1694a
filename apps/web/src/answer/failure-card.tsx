import type { TranscriptItem } from '@holdfast/conversation'
import { CopyButton } from '../copy-button.tsx'
import { exactTime } from '../format.ts'
import { Glyph } from '../icons.tsx'
import { say } from '../language/say.ts'
import { wordsOf } from '../thread-parts.ts'
import { failureWords } from './failure-words.ts'

/** A request that failed: the cause, what to do, and the provider's own words. One that was tried again is one line. */
export function FailureCard({ item, isLast }: { readonly item: TranscriptItem; readonly isLast: boolean }) {
  const { title, advice } = failureWords(item.detail['code'])
  const details = wordsOf(item.parts)
  const isTriedAgain = typeof item.detail['retryAt'] === 'number'
  if (isTriedAgain) {
    return isLast ? null : (
      <p className="receipt" data-testid="failed-attempt">
        <Glyph name="failed" lively={false} />
        <span>
          {say('answer.attempt-failed-at', {
            attempt: String(item.detail['attempt']),
            time: exactTime(item.at),
            title,
          })}
        </span>
      </p>
    )
  }
  return (
    <div className="failure" data-testid="error-card" data-kind={String(item.detail['code'])}>
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
            <CopyButton text={() => `${String(item.detail['code'])}: ${details}`} label={say('answer.copy-details')} />
          </div>
        </details>
      </div>
    </div>
  )
}
