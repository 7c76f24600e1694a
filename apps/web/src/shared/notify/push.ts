import type { Client } from '@holdfast/client'
import { PushSubscription as Subscription } from '@holdfast/protocol'
import { BASE_PATH } from '../address.ts'
import { say } from '../language/say.ts'

/** Whether this browser is told what happens while no page is open. */
export type PushState = 'cannot' | 'not-here' | 'off' | 'on'

/** Where the words lie that the service worker says: it has none of its own. */
const WORDS = `holdfast-words${BASE_PATH}`

/** What holds now in this browser. */
export async function readPush(client: Client): Promise<PushState> {
  const registration = await registered()
  if (registration === null) return 'cannot'
  const { publicKey } = await client.pushSubscriptions()
  if (publicKey === null) return 'not-here'
  return (await registration.pushManager.getSubscription()) === null ? 'off' : 'on'
}

/** Has this browser told, at the press of a person. @throws {RequestFailedError} @throws {DOMException} where the browser refuses. */
export async function startPush(client: Client): Promise<void> {
  const registration = await registered()
  const { publicKey } = await client.pushSubscriptions()
  if (registration === null || publicKey === null) return
  await keepWords()
  const before = await registration.pushManager.getSubscription()
  // One that was made for another installation at this address is of no use.
  await before?.unsubscribe()
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = Subscription.parse(subscriptionOf(made))
  try {
    await client.addPushSubscription({ endpoint, keys })
  } catch (error) {
    await made.unsubscribe()
    throw error
  }
}

/** Ends it for this browser. @throws {RequestFailedError} */
export async function stopPush(client: Client): Promise<void> {
  const subscription = await (await registered())?.pushManager.getSubscription()
  if (!subscription) return
  await subscription.unsubscribe()
  await client.removePushSubscription(subscription.endpoint)
}

function subscriptionOf(made: PushSubscription) {
  const { endpoint, keys } = made.toJSON()
  return { endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } }
}

async function registered(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !isSecureContext) return null
  return (await navigator.serviceWorker.getRegistration(`${BASE_PATH}/`)) ?? null
}

/** In the language of the page, as it is now. */
async function keepWords(): Promise<void> {
  const words = {
    permission: say('inbox.permission'),
    question: say('inbox.question'),
    failed: say('inbox.failed'),
    finished: say('inbox.finished'),
    'schedule-failed': say('inbox.schedule-failed'),
    'schedule-finished': say('inbox.schedule-finished'),
    'schedule-stopped': say('inbox.schedule-stopped'),
    'schedule-missed': say('inbox.schedule-missed'),
    'schedule-clock': say('inbox.schedule-clock'),
    'schedule-paused': say('inbox.schedule-paused'),
    untitled: say('inbox.untitled'),
    page: say('inbox.page'),
  }
  const cache = await caches.open(WORDS)
  await cache.put(`${BASE_PATH}/words`, new Response(JSON.stringify(words)))
}
