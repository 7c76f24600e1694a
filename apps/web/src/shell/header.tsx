import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { markHidden, type Overview } from '@holdfast/conversation'
import { Suspense, useState } from 'react'
import { ExportMenu } from '../archive/export-menu.tsx'
import { setDock, useDock } from '../shared/address.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { useMedia } from '../shared/use-media.ts'
import { firstWords } from '../thread/thread-parts.ts'
import { HeaderMenu } from './header-menu.tsx'
import { useTabTitle } from './tab-title.ts'

const CanvasButton = later(async () => (await import('./canvas-button.tsx')).CanvasButton)
const Rename = later(async () => (await import('./rename.tsx')).Rename)
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
      <Suspense fallback={null}>
        <CanvasButton store={store} />
      </Suspense>
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
        <Suspense fallback={<h1 dir="auto">{shown}</h1>}>
          <Rename client={client} store={store} title={shown} onDone={() => setRenaming(false)} />
        </Suspense>
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

function needsPerson({ pendingPermissions, pendingQuestions }: Overview): boolean {
  return pendingPermissions.length > 0 || pendingQuestions.length > 0
}
