import type { AccountApi } from '@holdfast/client'
import type { SignIn } from '@holdfast/protocol'
import { say } from '../language/say.ts'
import { useAct } from './use-act.ts'
import { useLoaded } from './use-loaded.ts'

/** Where someone is signed in. */
export function SessionList({ account }: { readonly account: AccountApi }) {
  const { value: sessions, problem, reload } = useLoaded(account.listSessions)
  const ending = useAct()

  async function end({ id }: SignIn): Promise<void> {
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

/** The browser and the system, as far as the browser says. */
function browserName(userAgent: string | null): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent ?? '')?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent ?? '')?.[1]
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  const [known, under] = [browser, system].map((word) => (word === undefined ? undefined : (names[word] ?? word)))
  if (known && under) return say('account.browser-on', { browser: known, system: under })
  return known ?? under ?? (userAgent ?? say('account.unknown-browser')).slice(0, 60)
}
