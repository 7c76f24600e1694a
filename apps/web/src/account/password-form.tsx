import type { AccountApi } from '@holdfast/client'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@holdfast/protocol'
import { useState } from 'react'
import { say } from '../language/say.ts'
import { Field, typed } from './field.tsx'
import { useAct } from './use-act.ts'

/** Changes one's own password. */
export function PasswordForm({ account }: { readonly account: AccountApi }) {
  const act = useAct()
  const [isDone, setDone] = useState(false)

  async function change(form: HTMLFormElement): Promise<void> {
    setDone(false)
    const asked = { currentPassword: typed(form, 'current'), newPassword: typed(form, 'new') }
    if (!(await act.run(() => account.changePassword(asked)))) return
    form.reset()
    setDone(true)
  }

  return (
    <section>
      <h3>{say('common.password')}</h3>
      {act.problem !== null && <p role="alert">{act.problem}</p>}
      {isDone && <p role="status">{say('account.the-password-is-changed')}</p>}
      <form
        className="key-form"
        data-testid="password-form"
        onSubmit={(event) => {
          event.preventDefault()
          void change(event.currentTarget)
        }}
      >
        <Field
          label={say('account.current-password')}
          name="current"
          type="password"
          autoComplete="current-password"
          maxLength={MAX_PASSWORD_LENGTH}
        />
        <Field
          label={say('account.new-password')}
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          maxLength={MAX_PASSWORD_LENGTH}
          hint={say('account.at-least', { least: MIN_PASSWORD_LENGTH })}
        />
        <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
          {say('account.change-password')}
        </button>
      </form>
    </section>
  )
}
