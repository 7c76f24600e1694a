import type { AccountApi } from '@holdfast/client'
import { Scope } from '@holdfast/protocol'
import { useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { Field, typed } from './field.tsx'
import { useAct } from './use-act.ts'
import { useLoaded } from './use-loaded.ts'

const SCOPES: readonly { readonly scope: Scope; readonly says: string }[] = [
  { scope: 'read', says: 'look at conversations' },
  { scope: 'chat', says: 'write, stop and edit' },
  { scope: 'tools', says: 'answer permission requests, choose tools' },
  { scope: 'admin', says: 'people and providers' },
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
      <h3>API keys</h3>
      {(problem ?? act.problem) !== null && <p role="alert">{problem ?? act.problem}</p>}
      <ul className="account-list" data-testid="api-keys">
        {keys?.map(({ id, name, scopes, beginning }) => (
          <li key={id}>
            <div>
              <strong dir="auto">{name}</strong>
              <p className="meta">{`${beginning}… · ${scopes.join(', ')}`}</p>
            </div>
            <button type="button" className="link-button" aria-label={`Delete ${name}`} onClick={() => void remove(id)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      {made !== null && (
        <div className="made-key" role="status">
          <p>Shown this once. Copy it now.</p>
          <code data-testid="made-key">{made}</code>
          <CopyButton text={() => made} label="Copy key" />
        </div>
      )}
      <form
        className="key-form"
        onSubmit={(event) => {
          event.preventDefault()
          void make(event.currentTarget)
        }}
      >
        <Field label="What is it for?" name="name" type="text" autoComplete="off" maxLength={80} />
        <fieldset>
          <legend>It may</legend>
          {offered.map(({ scope, says }) => (
            <label className="check" key={scope}>
              <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'read'} />
              {says}
            </label>
          ))}
        </fieldset>
        <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
          Make a key
        </button>
      </form>
    </section>
  )
}
