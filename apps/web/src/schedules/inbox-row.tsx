import type { Client } from '@holdfast/client'
import type { InboxItem } from '@holdfast/protocol'
import { useEffect, useMemo } from 'react'
import { navigate, pathOf } from '../shared/address.ts'
import { told } from '../shared/ask-server.ts'
import { dayAndTime } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { inputValue } from '../tools/call-words.ts'
import { UnseenNote } from '../tools/read-whole.tsx'
import { RequestView } from '../tools/request-view.tsx'
import { useArmed, waitForReading } from '../tools/use-armed.ts'
import { ReadResults } from '../voice/read-results.tsx'
import { costWord, ITEM_WORDS } from './schedule-words.ts'
import { whyWords } from './why-words.ts'

/** One thing of the inbox, with what can be done about it from here. */
export function InboxRow({ client, item }: { readonly client: Client; readonly item: InboxItem }) {
  const { kind, id, conversationId, scheduleId, title, at, costUsd, request } = item
  const detail = detailOf(item)
  const cost = costWord(costUsd)
  const route =
    conversationId === null
      ? ({ type: 'settings', section: 'schedules' } as const)
      : ({ type: 'conversation', conversationId } as const)
  return (
    <li className="schedule-row" tabIndex={-1} data-testid="inbox-item" data-kind={kind}>
      <span className="provider-name">
        <strong>{say(ITEM_WORDS[kind])}</strong>
        <a
          href={pathOf(route)}
          dir="auto"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            navigate(route, 'push')
          }}
        >
          {title === '' ? say('inbox.untitled') : title}
        </a>
        <span className="meta tabular">{[dayAndTime(at), cost ?? ''].filter((word) => word !== '').join(' · ')}</span>
        {detail !== null && (
          <span className="meta" dir="auto">
            {detail}
          </span>
        )}
      </span>
      {request && conversationId !== null && (
        <Asked client={client} conversationId={conversationId} request={request} />
      )}
      <span className="schedule-acts">
        {request && conversationId !== null && (
          <Answer client={client} conversationId={conversationId} request={request} />
        )}
        {kind === 'question' && (
          <button
            type="button"
            className="button primary"
            aria-label={say('inbox.answer-name', { name: title })}
            onClick={() => navigate(route, 'push')}
          >
            {say('inbox.answer')}
          </button>
        )}
        {kind === 'client' && conversationId !== null && (
          <button
            type="button"
            className="button"
            aria-label={say('inbox.stop-name', { name: title })}
            onClick={() => {
              client.conversation(conversationId).stop('stop')
              setTimeout(() => client.inbox.load(), 400)
            }}
          >
            {say('schedules.stop')}
          </button>
        )}
        {(kind === 'finished' || kind === 'schedule-finished') && (
          <ReadResults client={client} name={id} lead={null} results={[item]} className="button" />
        )}
        {canBeSeen(item) && (
          <button
            type="button"
            className="button"
            aria-label={say('inbox.seen-name', { name: title })}
            onClick={() => void told(client.acknowledge([id]))}
          >
            {say('inbox.seen')}
          </button>
        )}
        {scheduleId !== null && kind === 'schedule-paused' && (
          <button
            type="button"
            className="button"
            onClick={() => void told(client.changeSchedule(scheduleId, { isOn: true }))}
          >
            {say('schedules.resume')}
          </button>
        )}
      </span>
    </li>
  )
}

/** What is to be added, in the language of the page where it is not another's words. */
function detailOf({ detail, why, request }: InboxItem): string | null {
  return detail === null || request !== null ? null : whyWords({ why, words: detail }, dayAndTime)
}

/** Whether it is gone once it was seen; others wait for an answer. */
export function canBeSeen({ kind }: Pick<InboxItem, 'kind'>): boolean {
  return kind !== 'permission' && kind !== 'question' && kind !== 'client'
}

interface AskedProps {
  readonly client: Client
  readonly conversationId: string
  readonly request: NonNullable<InboxItem['request']>
}

/** What is asked for, as its conversation shows it. [AGENT68] */
function Asked({ client, conversationId, request }: AskedProps) {
  const { input: text, ...asked } = request
  const files = useMemo(() => client.files(conversationId), [client, conversationId])
  const input = useMemo(() => inputValue({ inputText: text }), [text])
  return (
    <div className="inbox-call">
      {input === null ? <Cut request={request} /> : <RequestView request={{ ...asked, input }} files={files} />}
    </div>
  )
}

/** What is too long to come as a whole is read, and allowed, in its conversation. [UI32] */
function Cut({ request }: Pick<AskedProps, 'request'>) {
  const { requestId, tool, input } = request
  useEffect(() => waitForReading(requestId), [requestId])
  return (
    <>
      <code dir="ltr">{`${tool} ${input.slice(0, CUT_CHARS)}…`}</code>
      <p className="permission-why">{say('tools.read-to-the-end')}</p>
    </>
  )
}

/** Of an input that is too long to come as a whole, so much is shown. */
const CUT_CHARS = 2_000

function Answer(props: AskedProps) {
  const { client, conversationId, request } = props
  const isArmed = useArmed(request.requestId)
  const answer = (decision: 'allow' | 'deny'): void => {
    client.conversation(conversationId).answerPermission({ requestId: request.requestId, decision, scope: 'call' })
    setTimeout(() => client.inbox.load(), 400)
  }
  return (
    <>
      <UnseenNote requestId={request.requestId} />
      <button
        type="button"
        className="button primary"
        disabled={!isArmed}
        aria-label={say('inbox.allow-tool', { tool: request.tool })}
        onClick={() => answer('allow')}
      >
        {say('inbox.allow-once')}
      </button>
      <button
        type="button"
        className="button"
        aria-label={say('inbox.deny-tool', { tool: request.tool })}
        onClick={() => answer('deny')}
      >
        {say('inbox.deny')}
      </button>
    </>
  )
}
