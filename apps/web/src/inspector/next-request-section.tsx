import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { useEffect, useState } from 'react'
import { contextVersion } from '../context/use-context-use.ts'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'
import { LeftOutList } from './left-out-list.tsx'
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
            {...{ conversationId, askedRound }}
            leftOut={value.leftOut}
            windowStartSeq={value.windowStartSeq}
          />
        </>
      )}
    </section>
  )
}
