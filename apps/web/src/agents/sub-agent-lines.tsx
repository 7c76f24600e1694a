import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { markHidden } from '@holdfast/conversation'
import { navigate, pathOf } from '../shared/address.ts'
import { Said } from '../shared/language/said.tsx'
import { say } from '../shared/language/say.ts'

interface SubAgentLinesProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** What is to be known of the conversations above this one and below it: whose task it does, and which of its own wait for a person. [AGENT70] */
export function SubAgentLines({ client, store }: SubAgentLinesProps) {
  const callerId = useConversation(store, ({ overview }) => overview.callerId)
  const calls = useConversation(store, ({ overview }) => overview.runState.exclusive?.openCalls ?? null)
  const rows = useObservable(client.conversations, (list) => list.rows)
  const childIds = new Set(calls?.map(({ childConversationId }) => childConversationId))
  const asking = rows.filter(
    ({ id, state }) => childIds.has(id) && (state === 'waiting-for-permission' || state === 'waiting-for-answer'),
  )
  return (
    <>
      {callerId !== null && (
        <p className="connection caller-line" data-testid="caller-line">
          <Said
            of="agents.does-a-task-of"
            values={{ title: titleIn(rows, callerId) }}
            tags={{ link: (words) => <Way key="way" conversationId={callerId} words={words} /> }}
          />
        </p>
      )}
      {asking.map(({ id }) => (
        <p key={id} className="connection" role="status" data-testid="sub-agent-waits">
          <Said
            of="agents.sub-agent-waits-for-you"
            values={{ title: titleIn(rows, id) }}
            tags={{ link: (words) => <Way key="way" conversationId={id} words={words} /> }}
          />
        </p>
      ))}
    </>
  )
}

function Way({ conversationId, words }: { readonly conversationId: string; readonly words: React.ReactNode }) {
  const route = { type: 'conversation', conversationId } as const
  return (
    <a
      className="link-button"
      href={pathOf(route)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(route, 'push')
      }}
    >
      <bdi>{words}</bdi>
    </a>
  )
}

/** Of one that is not in the list as far as that is here, that it is a conversation. */
function titleIn(rows: readonly { id: string; title: string | null; firstWords: string | null }[], id: string): string {
  const row = rows.find((one) => one.id === id)
  return markHidden(row?.title ?? row?.firstWords ?? say('agents.another-conversation'))
}
