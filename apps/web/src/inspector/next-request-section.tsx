import type { ConversationContext, ConversationStore, NextRequestAnswer } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { contextVersion } from '../composer/context/use-context-use.ts'
import { useWritten } from '../composer/written-content.ts'
import { goToMessage } from '../shared/address.ts'
import { useAskedAtRest } from '../shared/ask-server.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { say } from '../shared/language/say.ts'
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
  const written = useWritten(conversationId)
  const ask = useMemo(
    () => (isOpen && version !== null ? () => context.readNextRequest(written) : null),
    [isOpen, version, context, written],
  )
  const { type, value, problem } = useAskedAtRest(ask, REST_MS).asked
  useEffect(
    () =>
      onLeftOutAsked(() => {
        setOpen(true)
        setAskedRound((round) => round + 1)
      }),
    [],
  )
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
      {isOpen && type === 'failed' && <p className="problem">{say('inspector.not-read', { problem })}</p>}
      {isOpen && type === 'here' && value === null && (
        <p className="meta">{say('inspector.nothing-can-be-sent-now')}</p>
      )}
      {isOpen && value && (
        <>
          {value.windowStartSeq > 1 && (
            <p className="meta">{say('inspector.before-entry', { entry: value.windowStartSeq })}</p>
          )}
          {written.length > 0 && <p className="meta">{say('inspector.with-the-words-in-the-field')}</p>}
          <RequestView request={value.request} reasons={value} exclusion={{ store, context }} />
          <WireBody body={value.wireBody} />
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

/** The request byte by byte, in the form of its provider. [UI24] */
function WireBody({ body }: { readonly body: string | null }) {
  if (body === null) return <p className="meta">{say('inspector.nothing-goes-out')}</p>
  return (
    <details className="wire-body" data-testid="wire-body">
      <summary>{say('inspector.as-the-provider-gets-it')}</summary>
      <div className="request-acts">
        <CopyButton text={() => body} label={say('inspector.copy-the-body')} />
      </div>
      <pre className="printed" dir="ltr">
        {JSON.stringify(JSON.parse(body), null, 2)}
      </pre>
      <p className="meta">{say('inspector.of-files-the-hash')}</p>
    </details>
  )
}

/** Typing must rest for so long before the request is asked for, in milliseconds. */
const REST_MS = 300

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
