import type { Client, ConversationState, ConversationStore, LinkState } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { useEffect, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { problemText } from '../shared/problem-words.ts'

/** Where the page stands with its server. */
export type ConnectionState = 'connecting' | 'live' | 'catching-up' | 'reconnecting' | 'offline' | 'version-changed'

/** After so many failed tries the server counts as out of reach. */
const TRIES_TO_OFFLINE = 5

/** A break shorter than this is not worth a word, in milliseconds. */
const QUIET_MS = 1_000

/** Tells the connection; silent as long as it is sound. */
export function ConnectionLine({
  client,
  store,
}: {
  readonly client: Client
  readonly store: ConversationStore | null
}) {
  const link = useObservable(client.link, (state) => state)
  const isCaughtUp = useOf(store, true, ({ caughtUp }) => caughtUp)
  const outage = useOf(store, null, (known) => known.outage)
  const state = connectionState(link, isCaughtUp && !outage)
  const isWorthAWord = useLasting(state !== 'live', QUIET_MS)
  return (
    <div className="connection" role="status" data-testid="conn-state" data-state={state}>
      {isWorthAWord && <ConnectionWords client={client} link={link} state={state} outage={outage} />}
    </div>
  )
}

/** The state that a link and a conversation make together. */
export function connectionState(link: LinkState, isCaughtUp: boolean): ConnectionState {
  switch (link.type) {
    case 'live':
      return isCaughtUp ? 'live' : 'catching-up'
    case 'connecting':
      return link.attempt === 1 ? 'connecting' : triesState(link.attempt)
    case 'waiting':
      return triesState(link.attempt)
    case 'ended':
      // Who is not signed in sees the way in, and none of this.
      return link.reason === 'other-protocol' ? 'version-changed' : 'offline'
  }
}

function triesState(attempt: number): ConnectionState {
  return attempt > TRIES_TO_OFFLINE || !navigator.onLine ? 'offline' : 'reconnecting'
}

function ConnectionWords(props: {
  readonly client: Client
  readonly link: LinkState
  readonly state: ConnectionState
  readonly outage: ConversationState['outage']
}) {
  const { client, link, state, outage } = props
  switch (state) {
    case 'live':
      return null
    case 'connecting':
      return <span>{say('page.connecting')}</span>
    case 'catching-up':
      return <span>{outage ? problemText(outage) : say('page.catching-up')}</span>
    case 'reconnecting':
    case 'offline':
      return (
        <>
          <span>
            {state === 'offline'
              ? say('page.cannot-reach-the-server-at', { host: location.host })
              : say('page.reconnecting')}
          </span>
          {link.type === 'waiting' && <Countdown attempt={link.attempt} retryAt={link.retryAt} />}
          <button type="button" className="link-button" onClick={client.retryNow}>
            {say('page.now')}
          </button>
        </>
      )
    case 'version-changed':
      return (
        <>
          <span>{say('page.holdfast-was-updated')}</span>
          <button type="button" className="link-button" onClick={() => location.reload()}>
            {say('page.reload')}
          </button>
        </>
      )
  }
}

function Countdown({ attempt, retryAt }: { readonly attempt: number; readonly retryAt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return <span>{say('page.next-try', { attempt, seconds: Math.max(0, Math.ceil((retryAt - now) / 1_000)) })}</span>
}

const NOTHING = { getSnapshot() {}, subscribe: () => () => {} }

function useOf<Value>(store: ConversationStore | null, otherwise: Value, select: (state: ConversationState) => Value) {
  return useObservable<unknown, Value>(store ?? NOTHING, () => (store ? select(store.getSnapshot()) : otherwise))
}

/** Whether something has been so for a while. */
function useLasting(isSo: boolean, forMs: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!isSo) {
      setLasting(false)
      return
    }
    const timer = setTimeout(() => setLasting(true), forMs)
    return () => clearTimeout(timer)
  }, [isSo, forMs])
  return lasting && isSo
}

/** Says why what is shown may not be kept, until the server writes again. [LOG8] */
export function WriteProblem({ store }: { readonly store: ConversationStore }) {
  const problem = useConversation(store, (state) => state.writeProblem)
  if (problem === null) return null
  return (
    <div className="connection" role="alert" data-testid="write-problem">
      {say('page.cannot-write', { problem })}
    </div>
  )
}

/** The words that a stop without a connection needs. [STOP12] */
export function UnsentStop({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const isLive = useObservable(client.link, (link) => link.type === 'live')
  const isWaiting = useConversation(store, (state) => state.outbox.some(({ command }) => command.name === 'stop-run'))
  if (isLive || !isWaiting) return null
  return (
    <div className="connection" role="alert">
      {say('page.not-stopped-yet-no-connection')}
    </div>
  )
}
