import type { NextRequestAnswer } from '@holdfast/client'
import { wholeCount } from '../format.ts'

type LeftOut = NonNullable<NextRequestAnswer>['leftOut'][number]

/** What is in the conversation and not in the request, and why. [C8] */
export function LeftOutList({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  return (
    <div className="left-out" data-testid="left-out">
      <strong>Not sent</strong>
      <ul>
        {leftOut.map((one) => (
          <li key={one.reason}>{leftOutText(one)}</li>
        ))}
        <li>Titles, accounting lines, notices and permissions: part of the record, never of a request</li>
      </ul>
    </div>
  )
}

function leftOutText(one: LeftOut): string {
  switch (one.reason) {
    case 'summarised':
      return `Entries ${wholeCount(one.fromSeq)} to ${wholeCount(one.toSeq)}: the summary stands for them`
    case 'not-carried-over':
      return `${wholeCount(one.seqs.length)} of your messages: summarised, no room to carry them over`
    case 'before-window':
      return `${wholeCount(one.messageCount)} messages: before the window`
    case 'thinking':
      return `Thinking of ${wholeCount(one.answerCount)} replies: cut, or of a model or request that has changed`
  }
}
