import type { Client } from '@holdfast/client'
import { useCallback, useState } from 'react'
import { useAsked, useTold } from '../shared/ask-server.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { type PushState, readPush, startPush, stopPush } from '../shared/notify/push.ts'

const WHY: Readonly<Record<PushState, PlainKey>> = {
  cannot: 'push.cannot',
  'not-here': 'push.not-here',
  off: 'push.why',
  on: 'push.why',
}

/** Whether this browser is told what happens while no page is open. [UI104] */
export function PushSwitch({ client }: { readonly client: Client }) {
  const ask = useCallback(() => readPush(client), [client])
  const [asked, askAgain] = useAsked(ask)
  const [refused, setRefused] = useState(false)
  /** What was pressed, until the browser has done it. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const telling = useTold()
  const state = asked.value ?? 'off'

  async function onSwitch(isOn: boolean): Promise<void> {
    setRefused(false)
    setWanted(isOn)
    await telling.run(async () => {
      try {
        await (isOn ? startPush(client) : stopPush(client))
      } catch (error) {
        // The browser allows none, or reaches no service of its own.
        if (!(error instanceof DOMException)) throw error
        setRefused(true)
      }
    })
    setWanted(null)
    askAgain()
  }

  return (
    <div className="setting-row">
      <div>
        <label className="check">
          <input
            type="checkbox"
            checked={wanted ?? state === 'on'}
            disabled={telling.isBusy || asked.value === null || state === 'cannot' || state === 'not-here'}
            aria-describedby="push-why"
            onChange={({ target }) => void onSwitch(target.checked)}
          />
          {say('push.tell-this-browser')}
        </label>
        <p className="meta" id="push-why">
          {say(WHY[state])}
        </p>
        {(telling.problem ?? asked.problem) !== null && (
          <p className="problem" role="alert">
            {telling.problem ?? asked.problem}
          </p>
        )}
        {refused && (
          <p className="problem" role="alert">
            {say('push.refused')}
          </p>
        )}
      </div>
    </div>
  )
}
