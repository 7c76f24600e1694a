import type { AccountApi, Client, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useEffect, useRef } from 'react'
import { AccountMenu } from './account/account-menu.tsx'
import { Entrance } from './account/entrance.tsx'
import { useEntrance } from './account/use-entrance.ts'
import { isDemo, modelInUse } from './context/model-choice.ts'
import { Dock } from './dock/dock.tsx'
import { useDock } from './dock/use-dock.ts'
import { Header } from './header.tsx'
import { Icon } from './icons.tsx'
import { NewConversation } from './new-conversation.tsx'
import { navigate, type Route, useRoute } from './route.ts'
import { Sidebar } from './sidebar.tsx'
import { useMedia } from './use-media.ts'
import { ConversationView, DemoBanner, DemoStrip } from './workspace.tsx'

/** The page. */
export function App({ client, account }: { readonly client: Client; readonly account: AccountApi }) {
  const route = useRoute()
  const isNarrow = useMedia('(max-width: 899px)')
  const drawer = useRef<HTMLDialogElement>(null)
  const link = useObservable(client.link, (state) => state)
  const isSignedOut = link.type === 'ended' && link.reason === 'unauthorized'
  const entrance = useEntrance(account, isSignedOut)
  const dock = useDock()
  const currentId = route.type === 'conversation' ? route.conversationId : null
  const store = currentId === null ? null : client.conversation(currentId)
  useStartPage(client, route)

  if (entrance !== null) return <Entrance account={account} state={entrance} />
  const sidebar = (
    <Sidebar client={client} currentId={currentId} onChosen={() => drawer.current?.close()}>
      <AccountMenu account={account} link={link} />
    </Sidebar>
  )
  return (
    <div className="shell" data-dock={(store && dock) || undefined}>
      <a className="skip-link" href="#composer-input">
        Skip to composer
      </a>
      {isNarrow ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself
        <dialog
          ref={drawer}
          className="drawer"
          aria-label="Conversations"
          onClick={(event) => event.target === drawer.current && drawer.current.close()}
        >
          {sidebar}
        </dialog>
      ) : (
        sidebar
      )}
      <main className="workspace" aria-label="Conversation">
        <header className="bar">
          <button
            type="button"
            className="icon-button drawer-button"
            aria-label="Conversations"
            onClick={() => drawer.current?.showModal()}
          >
            <Icon name="menu" />
          </button>
          {store ? <Header key={currentId} client={client} store={store} /> : <h1>New conversation</h1>}
        </header>
        <Banner client={client} store={store} />
        {isSignedOut ? <SignedOut /> : <Content client={client} route={route} />}
      </main>
      {store && dock && <Dock client={client} store={store} tab={dock} />}
    </div>
  )
}

function Banner({ client, store }: { readonly client: Client; readonly store: ConversationStore | null }) {
  const models = useObservable(client.models, ({ value }) => value)
  if (store) return <DemoBanner client={client} store={store} />
  return isDemo(modelInUse(models, null)) ? <DemoStrip /> : null
}

function Content({ client, route }: { readonly client: Client; readonly route: Route }) {
  switch (route.type) {
    case 'conversation':
      return (
        <ConversationView
          key={route.conversationId}
          client={client}
          store={client.conversation(route.conversationId)}
        />
      )
    case 'new':
      return <NewConversation client={client} />
    case 'start':
      return null
  }
}

function SignedOut() {
  return (
    <div className="notice-page" data-testid="conn-state" data-state="signed-out">
      <h2>This browser is not signed in</h2>
      <p>
        Open the link that the terminal shows. It holds the key to this Holdfast and works for this browser from then
        on.
      </p>
    </div>
  )
}

/** The start page becomes the conversation that changed last, or a new one when there is none. */
function useStartPage(client: Client, route: Route): void {
  const list = useObservable(client.conversations, (state) => state)
  useEffect(() => {
    if (route.type !== 'start' || list.state === 'loading') return
    const [last] = list.rows
    navigate(last ? { type: 'conversation', conversationId: last.id } : { type: 'new' }, 'replace')
  }, [route.type, list])
}
