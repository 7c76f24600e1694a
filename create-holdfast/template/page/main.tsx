import './page.css'
import { type Client, createClient } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { PAGE_KEY_FRAGMENT } from '@holdfast/protocol'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod'
import { Talk } from './talk.tsx'

// The server forbids the page to make code of text.
z.config({ jitless: true })

const KEY = 'page-key'
/** The address that the server printed leads here with a key, which stays in this browser. */
if (location.hash.startsWith(`#${PAGE_KEY_FRAGMENT}`)) {
  localStorage.setItem(KEY, location.hash.slice(1 + PAGE_KEY_FRAGMENT.length))
  history.replaceState(null, '', location.pathname)
}

const client = createClient({
  url: location.origin,
  pageKey: { load: () => localStorage.getItem(KEY), save: (key) => localStorage.setItem(KEY, key) },
})

function Page({ client }: { readonly client: Client }) {
  const link = useObservable(client.link, (state) => state)
  const [conversationId, setConversationId] = useState(/^\/c\/(.+)$/.exec(location.pathname)?.[1] ?? null)

  async function begin(words: string): Promise<void> {
    const id = await client.createConversation({ modelId: null, agentId: null, settings: {} })
    client.conversation(id).send([{ type: 'text', text: words }], 'turn')
    history.pushState(null, '', `/c/${id}`)
    setConversationId(id)
  }

  return (
    <>
      {link.type !== 'live' && (
        <p role="status">{link.type === 'ended' ? 'Open the address that the server printed.' : 'Connecting…'}</p>
      )}
      <Talk client={client} conversationId={conversationId} onBegin={begin} />
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page client={client} />)
