import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { canvasOf, DEFAULT_AGENT_ID, shownElements } from '@holdfast/conversation'
import { useMemo } from 'react'
import type { NamedThing } from '../composer/mentions/named-thing.ts'
import type { NamedThings } from '../composer/mentions/use-mentions.ts'

/** The elements of the canvas of a conversation's agent. */
export function useNamedElements(store: ConversationStore): readonly NamedThing[] {
  const canvases = useConversation(store, ({ overview }) => overview.canvases)
  const agentId = useConversation(store, ({ overview }) => overview.settings.agentId ?? DEFAULT_AGENT_ID)
  return useMemo(
    () =>
      shownElements(canvasOf(canvases, agentId)).map(
        ({ id, title }): NamedThing => ({ kind: 'element', id, name: title ?? id, about: id }),
      ),
    [canvases, agentId],
  )
}

/** Where things are named. */
interface NamedIn {
  readonly client: Client
  /** Null for one that has not begun. */
  readonly conversationId: string | null
  /** The workspace that one which has not begun would have; null for the installation's own, and where it has begun. */
  readonly workspaceId: string | null
  /** What its canvas shows. */
  readonly elements: readonly NamedThing[]
}

/** What `@` names in a conversation: its files, agents, tools, other conversations, and what its canvas shows. */
export function useNamedThings({ client, conversationId, workspaceId, elements }: NamedIn): NamedThings {
  const agents = useObservable(client.agents, ({ value }) => value?.agents)
  const { rows } = useObservable(client.conversations, (list) => list)
  const tools = useObservable(client.tools(conversationId ?? 'new').list, ({ value }) => value?.tools)
  return useMemo(
    () => ({
      things: [
        ...(agents ?? []).map(
          ({ id, name, description }): NamedThing => ({ kind: 'agent', id, name, about: description }),
        ),
        ...(tools ?? []).map(
          ({ name, description }): NamedThing => ({ kind: 'tool', id: name, name, about: description }),
        ),
        ...rows.flatMap(({ id, title }): NamedThing[] =>
          title === null || id === conversationId ? [] : [{ kind: 'conversation', id, name: title, about: '' }],
        ),
        ...elements,
      ],
      load: () => conversationId !== null && client.tools(conversationId).list.load(),
      findFiles: (words) => client.findFiles({ words, conversationId, workspaceId }),
    }),
    [client, conversationId, workspaceId, agents, tools, rows, elements],
  )
}
