import { type Client, type ConversationStore, RequestFailedError } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { Overview } from '@holdfast/conversation'
import { type FormEvent, useEffect, useState } from 'react'
import { ExportMenu } from './archive/export-menu.tsx'
import { CanvasButton } from './dock/canvas-button.tsx'
import { setDock, useDock } from './dock/use-dock.ts'
import { Icon } from './icons.tsx'
import { say } from './language/say.ts'
import { errorText } from './problem-words.ts'
import { firstWords } from './thread-parts.ts'

/** What the conversation is called, and what can be opened beside it. */
export function Header({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const title = useConversation(store, (state) => state.overview.title.text)
  const words = useConversation(store, (state) => firstWords(state.window))
  const isWaiting = useConversation(store, ({ overview }) => needsPerson(overview))
  const [isRenaming, setRenaming] = useState(false)
  const conversationId = useConversation(store, (state) => state.conversationId)
  const dock = useDock()
  const shown = title ?? words ?? say('common.new-conversation')
  useEffect(() => {
    document.title = isWaiting ? say('header.title-waiting', { title: shown }) : say('header.title', { title: shown })
  }, [shown, isWaiting])
  return (
    <>
      {isRenaming ? (
        <Rename client={client} store={store} title={shown} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <h1 dir="auto">{shown}</h1>
          <button
            type="button"
            className="icon-button"
            data-act="rename"
            aria-label={say('common.rename')}
            onClick={() => setRenaming(true)}
          >
            <Icon name="pencil" />
          </button>
        </>
      )}
      <ExportMenu client={client} conversationId={conversationId} />
      <CanvasButton store={store} />
      <button
        type="button"
        className="icon-button dock-button"
        aria-label={say('common.inspector')}
        aria-pressed={dock === 'inspector'}
        onClick={() => setDock(dock === 'inspector' ? null : 'inspector')}
      >
        <Icon name="dock" />
      </button>
    </>
  )
}

interface RenameProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly title: string
  readonly onDone: () => void
}

/** A title that a person gives is never overwritten; the model may be asked for one. */
function Rename({ client, store, title, onDone }: RenameProps) {
  const [draft, setDraft] = useState(title)
  const [problem, setProblem] = useState<string | null>(null)
  const conversationId = useConversation(store, (state) => state.conversationId)
  const source = useConversation(store, (state) => state.overview.title.source)

  async function attempt(act: () => Promise<void>): Promise<void> {
    setProblem(null)
    try {
      await act()
      onDone()
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setProblem(errorText(error))
    }
  }

  function onSubmit(event: FormEvent): void {
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
      {problem !== null && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  )
}

function needsPerson({ pendingPermissions, pendingQuestions }: Overview): boolean {
  return pendingPermissions.length > 0 || pendingQuestions.length > 0
}
