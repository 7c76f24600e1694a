import type { AccountApi, SignInState } from '@holdfast/client'
import { BASE_PATH } from '../base-path.ts'
import { Icon } from '../icons.tsx'
import { Field, typed } from './field.tsx'
import { useAct } from './use-act.ts'

/** Where people sign in, or the first one makes an account. */
export function Entrance({ account, state }: { readonly account: AccountApi; readonly state: SignInState }) {
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
  const act = useAct()

  async function signIn(form: HTMLFormElement): Promise<void> {
    const rememberMe = new FormData(form).has('remember')
    const asked = { email: typed(form, 'email').trim(), password: typed(form, 'password'), rememberMe }
    if (await act.run(async () => void (await account.signIn(asked)))) enter()
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
      <h1>Sign in</h1>
      <Field label="E-mail" name="email" type="email" autoComplete="username" maxLength={254} />
      <Field label="Password" name="password" type="password" autoComplete="current-password" maxLength={200} />
      <label className="check">
        <input type="checkbox" name="remember" defaultChecked />
        Stay signed in on this browser
      </label>
      <Problem words={act.problem} />
      <button type="submit" className="button primary" aria-disabled={act.isBusy || undefined}>
        {act.isBusy ? 'Signing in…' : 'Sign in'}
      </button>
      <p className="field-hint">Forgotten? An admin gives you another password, or: holdfast user reset-password</p>
    </form>
  )
}

function SetUpForm(props: {
  readonly account: AccountApi
  readonly token: string
  readonly minPasswordLength: number
}) {
  const { account, token, minPasswordLength } = props
  const act = useAct()

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
      <h1>Make the first account</h1>
      <p>It looks after this Holdfast: it can add people and providers. What was written here before belongs to it.</p>
      <Field label="Name" name="name" type="text" autoComplete="name" maxLength={80} />
      <Field label="E-mail" name="email" type="email" autoComplete="username" maxLength={254} />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={minPasswordLength}
        maxLength={200}
        hint={`At least ${minPasswordLength} characters. Several words are easier to remember than signs.`}
      />
      <Problem words={act.problem} />
      <button type="submit" className="button primary" aria-disabled={act.isBusy || undefined}>
        {act.isBusy ? 'Making it…' : 'Make the account'}
      </button>
    </form>
  )
}

function NeedsLink() {
  return (
    <div className="entrance-form" data-testid="needs-link">
      <h1>Nobody has an account yet</h1>
      <p>Open the link that the terminal showed when Holdfast started. It makes the first account.</p>
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
