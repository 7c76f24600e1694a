import type { Client, UnreadCommand } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { say } from '../shared/language/say.ts'

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

interface UnreadWordsProps {
  readonly unread: UnreadHere
  /** Takes the words into the field. */
  readonly onBack: (words: string) => void
}

/** Offers the words of what cannot be sent any more. */
export function UnreadWords({ unread: { commands, onForget }, onBack }: UnreadWordsProps) {
  return commands.map(({ id, words }) => (
    <div key={id} className="refused" role="alert" data-testid="unread-words">
      <span>
        {say('composer.written-before-an-update')} <q dir="auto">{shortened(words)}</q>
      </span>
      <button
        type="button"
        className="link-button"
        onClick={() => {
          onBack(words)
          onForget(id)
        }}
      >
        {say('composer.back-to-the-field')}
      </button>
      <button type="button" className="link-button" onClick={() => onForget(id)}>
        {say('queue.discard')}
      </button>
    </div>
  ))
}

const SHOWN_CHARS = 120

function shortened(words: string): string {
  const line = words.trim().replace(/\s+/g, ' ')
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1).trimEnd()}…` : line
}
