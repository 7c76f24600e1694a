import type { AccountApi, Client, UserChange } from '@holdfast/client'
import type { Account, PersonRow } from '@holdfast/protocol'
import { useState } from 'react'
import { Field, typed } from '../account/field.tsx'
import { useTold } from '../shared/ask-server.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { say } from '../shared/language/say.ts'
import { KeptCard } from './kept-card.tsx'
import { Person } from './person.tsx'
import type { Kept } from './use-kept.ts'

interface PeopleCardProps {
  readonly client: Client
  readonly account: AccountApi
  readonly ownId: string
  readonly people: Kept<readonly PersonRow[]>
}

interface MadePassword {
  readonly name: string
  readonly password: string
}

/** The people of this server: what they use, what they may spend, and where they are signed in; added, disabled, given another role or password. [UI58] */
export function PeopleCard({ client, account, ownId, people }: PeopleCardProps) {
  const act = useTold()
  const [made, setMade] = useState<MadePassword | null>(null)

  function show({ name }: Account, password: string | null): void {
    setMade(password === null ? null : { name, password })
  }

  async function add(form: HTMLFormElement): Promise<void> {
    const asked = { name: typed(form, 'name').trim(), email: typed(form, 'email').trim() }
    const isAdded = await act.run(async () => {
      const { user, madePassword } = await account.addUser(asked)
      show(user, madePassword)
    })
    if (!isAdded) return
    form.reset()
    people.askAgain()
  }

  async function change({ id }: Account, wish: UserChange): Promise<void> {
    await act.run(() => account.changeUser(id, wish))
    people.askAgain()
  }

  async function resetPassword(user: Account): Promise<void> {
    await act.run(async () => show(user, await account.resetPassword(user.id)))
    people.askAgain()
  }

  return (
    <KeptCard title={say('account.people')} testId="people" kept={people}>
      {(rows) => (
        <>
          {act.problem !== null && <p role="alert">{act.problem}</p>}
          {rows.length === 1 && <p className="meta">{say('administration.only-you')}</p>}
          <ul className="account-list" data-testid="users">
            {rows.map((row) => (
              <Person
                key={row.account.id}
                client={client}
                row={row}
                isOwn={row.account.id === ownId}
                onChange={(wish) => void change(row.account, wish)}
                onResetPassword={() => void resetPassword(row.account)}
                onEnded={people.askAgain}
              />
            ))}
          </ul>
          {made !== null && (
            <div className="made-key" role="status">
              <p dir="auto">{say('account.the-password-of-name-shown', { name: made.name })}</p>
              <code data-testid="made-password">{made.password}</code>
              <CopyButton text={() => made.password} label={say('account.copy-password')} />
            </div>
          )}
          <form
            className="key-form"
            data-testid="add-user"
            onSubmit={(event) => {
              event.preventDefault()
              void add(event.currentTarget)
            }}
          >
            <Field
              label={say('account.name-of-the-person')}
              name="name"
              type="text"
              autoComplete="off"
              maxLength={80}
            />
            <Field label={say('account.their-e-mail')} name="email" type="email" autoComplete="off" maxLength={254} />
            <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
              {say('account.add-a-person')}
            </button>
          </form>
        </>
      )}
    </KeptCard>
  )
}
