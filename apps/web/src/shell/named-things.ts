import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useMemo } from 'react'
import type { NamedThing } from '../composer/mentions/offers.ts'
import type { NamedThings } from '../composer/mentions/use-mentions.ts'

/** What `@` names in a conversation, or in one that has not begun: its files, agents, tools and other conversations. */
export function useNamedThings(client: Client, conversationId: string | null): NamedThings {
  const agents = useObservable(client.agents, ({ value }) => value?.agents)
  const { rows } = useObservable(client.conversations, (list) => list)
  const tools = useObservable(client.tools(conversationId ?? 'new').list, ({ value }) => value?.tools)
  return useMemo(
    () => ({
      things: [
        ...(agents ?? []).map(({ name, description }): NamedThing => ({ kind: 'agent', name, about: description })),
        ...(tools ?? []).map(({ name, description }): NamedThing => ({ kind: 'tool', name, about: description })),
        ...rows.flatMap(({ id, title }): NamedThing[] =>
          title === null || id === conversationId ? [] : [{ kind: 'conversation', name: title, about: '' }],
        ),
      ],
      load: () => conversationId !== null && client.tools(conversationId).list.load(),
      findFiles: (words) => client.findFiles({ words, conversationId }),
    }),
    [client, conversationId, agents, tools, rows],
  )
}
