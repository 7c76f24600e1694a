import type { NextRequestAnswer } from '@holdfast/client'
import { useEffect, useRef } from 'react'
import { say } from '../language/say.ts'
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
    <section
      ref={list}
      className="left-out"
      data-testid="left-out"
      aria-label={say('inspector.not-sent')}
      tabIndex={-1}
    >
      <strong>{say('inspector.not-sent')}</strong>
      <ul>
        {leftOut.map((one) => (
          <li key={one.reason}>
            {leftOutText(one)}
            {one.reason === 'before-window' && (
              <>
                {' '}
                <button type="button" className="link-button" onClick={() => goToMessage(conversationId, 1)}>
                  {say('inspector.show-the-first')}
                </button>{' '}
                <button
                  type="button"
                  className="link-button"
                  onClick={() => goToMessage(conversationId, windowStartSeq - 1)}
                >
                  {say('inspector.show-the-last')}
                </button>
              </>
            )}
          </li>
        ))}
        <li>{say('inspector.titles-accounting-lines-notices-and')}</li>
      </ul>
    </section>
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
    case 'excluded':
      return say('inspector.left-out-excluded', { count: one.seqs.length })
    case 'thinking':
      return say('inspector.left-out-thinking', { count: one.answerCount })
  }
}
