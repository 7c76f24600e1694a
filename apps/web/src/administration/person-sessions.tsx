import type { Client } from '@holdfast/client'
import { useCallback } from 'react'
import { browserName } from '../account/browser-name.ts'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'

interface PersonSessionsProps {
  readonly client: Client
  readonly userId: string
  readonly onEnded: () => void
}

/** Where somebody is signed in; each of these can be ended. */
export function PersonSessions({ client, userId, onEnded }: PersonSessionsProps) {
  const ask = useCallback(() => client.listSessionsOf(userId), [client, userId])
  const [{ value: sessions, problem }, reload] = useAsked(ask)
  const ending = useTold()

  async function end(sessionId: string): Promise<void> {
    await ending.run(() => client.endSessionOf(userId, sessionId))
    reload()
    onEnded()
  }

  return (
    <>
      {(problem ?? ending.problem) !== null && <p role="alert">{problem ?? ending.problem}</p>}
      <ul className="account-list">
        {sessions?.map(({ id, browser, address, createdAt, isCurrent }) => (
          <li key={id}>
            <div>
              {browserName(browser)}
              <p className="meta">
                {say('account.address-since', { address: address ?? say('account.unknown-address'), since: createdAt })}
              </p>
            </div>
            {isCurrent ? (
              <span className="meta">{say('account.this-browser')}</span>
            ) : (
              <button type="button" className="link-button" onClick={() => void end(id)}>
                {say('account.end')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
