import type { Client } from '@holdfast/client'
import { useState } from 'react'
import { type PlainKey, say } from '../shared/language/say.ts'
import { NOTIFY_KINDS, type NotifyKind } from '../shared/notify/happenings.ts'
import { allowNotifications, canNotify } from '../shared/notify/notify.ts'
import { choose, usePreference } from '../shared/preferences/preferences.ts'
import { PushSwitch } from './push-switch.tsx'

const NAMES: Readonly<Record<NotifyKind, { readonly name: PlainKey; readonly why: PlainKey }>> = {
  'needs-you': { name: 'notify.of-needs-you', why: 'notify.of-needs-you-why' },
  finished: { name: 'notify.of-finished', why: 'notify.of-finished-why' },
  failed: { name: 'notify.of-failed', why: 'notify.of-failed-why' },
  schedules: { name: 'notify.of-schedules', why: 'notify.of-schedules-why' },
}

/** Of what the browser tells while nobody looks at the page. [UI26] */
export function NotificationsPage({ client }: { readonly client: Client }) {
  const notifies = usePreference('notifies')
  const kinds = usePreference('notifyKinds')
  const [permission, setPermission] = useState(() => (canNotify() ? Notification.permission : 'denied'))
  const isOn = notifies && permission === 'granted'

  async function onSwitch(wanted: boolean): Promise<void> {
    if (!wanted) return choose({ notifies: false })
    await allowNotifications()
    setPermission(Notification.permission)
  }

  return (
    <section aria-label={say('notify.notifications')}>
      <div className="setting-row">
        <div>
          <label className="check">
            <input
              type="checkbox"
              checked={isOn}
              disabled={permission === 'denied'}
              aria-describedby="notify-why"
              onChange={({ target }) => void onSwitch(target.checked)}
            />
            {say('notify.tell-me-while')}
          </label>
          <p className="meta" id="notify-why">
            {say(whyOf(permission))}
          </p>
        </div>
      </div>
      {NOTIFY_KINDS.map((kind) => (
        <div className="setting-row" key={kind}>
          <div>
            <label className="check">
              <input
                type="checkbox"
                checked={kinds.includes(kind)}
                disabled={!isOn}
                aria-describedby={`notify-${kind}-why`}
                onChange={({ target }) =>
                  choose({
                    notifyKinds: NOTIFY_KINDS.filter((one) => (one === kind ? target.checked : kinds.includes(one))),
                  })
                }
              />
              {say(NAMES[kind].name)}
            </label>
            <p className="meta" id={`notify-${kind}-why`}>
              {say(NAMES[kind].why)}
            </p>
          </div>
        </div>
      ))}
      <p className="meta setting-note">{say('notify.always')}</p>
      <PushSwitch client={client} />
    </section>
  )
}

function whyOf(permission: NotificationPermission): PlainKey {
  if (!canNotify()) return 'notify.cannot'
  return permission === 'denied' ? 'notify.the-browser-allows-none' : 'notify.the-browser-asks'
}
