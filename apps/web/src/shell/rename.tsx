import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { type SubmitEvent, useState } from 'react'
import { useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'

interface RenameProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly title: string
  readonly onDone: () => void
}

/** A title that a person gives is never overwritten; the model may be asked for one. */
export function Rename({ client, store, title, onDone }: RenameProps) {
  const [draft, setDraft] = useState(title)
  const naming = useTold()
  const conversationId = useConversation(store, (state) => state.conversationId)
  const source = useConversation(store, (state) => state.overview.title.source)

  async function attempt(act: () => Promise<void>): Promise<void> {
    if (await naming.run(act)) onDone()
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    const next = draft.trim()
    if (next === '' || next === title) onDone()
    else void attempt(() => client.changeConversation(conversationId, { title: next }))
  }

  return (
    <form className="rename" aria-label={say('common.rename')} onSubmit={onSubmit}>
      <input
        type="text"
        aria-label={say('common.title')}
        dir="auto"
        maxLength={200}
        // biome-ignore lint/a11y/noAutofocus: it opens where its button was, at the person's wish
        autoFocus
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onFocus={({ target }) => target.select()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onDone()
        }}
      />
      <button type="submit" className="button small">
        {say('common.save')}
      </button>
      {source !== 'user' && (
        <button
          type="button"
          className="button small"
          onClick={() => void attempt(() => client.context(conversationId).makeTitle())}
        >
          {say('header.ask-the-model')}
        </button>
      )}
      {naming.problem !== null && (
        <span className="problem" role="alert">
          {naming.problem}
        </span>
      )}
    </form>
  )
}
