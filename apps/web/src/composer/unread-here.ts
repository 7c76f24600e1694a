import type { Client, UnreadCommand } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'

/** What was kept before an upgrade and cannot be sent by this version, where it is offered. */
export interface UnreadHere {
  readonly commands: readonly UnreadCommand[]
  readonly onForget: (id: string) => void
}

/** What of it was written in a conversation, or does not say where. [UI23] */
export function useUnreadHere(client: Client, conversationId: string | null): UnreadHere {
  const all = useObservable(client.unreadCommands, (commands) => commands)
  const isHere = (one: UnreadCommand) => one.conversationId === null || one.conversationId === conversationId
  return { commands: all.filter((one) => one.words !== '' && isHere(one)), onForget: client.forgetUnread }
}
