import type { ConversationContext, ConversationStore, NextRequestAnswer } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { useEffect, useRef, useState } from 'react'
import { contextVersion } from '../composer/context/use-context-use.ts'
import { goToMessage } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { RequestView } from './request-view.tsx'
import { onLeftOutAsked } from './shown-request.ts'

interface NextRequestProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
}

/** What would be sent with the next message, exactly. [C8] */
export function NextRequestSection({ context, store }: NextRequestProps) {
  const [isOpen, setOpen] = useState(false)
  const [askedRound, setAskedRound] = useState(0)
  const conversationId = useConversation(store, (state) => state.conversationId)
  const version = useConversation(store, contextVersion)
  const { state, value, problem } = useObservable(context.nextRequest, (remote) => remote)
  useEffect(
    () =>
      onLeftOutAsked(() => {
        setOpen(true)
        setAskedRound((round) => round + 1)
      }),
    [],
  )
  useEffect(() => {
    if (isOpen && version !== null) context.nextRequest.load()
  }, [isOpen, version, context])
  return (
    <section className="inspector-part" data-testid="inspector-request">
      <header>
        <h3>{say('inspector.what-will-be-sent-next')}</h3>
        {isOpen && value && (
          <span className="meta">{say('inspector.about-tokens', { count: value.estimatedInputTokens })}</span>
        )}
      </header>
      <button
        type="button"
        className="link-button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen)
          setAskedRound(0)
        }}
      >
        {isOpen ? say('inspector.hide-the-request') : say('inspector.show-the-exact-request')}
      </button>
      {isOpen && state === 'failed' && (
        <p className="problem">{say('inspector.not-read', { problem: problem ? errorText(problem) : '' })}</p>
      )}
      {isOpen && value === null && <p className="meta">{say('inspector.nothing-can-be-sent-now')}</p>}
      {isOpen && value && (
        <>
          {value.windowStartSeq > 1 && (
            <p className="meta">{say('inspector.before-entry', { entry: value.windowStartSeq })}</p>
          )}
          <RequestView request={value.request} reasons={value} exclusion={{ store, context }} />
          <LeftOutList
            conversationId={conversationId}
            askedRound={askedRound}
            leftOut={value.leftOut}
            windowStartSeq={value.windowStartSeq}
          />
        </>
      )}
    </section>
  )
}

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
function LeftOutList({ conversationId, leftOut, windowStartSeq, askedRound }: LeftOutProps) {
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
