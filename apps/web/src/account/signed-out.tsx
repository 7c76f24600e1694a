import type { AccountApi } from '@holdfast/client'
import { useEffect } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { Entrance } from './entrance.tsx'

/** What a browser sees that is not signed in: the way in, and nothing of what was there. [UI116] */
export function SignedOut({ account }: { readonly account: AccountApi }) {
  const [{ type, value }] = useAsked(account.readState)
  if (type === 'asking') return null
  // Where the state of accounts cannot be read, the page says what it says without accounts.
  return value?.mode === 'accounts' ? <Entrance account={account} state={value} /> : <NotSignedIn />
}

function NotSignedIn() {
  const words = say('page.this-browser-is-not-signed')
  useEffect(() => {
    document.title = say('header.title', { title: words })
  }, [words])
  return (
    <main className="notice-page" data-testid="conn-state" data-state="signed-out">
      <h2>{words}</h2>
      <p>{say('page.open-the-link-that-the')}</p>
    </main>
  )
}
