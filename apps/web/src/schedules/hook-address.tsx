import type { Client } from '@holdfast/client'
import type { ScheduleRow } from '@holdfast/protocol'
import { useState } from 'react'
import { BASE_PATH } from '../shared/address.ts'
import { useTold } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'

/** Where a schedule is called from outside. Its secret is shown once, when it is made. [UI100] */
export function HookAddress({ client, row }: { readonly client: Client; readonly row: ScheduleRow }) {
  const [secret, setSecret] = useState<string | null>(null)
  const [isSure, setSure] = useState(false)
  const telling = useTold()
  const { hookPath } = row

  async function renew(): Promise<void> {
    setSure(false)
    await telling.run(async () => setSecret((await client.renewScheduleSecret(row.id)).secret))
  }

  const word =
    hookPath === null ? 'schedules.hook-make' : isSure ? 'schedules.hook-renew-really' : 'schedules.hook-renew'
  return (
    <div className="schedule-wide schedule-hook" data-testid="schedule-hook">
      {hookPath === null ? (
        <p className="meta">{say('schedules.hook-none')}</p>
      ) : (
        <p>
          <span className="meta">{say('schedules.hook-at')}</span>{' '}
          <code dir="ltr">{`${window.location.origin}${BASE_PATH}${hookPath}`}</code>
        </p>
      )}
      {secret !== null && (
        <>
          <p>
            <span className="meta">{say('schedules.hook-secret')}</span>{' '}
            <code dir="ltr" data-testid="hook-secret">
              {secret}
            </code>{' '}
            <button type="button" className="link-button" onClick={() => void navigator.clipboard.writeText(secret)}>
              {say('schedules.hook-copy')}
            </button>
          </p>
          <p className="meta">{say('schedules.hook-how')}</p>
        </>
      )}
      {telling.problem !== null && (
        <p className="problem" role="alert">
          {telling.problem}
        </p>
      )}
      <button
        type="button"
        className={hookPath === null ? 'button' : 'link-button'}
        disabled={telling.isBusy}
        onClick={() => (hookPath === null || isSure ? void renew() : setSure(true))}
      >
        {say(word)}
      </button>
    </div>
  )
}
