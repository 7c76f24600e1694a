import { say } from '../shared/language/say.ts'
import { allowNotifications, declineNotifications, useMissed } from '../shared/notify/notify.ts'

/** Offers to tell, once, to who was away while something happened. */
export function NotifyOffer() {
  if (!useMissed().isOffered) return null
  return (
    <section className="strip" aria-label={say('notify.notifications')} data-testid="notify-offer">
      <div>
        <p>{say('notify.while-you-were-away')}</p>
        <span className="setting-acts">
          <button type="button" className="button small" onClick={() => void allowNotifications()}>
            {say('notify.tell-me')}
          </button>
          <button type="button" className="link-button" onClick={declineNotifications}>
            {say('notify.not-now')}
          </button>
        </span>
      </div>
    </section>
  )
}
