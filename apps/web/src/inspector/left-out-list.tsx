import type { NextRequestAnswer } from '@holdfast/client'
import { say } from '../language/say.ts'

type LeftOut = NonNullable<NextRequestAnswer>['leftOut'][number]

/** What is in the conversation and not in the request, and why. [C8] */
export function LeftOutList({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  return (
    <div className="left-out" data-testid="left-out">
      <strong>{say('inspector.not-sent')}</strong>
      <ul>
        {leftOut.map((one) => (
          <li key={one.reason}>{leftOutText(one)}</li>
        ))}
        <li>{say('inspector.titles-accounting-lines-notices-and')}</li>
      </ul>
    </div>
  )
}

function leftOutText(one: LeftOut): string {
  switch (one.reason) {
    case 'summarised':
      return say('inspector.left-out-summarised', { from: one.fromSeq, to: one.toSeq })
    case 'not-carried-over':
      return say('inspector.left-out-not-carried-over', { count: one.seqs.length })
    case 'before-window':
      return say('inspector.left-out-before-window', { count: one.messageCount })
    case 'thinking':
      return say('inspector.left-out-thinking', { count: one.answerCount })
  }
}
