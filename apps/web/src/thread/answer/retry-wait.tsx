import type { TranscriptItemOf } from '@holdfast/conversation'
import { Glyph } from '../../shared/icons.tsx'
import { Said } from '../../shared/language/said.tsx'
import { say } from '../../shared/language/say.ts'
import { useTick } from '../../shared/use-seconds.ts'
import { failureWords } from './failure-words.ts'

interface RetryWaitProps {
  /** The attempt that failed; null when it is not here. */
  readonly failed: TranscriptItemOf<'error'> | null
  /** In milliseconds since the Unix epoch. */
  readonly retryAt: number
  readonly onStop: () => void
}

/** Waiting for the next attempt: why, and how long still. [RUN7] */
export function RetryWait({ failed, retryAt, onStop }: RetryWaitProps) {
  const now = useTick(true)
  const startedAt = failed?.at ?? now
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1_000))
  const share = retryAt > startedAt ? Math.min(1, Math.max(0, (now - startedAt) / (retryAt - startedAt))) : 1
  return (
    <div className="failure waiting" data-testid="retry-wait">
      <header className="failure-head">
        <Glyph name="timed-out" lively={false} />
        <strong className="failure-title">{failureWords(failed?.code ?? 'internal').title}</strong>
        {failed && <span className="meta">{say('answer.attempt-failed', { attempt: String(failed.attempt) })}</span>}
      </header>
      <div className="failure-words">
        <p>
          <Said
            of="answer.until-next-try"
            values={{ seconds }}
            tags={{ count: (inner) => <span className="countdown">{inner}</span> }}
          />
        </p>
        <progress value={share} max={1} aria-label={say('answer.time-until-the-next-try')} />
        <button type="button" className="button" onClick={onStop}>
          {say('answer.stop-retrying')}
        </button>
      </div>
    </div>
  )
}
