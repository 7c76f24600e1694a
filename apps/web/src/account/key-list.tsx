import type { AccountApi } from '@holdfast/client'
import { Scope } from '@holdfast/protocol'
import { useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { type PlainKey, say } from '../language/say.ts'
import { Field, typed } from './field.tsx'
import { useAct } from './use-act.ts'
import { useLoaded } from './use-loaded.ts'

const SCOPES: readonly { readonly scope: Scope; readonly says: PlainKey }[] = [
  { scope: 'read', says: 'account.look-at-conversations' },
  { scope: 'chat', says: 'account.write-stop-and-edit' },
  { scope: 'tools', says: 'account.answer-permission-requests-choose-tools' },
  { scope: 'admin', says: 'account.people-and-providers' },
]

/** Keys for programs. */
export function KeyList({ account, isAdmin }: { readonly account: AccountApi; readonly isAdmin: boolean }) {
  const { value: keys, problem, reload } = useLoaded(account.listKeys)
  const act = useAct()
  const [made, setMade] = useState<string | null>(null)
  const offered = isAdmin ? SCOPES : SCOPES.filter(({ scope }) => scope !== 'admin')

  async function make(form: HTMLFormElement): Promise<void> {
    const scopes = new FormData(form).getAll('scope').map((scope) => Scope.parse(scope))
    const asked = { name: typed(form, 'name').trim(), scopes }
    const isMade = await act.run(async () => setMade((await account.makeKey(asked)).key))
    if (!isMade) return
    form.reset()
    reload()
  }

  async function remove(keyId: string): Promise<void> {
    await act.run(() => account.removeKey(keyId))
    reload()
  }

  return (
    <section>
      <h3>{say('account.api-keys')}</h3>
      {(problem ?? act.problem) !== null && <p role="alert">{problem ?? act.problem}</p>}
      <ul className="account-list" data-testid="api-keys">
        {keys?.map(({ id, name, scopes, beginning }) => (
          <li key={id}>
            <div>
              <strong dir="auto">{name}</strong>
              <p className="meta">{[`${beginning}…`, scopes.join(', ')].join(' · ')}</p>
            </div>
            <button
              type="button"
              className="link-button"
              aria-label={say('account.delete-name', { name })}
              onClick={() => void remove(id)}
            >
              {say('common.delete')}
            </button>
          </li>
        ))}
      </ul>
      {made !== null && (
        <div className="made-key" role="status">
          <p>{say('account.shown-this-once-copy-it')}</p>
          <code data-testid="made-key">{made}</code>
          <CopyButton text={() => made} label={say('account.copy-key')} />
        </div>
      )}
      <form
        className="key-form"
        onSubmit={(event) => {
          event.preventDefault()
          void make(event.currentTarget)
        }}
      >
        <Field label={say('account.what-is-it-for')} name="name" type="text" autoComplete="off" maxLength={80} />
        <fieldset>
          <legend>{say('account.it-may')}</legend>
          {offered.map(({ scope, says }) => (
            <label className="check" key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'read'} />
              {say(says)}
            </label>
          ))}
        </fieldset>
        <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
          {say('account.make-a-key')}
        </button>
      </form>
    </section>
  )
}
