import type { ConversationContext, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { useEffect, useState } from 'react'
import { contextVersion } from '../context/use-context-use.ts'
import { wholeCount } from '../format.ts'
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
        <h3>What will be sent next</h3>
        {isOpen && value && <span className="meta">{`≈ ${wholeCount(value.estimatedInputTokens)} tokens`}</span>}
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
        {isOpen ? 'Hide the request' : 'Show the exact request'}
      </button>
      {isOpen && state === 'failed' && <p className="problem">{`Could not be read: ${problem ?? ''}`}</p>}
      {isOpen && value === null && (
        <p className="meta">Nothing can be sent now: no model is connected, or tool calls are open.</p>
      )}
      {isOpen && value && (
        <>
          {value.windowStartSeq > 1 && (
            <p className="meta">What stands before entry {wholeCount(value.windowStartSeq)} is not sent as it is.</p>
          )}
          <RequestView request={value.request} reasons={value} />
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
