import type { AccountApi, SignInStateAnswer } from '@holdfast/client'
import { BASE_PATH } from '../shared/address.ts'
import { useTold } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { Field, typed } from './field.tsx'

/** Where people sign in, or the first one makes an account. */
export function Entrance({ account, state }: { readonly account: AccountApi; readonly state: SignInStateAnswer }) {
  const token = new URLSearchParams(location.search).get('token')
  return (
    <main className="entrance">
      <p className="brand">
        <Icon name="logo" />
        holdfast
      </p>
      {state.needsSetup ? (
        token === null ? (
          <NeedsLink />
        ) : (
          <SetUpForm account={account} token={token} minPasswordLength={state.minPasswordLength} />
        )
      ) : (
        <SignInForm account={account} />
      )}
      <p className="entrance-place">{location.host}</p>
    </main>
  )
}

/** Begins anew, with the cookie that has just been set. */
function enter(): void {
  location.replace(`${BASE_PATH}/`)
}

function SignInForm({ account }: { readonly account: AccountApi }) {
  const act = useTold()

  async function signIn(form: HTMLFormElement): Promise<void> {
    const rememberMe = new FormData(form).has('remember')
    const asked = { email: typed(form, 'email').trim(), password: typed(form, 'password'), rememberMe }
    if (await act.run(() => account.signIn(asked))) enter()
  }

  return (
    <form
      className="entrance-form"
      data-testid="sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void signIn(event.currentTarget)
      }}
    >
      <h1>{say('account.sign-in')}</h1>
      <Field label={say('common.e-mail')} name="email" type="email" autoComplete="username" maxLength={254} />
      <Field
        label={say('common.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        maxLength={200}
      />
      <label className="check">
        <input type="checkbox" name="remember" defaultChecked />
        {say('account.stay-signed-in-on-this')}
      </label>
      <Problem words={act.problem} />
      <button type="submit" className="button primary" aria-disabled={act.isBusy || undefined}>
        {act.isBusy ? say('account.signing-in') : say('account.sign-in')}
      </button>
      <p className="field-hint">{say('account.forgotten-an-admin-gives-you')}</p>
    </form>
  )
}

function SetUpForm(props: {
  readonly account: AccountApi
  readonly token: string
  readonly minPasswordLength: number
}) {
  const { account, token, minPasswordLength } = props
  const act = useTold()

  async function setUp(form: HTMLFormElement): Promise<void> {
    const person = { name: typed(form, 'name').trim(), email: typed(form, 'email').trim() }
    const asked = { ...person, token, password: typed(form, 'password') }
    if (await act.run(async () => void (await account.setUp(asked)))) enter()
  }

  return (
    <form
      className="entrance-form"
      data-testid="set-up"
      onSubmit={(event) => {
        event.preventDefault()
        void setUp(event.currentTarget)
      }}
    >
      <h1>{say('account.make-the-first-account')}</h1>
      <p>{say('account.it-looks-after-this-holdfast')}</p>
      <Field label={say('common.name')} name="name" type="text" autoComplete="name" maxLength={80} />
      <Field label={say('common.e-mail')} name="email" type="email" autoComplete="username" maxLength={254} />
      <Field
        label={say('common.password')}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={minPasswordLength}
        maxLength={200}
        hint={say('account.password-hint', { least: minPasswordLength })}
      />
      <Problem words={act.problem} />
      <button type="submit" className="button primary" aria-disabled={act.isBusy || undefined}>
        {act.isBusy ? say('account.making-it') : say('account.make-the-account')}
      </button>
    </form>
  )
}

function NeedsLink() {
  return (
    <div className="entrance-form" data-testid="needs-link">
      <h1>{say('account.nobody-has-an-account-yet')}</h1>
      <p>{say('account.open-the-link-that-the')}</p>
    </div>
  )
}

function Problem({ words }: { readonly words: string | null }) {
  return (
    <p className="entrance-problem" role="alert">
      {words}
    </p>
  )
}
