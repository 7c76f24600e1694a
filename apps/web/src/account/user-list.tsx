import type { AccountApi, UserChange } from '@holdfast/client'
import type { Account, PersonBudget } from '@holdfast/protocol'
import { type SubmitEvent, useId, useState } from 'react'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { usdText } from '../shared/cost-words.ts'
import { say } from '../shared/language/say.ts'
import { Field, typed } from './field.tsx'
import { roleWord } from './role-word.ts'

interface MadePassword {
  readonly name: string
  readonly password: string
}

/** The people of this server, for an admin: added, disabled, given another role or a new password. */
export function UserList({ account, ownId }: { readonly account: AccountApi; readonly ownId: string }) {
  const [{ value: users, problem }, reload] = useAsked(account.listUsers)
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
      <h3>{say('account.people')}</h3>
      {(problem ?? act.problem) !== null && <p role="alert">{problem ?? act.problem}</p>}
      <ul className="account-list" data-testid="users">
        {users?.map((user) => (
          <li key={user.id}>
            <div>
              <strong dir="auto">{user.name}</strong>
              <p className="meta">
                {[user.email, roleWord(user.role), ...(user.disabled ? [say('account.disabled')] : [])].join(' · ')}
              </p>
              <PersonBudgetForm person={user} onSet={(budget) => void change(user, { budget })} />
            </div>
            {user.id === ownId ? (
              <span className="meta">{say('account.you')}</span>
            ) : (
              <span className="setting-acts">
                <button
                  type="button"
                  className="link-button"
                  aria-label={
                    user.role === 'admin'
                      ? say('account.make-a-user-of', { name: user.name })
                      : say('account.make-an-admin-of', { name: user.name })
                  }
                  onClick={() => void change(user, { role: user.role === 'admin' ? 'user' : 'admin' })}
                >
                  {user.role === 'admin' ? say('account.make-a-user') : say('account.make-an-admin')}
                </button>
                <button
                  type="button"
                  className="link-button"
                  aria-label={say('account.new-password-for', { name: user.name })}
                  onClick={() => void resetPassword(user)}
                >
                  {say('account.new-password')}
                </button>
                <button
                  type="button"
                  className="link-button"
                  aria-label={
                    user.disabled
                      ? say('account.enable-name', { name: user.name })
                      : say('account.disable-name', { name: user.name })
                  }
                  onClick={() => void change(user, { disabled: !user.disabled })}
                >
                  {user.disabled ? say('account.enable') : say('account.disable')}
                </button>
              </span>
            )}
          </li>
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
        <Field label={say('account.name-of-the-person')} name="name" type="text" autoComplete="off" maxLength={80} />
        <Field label={say('account.their-e-mail')} name="email" type="email" autoComplete="off" maxLength={254} />
        <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
          {say('account.add-a-person')}
        </button>
      </form>
    </section>
  )
}

interface PersonBudgetProps {
  readonly person: Account
  readonly onSet: (budget: PersonBudget | null) => void
}

/** What someone may spend, as an admin sets it. [COST7] */
function PersonBudgetForm({ person: { id, name, budget }, onSet }: PersonBudgetProps) {
  const fieldId = useId()
  const known =
    budget === null
      ? say('account.no-budget')
      : say('account.budget-of', { limit: usdText(budget.limitUsd), period: budget.period })

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    const period = typed(form, 'period') === 'day' ? 'day' : 'month'
    onSet({ limitUsd: Number(typed(form, 'limitUsd')), period })
    form.reset()
  }

  return (
    <details className="person-budget" data-testid={`budget-of-${id}`}>
      <summary className="meta">
        {known}
        <span className="visually-hidden"> {say('account.change-budget', { name })}</span>
      </summary>
      <form onSubmit={onSubmit}>
        <label htmlFor={fieldId}>{say('account.us-dollars')}</label>
        <input id={fieldId} type="number" name="limitUsd" required min="0.01" max="1000000" step="0.01" />
        <select name="period" aria-label={say('account.in-each')} defaultValue={budget?.period ?? 'month'}>
          <option value="month">{say('account.a-month')}</option>
          <option value="day">{say('account.a-day')}</option>
        </select>
        <button type="submit" className="button small">
          {say('account.set')}
        </button>
        {budget !== null && (
          <button type="button" className="link-button" onClick={() => onSet(null)}>
            {say('account.remove-budget')}
          </button>
        )}
      </form>
    </details>
  )
}
