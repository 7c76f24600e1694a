import type { AccountApi, Client, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { AccountMenu } from '../account/account-menu.tsx'
import { isDemo, modelInUse } from '../composer/context/model-choice.ts'
import { SettingsHeading } from '../settings/settings-heading.tsx'
import { navigate, type Route, useDock, useRoute } from '../shared/address.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { usePreference } from '../shared/preferences/preferences.ts'
import { ToastList } from '../shared/toasts/toast-list.tsx'
import { useMedia } from '../shared/use-media.ts'
import { ConnectionLine } from './connection-state.tsx'
import { DemoBanner, DemoStrip } from './demo-strip.tsx'
import { Dock } from './dock/dock.tsx'
import { Header } from './header.tsx'
import { usePress, useShortcuts } from './keys/press-shortcut.ts'
import { NewConversation } from './new-conversation.tsx'
import { NotifyOffer } from './notify-offer.tsx'
import { OpenPalette } from './palette/open-palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { ConversationView } from './workspace.tsx'

const AwayDigest = later(async () => (await import('../schedules/away-digest.tsx')).AwayDigest)
const SettingsNav = later(async () => (await import('../settings/settings-page.tsx')).SettingsNav)
const SettingsPage = later(async () => (await import('../settings/settings-page.tsx')).SettingsPage)
const SignedOut = later(async () => (await import('../account/signed-out.tsx')).SignedOut)

/** The page. */
export function App({ client, account }: { readonly client: Client; readonly account: AccountApi }) {
  const route = useRoute()
  const isNarrow = useMedia('(max-width: 899px)')
  const isListWanted = usePreference('isListShown')
  const drawer = useRef<HTMLDialogElement>(null)
  const link = useObservable(client.link, (state) => state)
  const isSignedOut = link.type === 'ended' && link.reason === 'unauthorized'
  const dock = useDock()
  const [hasPalette, setPalette] = useState(false)
  const currentId = route.type === 'conversation' ? route.conversationId : null
  const store = currentId === null ? null : client.conversation(currentId)
  const isListShown = isListWanted || route.type === 'settings'
  useStartPage(client, route)
  const press = usePress({ store, openPalette: () => setPalette(true), showList: () => drawer.current?.showModal() })
  useShortcuts(press)

  if (isSignedOut) {
    return (
      <Suspense fallback={null}>
        <SignedOut account={account} />
      </Suspense>
    )
  }
  const sidebar =
    route.type === 'settings' ? (
      <Suspense fallback={<nav className="sidebar" />}>
        <SettingsNav account={account} section={route.section} onBack={leaveSettings} />
      </Suspense>
    ) : (
      <Sidebar client={client} currentId={currentId} onChosen={() => drawer.current?.close()}>
        <AccountMenu account={account} link={link} beforeSignOut={() => forgetBrowser(client)} />
      </Sidebar>
    )
  return (
    <div
      className="shell"
      data-dock={(store && dock) || undefined}
      data-list={isListShown || isNarrow ? undefined : 'hidden'}
    >
      <a className="skip-link" href={route.type === 'settings' ? '#settings-page' : '#composer-input'}>
        {route.type === 'settings' ? say('page.skip-to-the-page') : say('page.skip-to-composer')}
      </a>
      {isNarrow ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself
        <dialog
          ref={drawer}
          className="drawer"
          aria-label={route.type === 'settings' ? say('common.settings') : say('common.conversations')}
          onClick={(event) => event.target === drawer.current && drawer.current.close()}
        >
          {sidebar}
        </dialog>
      ) : (
        isListShown && sidebar
      )}
      <main
        className="workspace"
        aria-label={route.type === 'settings' ? say('common.settings') : say('common.conversation')}
      >
        <header className="bar">
          <button
            type="button"
            className="icon-button drawer-button"
            aria-label={route.type === 'settings' ? say('page.all-settings') : say('common.conversations')}
            onClick={() => drawer.current?.showModal()}
          >
            <Icon name="menu" />
          </button>
          <Heading client={client} route={route} store={store} />
        </header>
        {route.type === 'settings' ? (
          <ConnectionLine client={client} store={null} />
        ) : (
          <Banner client={client} store={store} />
        )}
        <NotifyOffer />
        <Suspense fallback={null}>
          <AwayDigest client={client} />
        </Suspense>
        <Content client={client} account={account} route={route} />
      </main>
      {store && dock && <Dock client={client} store={store} tab={dock} />}
      <ToastList />
      {hasPalette && <OpenPalette client={client} store={store} press={press} onClose={() => setPalette(false)} />}
    </div>
  )
}

/** What happens is told no more to this browser by push: the next person at it is another. */
async function forgetBrowser(client: Client): Promise<void> {
  const { stopPush } = await import('../shared/notify/push.ts')
  await stopPush(client)
}

function Heading(props: { readonly client: Client; readonly route: Route; readonly store: ConversationStore | null }) {
  const { client, route, store } = props
  if (route.type === 'settings') return <SettingsHeading section={route.section} />
  if (store) return <Header key={store.getSnapshot().conversationId} client={client} store={store} />
  return <h1>{say('common.new-conversation')}</h1>
}

/** Back to where the settings were opened from; from a link that leads into them, to the start. */
function leaveSettings(): void {
  if (history.length > 1) history.back()
  else navigate({ type: 'start' }, 'replace')
}

function Banner({ client, store }: { readonly client: Client; readonly store: ConversationStore | null }) {
  const models = useObservable(client.models, ({ value }) => value)
  if (store) return <DemoBanner client={client} store={store} />
  return isDemo(modelInUse(models, null)) ? <DemoStrip /> : null
}

function Content(props: { readonly client: Client; readonly account: AccountApi; readonly route: Route }) {
  const { client, account, route } = props
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
    case 'settings':
      return (
        <Suspense fallback={null}>
          <SettingsPage client={client} account={account} section={route.section} />
        </Suspense>
      )
    case 'start':
      // Where it leads is known with the list; until then the page says whether the server is there.
      return (
        <div className="notice-page">
          <ConnectionLine client={client} store={null} />
        </div>
      )
  }
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
