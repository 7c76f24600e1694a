import { useEffect } from 'react'
import { say } from '../shared/language/say.ts'

/** A browser that is not signed in, where there are no accounts. Nothing of what was there is shown any more, its title neither. [UI116] */
export function SignedOut() {
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
