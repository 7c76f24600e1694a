import type { NextRequestAnswer } from '@holdfast/client'
import { useEffect, useRef } from 'react'
import { wholeCount } from '../format.ts'
import { goToMessage } from '../message-target.ts'

type LeftOut = NonNullable<NextRequestAnswer>['leftOut'][number]

interface LeftOutProps {
  readonly conversationId: string
  readonly leftOut: readonly LeftOut[]
  /** First entry that is sent as it is. */
  readonly windowStartSeq: number
  /** Another for each time that a person asks to be led here; 0 for never. */
  readonly askedRound: number
}

/** What is in the conversation and not in the request, and why. [C8, WIN7] */
export function LeftOutList({ conversationId, leftOut, windowStartSeq, askedRound }: LeftOutProps) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    if (askedRound === 0) return
    list.current?.scrollIntoView({ block: 'center' })
    list.current?.focus({ preventScroll: true })
  }, [askedRound])
  return (
    <section ref={list} className="left-out" data-testid="left-out" aria-label="Not sent" tabIndex={-1}>
      <strong>Not sent</strong>
      <ul>
        {leftOut.map((one) => (
          <li key={one.reason}>
            {leftOutText(one)}
            {one.reason === 'before-window' && (
              <>
                {' '}
                <button type="button" className="link-button" onClick={() => goToMessage(conversationId, 1)}>
                  Show the first
                </button>{' '}
                <button
                  type="button"
                  className="link-button"
                  onClick={() => goToMessage(conversationId, windowStartSeq - 1)}
                >
                  Show the last
                </button>
              </>
            )}
          </li>
        ))}
        <li>Titles, accounting lines, notices and permissions: part of the record, never of a request</li>
      </ul>
    </section>
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
