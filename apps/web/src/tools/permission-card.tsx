import type { ConversationFiles, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { PendingPermission } from '@holdfast/conversation'
import { type MouseEvent, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { answerRequest, isAnswered, type PermissionAnswer } from './answer-request.ts'
import { AskingCard } from './asking-card.tsx'
import { shortName } from './call-words.ts'
import { besideWork } from './outside-folder.ts'
import { UnseenNote } from './read-whole.tsx'
import { RequestView } from './request-view.tsx'
import { isArmed, useArmed, useArmedTogether, useDeniable } from './use-armed.ts'

interface PermissionRequestsProps {
  readonly store: ConversationStore
  /** Where what a call would find is looked up. */
  readonly files: Pick<ConversationFiles, 'previewCall'>
  readonly runId: string
}

/** What waits for the person in a run, oldest first. */
export function PermissionRequests({ store, files, runId }: PermissionRequestsProps) {
  const pending = useConversation(store, (state) => state.overview.pendingPermissions)
  const outbox = useConversation(store, (state) => state.outbox)
  const requests = pending.filter((request) => request.runId === runId)
  const plain = requests.filter(
    (request) => request.source !== 'guard' && besideWork(request) === null && !isAnswered(outbox, request.requestId),
  )
  return (
    <>
      {plain.length > 1 && <AllowTogether requests={plain} store={store} />}
      {requests.map((request, index) => (
        <PermissionCard
          key={request.requestId}
          request={request}
          files={files}
          place={index + 1}
          count={requests.length}
          isAnswered={isAnswered(outbox, request.requestId)}
          onAnswer={(answer) => answerRequest(store, request.requestId, answer)}
        />
      ))}
    </>
  )
}

interface AllowTogetherProps {
  readonly store: ConversationStore
  /** At least two; none that needs a look of its own. */
  readonly requests: readonly PendingPermission[]
}

/** Allows the calls of a step once each, by one press: all of them or none. It takes effect when each alone could be allowed. */
function AllowTogether({ store, requests }: AllowTogetherProps) {
  const noteId = useId()
  const state = useArmedTogether(requests.map(({ requestId }) => requestId))
  function allow(): void {
    if (state !== 'armed' || !requests.every(({ requestId }) => isArmed(requestId))) return
    for (const { requestId } of requests)
      answerRequest(store, requestId, { decision: 'allow', scope: 'call', reason: null, andStop: false })
  }
  return (
    <div className="permission-buttons together" data-testid="allow-together" data-armed={state === 'armed'}>
      <button
        type="button"
        className="button"
        aria-disabled={state !== 'armed'}
        aria-describedby={state === 'unread' || state === 'unseen' ? noteId : undefined}
        onClick={allow}
      >
        {say('tools.allow-all-once', { count: requests.length })}
      </button>
      {(state === 'unread' || state === 'unseen') && (
        <span id={noteId} className="meta">
          {say(state === 'unseen' ? 'tools.not-all-shown' : 'tools.read-to-the-end')}
        </span>
      )}
    </div>
  )
}

interface PermissionCardProps {
  readonly request: PendingPermission
  readonly files: PermissionRequestsProps['files']
  /** Its place among those that wait, from 1, and how many they are. */
  readonly place: number
  readonly count: number
  /** Whether an answer is on its way. */
  readonly isAnswered: boolean
  readonly onAnswer: (answer: PermissionAnswer) => void
}

/**
 * Asks for one call. It takes no focus, and nothing that was being typed or clicked when it came can answer
 * it: the buttons take effect a moment later, and only when one of them is meant.
 */
function PermissionCard({ request, files, place, count, isAnswered, onAnswer }: PermissionCardProps) {
  const [isDenying, setDenying] = useState(false)
  const isArmed = useArmed(request.requestId) && !isAnswered
  const mayDeny = useDeniable(request.requestId) && !isAnswered

  function allow(scope: PermissionAnswer['scope']): void {
    if (isArmed) onAnswer({ decision: 'allow', scope, reason: null, andStop: false })
  }

  return (
    <AskingCard
      testId="permission-card"
      title={say('common.permission-needed')}
      at={request.at}
      isArmed={isArmed}
      isAnswered={isAnswered}
      place={count > 1 ? say('tools.place-of', { place, count }) : null}
    >
      <RequestView request={request} files={files} />
      {isDenying ? (
        <DenyForm isArmed={mayDeny} onAnswer={onAnswer} onBack={() => setDenying(false)} />
      ) : (
        <div className="permission-buttons" data-armed={isArmed}>
          <UnseenNote requestId={request.requestId} />
          <button type="button" className="button primary" aria-disabled={!isArmed} onClick={() => allow('call')}>
            {say('common.allow-once')}
          </button>
          <ScopeButton isArmed={isArmed} tool={shortName(request.tool)} onAllow={allow} />
          <button type="button" className="button" aria-disabled={!mayDeny} onClick={() => setDenying(mayDeny)}>
            {say('tools.deny')}
          </button>
        </div>
      )}
    </AskingCard>
  )
}

/** Allows for the conversation, and behind an arrow for other ranges; each says the rule that it makes. */
function ScopeButton(props: {
  readonly isArmed: boolean
  readonly tool: string
  readonly onAllow: (scope: PermissionAnswer['scope']) => void
}) {
  const { isArmed, tool, onAllow } = props
  const menu = useRef<HTMLDetailsElement>(null)

  function close(event: { key: string; stopPropagation(): void; preventDefault(): void }): void {
    if (event.key !== 'Escape' || !menu.current?.open) return
    event.preventDefault()
    event.stopPropagation()
    menu.current.open = false
    menu.current.querySelector('summary')?.focus()
  }

  function choose(scope: PermissionAnswer['scope']): void {
    onAllow(scope)
    if (menu.current) menu.current.open = false
  }

  return (
    <span className="split">
      <button type="button" className="button" aria-disabled={!isArmed} onClick={() => onAllow('conversation')}>
        {say('tools.allow-for-this-conversation')}
      </button>
      <details ref={menu} className="split-menu" onKeyDown={close}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
        <summary
          className="button"
          aria-label={say('tools.other-ranges')}
          onClick={(event) => !isArmed && event.preventDefault()}
        >
          <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d="m4 6 4 4 4-4" />
          </svg>
        </summary>
        <ul>
          <li>
            <button type="button" onClick={() => choose('conversation')}>
              {say('tools.this-tool-in-this-conversation')}
              <span className="meta">{say('tools.rule', { tool })}</span>
            </button>
          </li>
          <li>
            <button type="button" onClick={() => choose('pattern')}>
              {say('tools.exactly-this-call-whenever-it')}
              <span className="meta">{say('tools.rule-with-input', { tool })}</span>
            </button>
          </li>
          <li>
            <button type="button" onClick={() => choose('always')}>
              {say('tools.always-this-call')}
              <span className="meta">{say('tools.always-rule', { tool })}</span>
            </button>
          </li>
          <li>
            <CategoryChoice onChosen={() => choose('category')} />
          </li>
        </ul>
      </details>
    </span>
  )
}

/** A whole kind of tools needs a second press. */
function CategoryChoice({ onChosen }: { readonly onChosen: () => void }) {
  const [isAsked, setAsked] = useState(false)
  function onClick(event: MouseEvent): void {
    if (event.detail > 1) return
    if (isAsked) onChosen()
    else setAsked(true)
  }
  return (
    <button type="button" onClick={onClick}>
      {isAsked ? say('tools.really-every-tool-of-this') : say('tools.all-tools-of-this-kind')}
      <span className="meta">{say('tools.rule-category-destructive-tools-still')}</span>
    </button>
  )
}

function DenyForm(props: {
  readonly isArmed: boolean
  readonly onAnswer: (answer: PermissionAnswer) => void
  readonly onBack: () => void
}) {
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])

  function deny(andStop: boolean): void {
    if (!props.isArmed) return
    const words = reason.trim()
    props.onAnswer({ decision: 'deny', scope: 'call', reason: words === '' ? null : words, andStop })
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    deny(false)
  }

  return (
    <form
      className="permission-buttons"
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.stopPropagation()
        props.onBack()
      }}
    >
      <input
        ref={field}
        className="text-field"
        aria-label={say('tools.reason-for-the-model')}
        placeholder={say('tools.reason-for-the-model')}
        dir="auto"
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <button type="submit" className="button">
        {say('common.deny')}
      </button>
      <button type="button" className="button stop" onClick={() => deny(true)}>
        {say('tools.deny-and-stop')}
      </button>
    </form>
  )
}
