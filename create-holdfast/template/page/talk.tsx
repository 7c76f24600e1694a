import { type Client, type ConversationStore, windowItems } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { Draft, TranscriptCall, TranscriptItem, TranscriptItemOf } from '@holdfast/conversation'
import { type SubmitEvent, useState } from 'react'

interface TalkProps {
  readonly client: Client
  /** Null before the first message. */
  readonly conversationId: string | null
  readonly onBegin: (words: string) => Promise<void>
}

export function Talk({ client, conversationId, onBegin }: TalkProps) {
  if (conversationId === null) return <Composer onSend={(words) => void onBegin(words)} />
  return <Conversation store={client.conversation(conversationId)} />
}

function Conversation({ store }: { readonly store: ConversationStore }) {
  const window = useConversation(store, (state) => state.window)
  const path = useConversation(store, ({ overview }) => overview.path)
  const draft = useConversation(store, (state) => state.draft)
  const asked = useConversation(store, ({ overview }) => overview.pendingPermissions)
  const running = useConversation(store, ({ overview }) => overview.runState.exclusive)
  return (
    <>
      <ol className="thread">
        {windowItems(window, path).map((item) => (
          <Item key={item.seq} item={item} />
        ))}
        {draft && <Streaming draft={draft} />}
      </ol>
      {asked.map(({ requestId, tool, input }) => (
        <section key={requestId} className="asks">
          <p>
            May it call <b>{tool}</b> with <code>{JSON.stringify(input)}</code>?
          </p>
          <button type="button" onClick={() => store.answerPermission({ requestId, decision: 'allow', scope: 'call' })}>
            Allow
          </button>
          <button type="button" onClick={() => store.answerPermission({ requestId, decision: 'deny', scope: 'call' })}>
            Deny
          </button>
        </section>
      ))}
      {running && (
        <button type="button" className="stop" onClick={() => store.stop('stop')}>
          Stop
        </button>
      )}
      <Composer onSend={(words) => store.send([{ type: 'text', text: words }], 'turn')} />
    </>
  )
}

/** What was said, and what went wrong. What else happened (costs, titles, notices) is in the other items of the transcript. */
function Item({ item }: { readonly item: TranscriptItem }) {
  if (item.state !== 'erased' && item.role === 'error') return <Failure item={item} />
  if (item.state === 'erased' || (item.role !== 'user' && item.role !== 'assistant')) return null
  return (
    <li className={item.role} data-state={item.state}>
      {item.toolCalls.map((call) => (
        <Call key={call.callId} call={call} />
      ))}
      <p>{item.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}</p>
      {item.state !== 'complete' && <small>{item.state}</small>}
    </li>
  )
}

/** Why a step failed, and when it is tried again. */
function Failure({ item }: { readonly item: TranscriptItemOf<'error'> }) {
  return (
    <li className="error" role="alert">
      {item.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}
      {item.retryAt !== null && <small> It is tried again at {new Date(item.retryAt).toLocaleTimeString()}.</small>}
    </li>
  )
}

function Call({ call }: { readonly call: TranscriptCall }) {
  const output = call.output.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return (
    <p className="call">
      <code>
        {call.name} {call.inputText}
      </code>{' '}
      {output || call.state}
    </p>
  )
}

function Streaming({ draft }: { readonly draft: Draft }) {
  const text = draft.blocks.map((block) => (block.start.type === 'text' ? block.text : '')).join('')
  return (
    <li className="assistant" aria-live="off">
      <p>{text}</p>
    </li>
  )
}

function Composer({ onSend }: { readonly onSend: (words: string) => void }) {
  const [words, setWords] = useState('')
  function send(event: SubmitEvent): void {
    event.preventDefault()
    if (words.trim() === '') return
    onSend(words)
    setWords('')
  }
  return (
    <form onSubmit={send}>
      <input
        value={words}
        onChange={({ target }) => setWords(target.value)}
        aria-label="Message"
        placeholder="Write a message"
      />
      <button type="submit">Send</button>
    </form>
  )
}
