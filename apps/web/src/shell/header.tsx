import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { canvasOf, markHidden, type Overview } from '@holdfast/conversation'
import { type SubmitEvent, Suspense, useEffect, useState } from 'react'
import { ExportMenu } from '../archive/export-menu.tsx'
import { drawnType } from '../canvas/drawing-tools.ts'
import { readDock, setDock, useDock } from '../shared/address.ts'
import { useTold } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { useMedia } from '../shared/use-media.ts'
import { firstWords } from '../thread/thread-parts.ts'
import { HeaderMenu } from './header-menu.tsx'
import { useTabTitle } from './tab-title.ts'

const WorktreeMenu = later(async () => (await import('../workspaces/worktree-menu.tsx')).WorktreeMenu)

/** What the conversation is called, and what can be opened beside it. */
export function Header({ client, store }: { readonly client: Client; readonly store: ConversationStore }) {
  const title = useConversation(store, (state) => state.overview.title.text)
  const wordsHere = useConversation(store, (state) => firstWords(state.window))
  const isWaiting = useConversation(store, ({ overview }) => needsPerson(overview))
  const [isRenaming, setRenaming] = useState(false)
  const conversationId = useConversation(store, (state) => state.conversationId)
  const wordsListed = useObservable(
    client.conversations,
    ({ rows }) => rows.find(({ id }) => id === conversationId)?.firstWords ?? null,
  )
  const dock = useDock()
  const isPhone = useMedia('(max-width: 639px)')
  const shown = markHidden(title ?? wordsHere ?? wordsListed ?? say('common.new-conversation'))
  useTabTitle({ client, title: shown, isWaiting })
  const rename = (
    <button
      type="button"
      className="icon-button"
      data-act="rename"
      aria-label={say('common.rename')}
      onClick={() => setRenaming(true)}
    >
      <Icon name="pencil" />
      <span className="act-words">{say('common.rename')}</span>
    </button>
  )
  const acts = (
    <>
      {isPhone && rename}
      <Suspense fallback={null}>
        <WorktreeMenu client={client} store={store} />
      </Suspense>
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
        <span className="act-words">{say('common.inspector')}</span>
      </button>
    </>
  )
  return (
    <>
      {isRenaming ? (
        <Rename client={client} store={store} title={shown} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <h1 dir="auto">{shown}</h1>
          {!isPhone && rename}
        </>
      )}
      {isPhone ? <HeaderMenu>{acts}</HeaderMenu> : acts}
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

function needsPerson({ pendingPermissions, pendingQuestions }: Overview): boolean {
  return pendingPermissions.length > 0 || pendingQuestions.length > 0
}

/**
 * Where there is room for both and nothing stands there, the canvas opens by itself as soon as its first element is being
 * written, and the preview when an agent has shown its first page: the focus stays where it is. [UI82]
 */
function useOpensByItself(store: ConversationStore): void {
  const isWide = useMedia('(min-width: 1200px)')
  useEffect(() => {
    let known = store.getSnapshot()
    return store.subscribe(() => {
      const before = known
      known = store.getSnapshot()
      if (!before.caughtUp || !isWide || readDock() !== null) return
      if (!hasElements(before) && hasElements(known)) setDock('canvas')
      else if (!hasShownPage(before) && hasShownPage(known)) setDock('preview')
    })
  }, [store, isWide])
}

/** Opens the canvas, and says how much is on it. */
function CanvasButton({ store }: { readonly store: ConversationStore }) {
  const dock = useDock()
  const count = useConversation(store, ({ overview }) => countOf(overview))
  useOpensByItself(store)
  return (
    <button
      type="button"
      className="icon-button dock-button"
      aria-label={count === 0 ? say('common.canvas') : say('dock.canvas-with', { count })}
      aria-pressed={dock === 'canvas'}
      data-count={count === 0 ? undefined : count}
      onClick={() => setDock(dock === 'canvas' ? null : 'canvas')}
    >
      <Icon name="canvas" />
      <span className="act-words">{say('common.canvas')}</span>
    </button>
  )
}

/** Whether a call has shown a page. */
function hasShownPage({ overview }: ReturnType<ConversationStore['getSnapshot']>): boolean {
  const metrics = overview.toolMetrics['preview_start']
  if (metrics === undefined) return false
  const { callCount, errorCount, deniedCount, abortedCount } = metrics
  return callCount > errorCount + deniedCount + abortedCount
}

/** Whether anything is on the canvas, or is being written for it. */
function hasElements({ overview, draft }: ReturnType<ConversationStore['getSnapshot']>): boolean {
  return countOf(overview) > 0 || (draft?.blocks.some(({ start }) => drawnType(start) !== undefined) ?? false)
}

function countOf({ canvases, settings }: ReturnType<ConversationStore['getSnapshot']>['overview']): number {
  return canvasOf(canvases, settings.agentId).elements.length
}
