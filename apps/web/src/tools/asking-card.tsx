import { type ReactNode, useId, useRef } from 'react'
import { useFocusGoesOn } from '../shared/focus-goes-on.ts'
import { clockText } from '../shared/format.ts'
import { Glyph } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { useSecondsSince } from '../shared/use-seconds.ts'

interface AskingCardProps {
  readonly testId: 'permission-card' | 'question-card'
  readonly title: string
  /** When it was asked, in milliseconds since the Unix epoch. */
  readonly at: number
  /** Its place among those that wait; null for one alone. */
  readonly place: string | null
  /** Whether its buttons take effect yet. */
  readonly isArmed: boolean
  /** Whether an answer is on its way. */
  readonly isAnswered: boolean
  readonly children: ReactNode
}

/** The frame of what waits for a person: who asks, since when, and below it what, with the answers. */
export function AskingCard({ testId, title, at, place, isArmed, isAnswered, children }: AskingCardProps) {
  const id = useId()
  const card = useRef<HTMLElement>(null)
  useFocusGoesOn(card)
  const seconds = useSecondsSince(at)
  return (
    <section
      ref={card}
      className="permission"
      data-testid={testId}
      data-state={isAnswered ? 'answered' : isArmed ? 'armed' : 'arming'}
      aria-labelledby={place === null ? id : `${id} ${id}-place`}
    >
      <header className="permission-head">
        <Glyph name="waiting" lively={false} />
        <strong id={id} dir="auto">
          {title}
        </strong>
        {place !== null && (
          <span id={`${id}-place`} className="meta">
            {place}
          </span>
        )}
        <span className="permission-asked">{say('tools.asked-ago', { time: clockText(seconds) })}</span>
      </header>
      <div className="permission-body">{children}</div>
    </section>
  )
}
