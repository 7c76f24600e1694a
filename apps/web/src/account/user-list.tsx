import type { AccountApi, UserChange } from '@holdfast/client'
import type { Account } from '@holdfast/protocol'
import { useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { Field, typed } from './field.tsx'
import { PersonBudgetForm } from './person-budget.tsx'
import { useAct } from './use-act.ts'
import { useLoaded } from './use-loaded.ts'

interface MadePassword {
  readonly name: string
  readonly password: string
}

/** The people of this server, for an admin: added, disabled, given another role or a new password. */
export function UserList({ account, ownId }: { readonly account: AccountApi; readonly ownId: string }) {
  const { value: users, problem, reload } = useLoaded(account.listUsers)
  const act = useAct()
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
    reload()
  }

  async function change({ id }: Account, wish: UserChange): Promise<void> {
    await act.run(() => account.changeUser(id, wish))
    reload()
  }

  async function resetPassword(user: Account): Promise<void> {
    await act.run(async () => show(user, await account.resetPassword(user.id)))
  }

  return (
    <section>
      <h3>People</h3>
      {(problem ?? act.problem) !== null && <p role="alert">{problem ?? act.problem}</p>}
      <ul className="account-list" data-testid="users">
        {users?.map((user) => (
          <li key={user.id}>
            <div>
              <strong dir="auto">{user.name}</strong>
              <p className="meta">{`${user.email} · ${user.role}${user.disabled ? ' · disabled' : ''}`}</p>
              <PersonBudgetForm person={user} onSet={(budget) => void change(user, { budget })} />
            </div>
            {user.id === ownId ? (
              <span className="meta">you</span>
            ) : (
              <span className="setting-acts">
                <button
                  type="button"
                  className="link-button"
                  onClick={() => void change(user, { role: user.role === 'admin' ? 'user' : 'admin' })}
                >
                  {user.role === 'admin' ? 'Make a user' : 'Make an admin'}
                  <span className="visually-hidden">{` of ${user.name}`}</span>
                </button>
                <button type="button" className="link-button" onClick={() => void resetPassword(user)}>
                  New password<span className="visually-hidden">{` for ${user.name}`}</span>
                </button>
                <button
                  type="button"
                  className="link-button"
                  onClick={() => void change(user, { disabled: !user.disabled })}
                >
                  {user.disabled ? 'Enable' : 'Disable'}
                  <span className="visually-hidden">{` ${user.name}`}</span>
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {made !== null && (
        <div className="made-key" role="status">
          <p dir="auto">{`The password of ${made.name}, shown this once:`}</p>
          <code data-testid="made-password">{made.password}</code>
          <CopyButton text={() => made.password} label="Copy password" />
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
        <Field label="Name of the person" name="name" type="text" autoComplete="off" maxLength={80} />
        <Field label="Their e-mail" name="email" type="email" autoComplete="off" maxLength={254} />
        <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
          Add a person
        </button>
      </form>
    </section>
  )
}
