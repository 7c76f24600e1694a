import type { AccountApi, Me } from '@holdfast/client'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, Scope, type SessionRow } from '@holdfast/protocol'
import { useState } from 'react'
import { navigate, pathOf } from '../shared/address.ts'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { CopyButton } from '../shared/copy-button.tsx'
import { usdText } from '../shared/cost-words.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { perSpeech } from '../shared/language/speech.ts'
import { browserName } from './browser-name.ts'
import { Field, typed } from './field.tsx'

interface DetailsProps {
  readonly account: AccountApi
  readonly role: Me['role']
}

/** What belongs to who is signed in; for an admin the way to the others too. */
export function AccountDetails({ account, role }: DetailsProps) {
  return (
    <>
      <OwnBudget account={account} />
      <SessionList account={account} />
      <KeyList account={account} isAdmin={role === 'admin'} />
      <PasswordForm account={account} />
      {role === 'admin' && <AdministrationLink />}
    </>
  )
}

/** Where people, their sessions and the servers are looked after. [UI57] */
function AdministrationLink() {
  const route = { type: 'settings', section: 'administration' } as const
  return (
    <section>
      <a
        className="link-button"
        href={pathOf(route)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          navigate(route, 'push')
        }}
      >
        {say('administration.page')}
      </a>
    </section>
  )
}

/** What of their own budget someone has used. Nothing where they may spend what they like. [COST7] */
function OwnBudget({ account }: { readonly account: AccountApi }) {
  const [{ value: me, problem }] = useAsked(account.readMe)
  const budget = me?.budget ?? null
  if (problem !== null) return <p role="alert">{problem}</p>
  if (budget === null) return null
  const { limitUsd, spentUsd, period, endsAt } = budget
  const used = { spent: spentUsd === 0 ? '$0' : usdText(spentUsd), limit: usdText(limitUsd), period }
  return (
    <section data-testid="own-budget">
      <h3>{say('account.budget')}</h3>
      <meter
        className="own-budget"
        aria-label={say('account.budget-used', used)}
        min={0}
        max={limitUsd}
        high={0.8 * limitUsd}
        value={spentUsd}
      />
      <p className="meta">{say('account.budget-used-until', { ...used, day: dayInUtc().format(endsAt) })}</p>
    </section>
  )
}

/** Periods begin at midnight in UTC, wherever the reader is. */
const dayInUtc = perSpeech(
  ({ locale }) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
)

/** Where someone is signed in. */
function SessionList({ account }: { readonly account: AccountApi }) {
  const [{ value: sessions, problem }, reload] = useAsked(account.listSessions)
  const ending = useTold()

  async function end({ id }: SessionRow): Promise<void> {
    await ending.run(() => account.endSession(id))
    reload()
  }

  return (
    <section>
      <h3>{say('account.signed-in-on')}</h3>
      {(problem ?? ending.problem) !== null && <p role="alert">{problem ?? ending.problem}</p>}
      <ul className="account-list" data-testid="sessions">
        {sessions?.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{browserName(session.browser)}</strong>
              <p className="meta">
                {say('account.address-since', {
                  address: session.address ?? say('account.unknown-address'),
                  since: session.createdAt,
                })}
              </p>
            </div>
            {session.isCurrent ? (
              <span className="meta">{say('account.this-browser')}</span>
            ) : (
              <button type="button" className="link-button" onClick={() => void end(session)}>
                {say('account.end')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SCOPES: readonly { readonly scope: Scope; readonly says: PlainKey }[] = [
  { scope: 'read', says: 'account.look-at-conversations' },
  { scope: 'chat', says: 'account.write-stop-and-edit' },
  { scope: 'tools', says: 'account.answer-permission-requests-choose-tools' },
  { scope: 'admin', says: 'account.people-and-providers' },
]

/** Keys for programs. */
function KeyList({ account, isAdmin }: { readonly account: AccountApi; readonly isAdmin: boolean }) {
  const [{ value: keys, problem }, reload] = useAsked(account.listKeys)
  const act = useTold()
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

/** Changes one's own password. */
function PasswordForm({ account }: { readonly account: AccountApi }) {
  const act = useTold()
  const [isDone, setDone] = useState(false)

  async function change(form: HTMLFormElement): Promise<void> {
    setDone(false)
    const keepKeys = new FormData(form).has('keep-keys')
    const asked = { currentPassword: typed(form, 'current'), newPassword: typed(form, 'new'), keepKeys }
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
        <label className="check">
          <input type="checkbox" name="keep-keys" />
          {say('account.keep-my-keys')}
        </label>
        <button type="submit" className="button" aria-disabled={act.isBusy || undefined}>
          {say('account.change-password')}
        </button>
      </form>
    </section>
  )
}
