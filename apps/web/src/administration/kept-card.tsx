import type { ReactNode } from 'react'
import { dayAndTime } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import type { Kept } from './use-kept.ts'

interface KeptCardProps<Value> {
  readonly title: string
  readonly testId: string
  readonly kept: Kept<Value>
  /** Shows what is known. */
  readonly children: (value: Value) => ReactNode
}

/** A card of the page: what is known of it, also where it cannot be read now, and then from when it is. [UI58] */
export function KeptCard<Value>({ title, testId, kept, children }: KeptCardProps<Value>) {
  const { asked, heldAt, askAgain } = kept
  const headingId = `administration-${testId}`
  return (
    <section aria-labelledby={headingId} data-testid={testId} data-state={asked.type}>
      <h2 id={headingId}>{title}</h2>
      {asked.type === 'asking' && <p className="meta">{say('administration.reading')}</p>}
      {asked.type === 'failed' && (
        <p className="problem" role="alert">
          {asked.problem} {heldAt !== null && say('administration.as-of', { time: dayAndTime(heldAt) })}{' '}
          <button type="button" className="link-button" onClick={askAgain}>
            {say('common.try-again')}
          </button>
        </p>
      )}
      {asked.value !== null && children(asked.value)}
    </section>
  )
}
