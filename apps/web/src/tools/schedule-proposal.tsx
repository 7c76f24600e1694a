import { markHidden, type QuestionField } from '@holdfast/conversation'
import { type ReactNode, useState } from 'react'
import { say } from '../shared/language/say.ts'

interface ScheduleProposalProps {
  readonly fields: readonly QuestionField[]
  readonly isArmed: boolean
  readonly onAccept: () => void
  readonly onDecline: () => void
  /** The fields as a form, to be changed. */
  readonly children: ReactNode
}

/** A schedule that an agent proposes: it is confirmed as it is, changed, or declined. [UI101] */
export function ScheduleProposal({ fields, isArmed, onAccept, onDecline, children }: ScheduleProposalProps) {
  const [isChanging, setChanging] = useState(false)
  if (isChanging) return children
  return (
    <div className="question" data-testid="schedule-proposal">
      <dl className="proposal">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{markHidden(field.title)}</dt>
            <dd dir="auto">{field.type === 'text' ? markHidden(field.default ?? '') : null}</dd>
          </div>
        ))}
      </dl>
      <div className="permission-buttons" data-armed={isArmed}>
        <button type="button" className="button primary" aria-disabled={!isArmed} onClick={onAccept}>
          {say('schedules.confirm')}
        </button>
        <button type="button" className="button" onClick={() => setChanging(true)}>
          {say('schedules.change')}
        </button>
        <button type="button" className="button" aria-disabled={!isArmed} onClick={onDecline}>
          {say('questions.decline')}
        </button>
      </div>
    </div>
  )
}
