import type { AccountApi, LinkState } from '@holdfast/client'
import { Suspense, useId, useRef, useState } from 'react'
import { BASE_PATH } from '../shared/address.ts'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { roleWord } from './role-word.ts'

const AccountDetails = later(async () => (await import('./account-details.tsx')).AccountDetails)

/** Who is signed in, with their sessions and keys. Shown where there are accounts. */
export function AccountMenu({
  account,
  link,
  beforeSignOut,
}: {
  readonly account: AccountApi
  readonly link: LinkState
  readonly beforeSignOut: () => Promise<void>
}) {
  // Asked again when the line is back.
  const [{ value: me }] = useAsked(link.type === 'live' ? account.readMe : null)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [isOpen, setOpen] = useState(false)
  const signingOut = useTold()
  const person = me?.account
  if (!me || !person) return null

  async function signOut(): Promise<void> {
    const leave = async (): Promise<void> => {
      await beforeSignOut()
      await account.signOut()
    }
    if (await signingOut.run(leave)) location.replace(`${BASE_PATH}/`)
  }

  return (
    <>
      <button
        type="button"
        className="icon-button account-button"
        aria-label={say('account.account-of-name', { name: person.name })}
        data-testid="account-button"
        onClick={() => {
          setOpen(true)
          dialog.current?.showModal()
        }}
      >
        <span aria-hidden="true">{person.name.slice(0, 1).toUpperCase()}</span>
      </button>
      <dialog ref={dialog} className="account-dialog" aria-labelledby={titleId} onClose={() => setOpen(false)}>
        <header>
          <div>
            <h2 id={titleId} dir="auto">
              {person.name}
            </h2>
            <p className="meta">{[person.email, roleWord(person.role)].join(' · ')}</p>
          </div>
          <button
            type="button"
            className="icon-button"
            aria-label={say('account.close-account')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {isOpen && (
          <Suspense fallback={null}>
            <AccountDetails account={account} role={me.role} />
          </Suspense>
        )}
        <footer>
          {signingOut.problem !== null && <p role="alert">{signingOut.problem}</p>}
          <button type="button" className="button" onClick={() => void signOut()}>
            {say('account.sign-out')}
          </button>
        </footer>
      </dialog>
    </>
  )
}
