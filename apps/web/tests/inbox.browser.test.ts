import { createPushService, type PushService } from '@holdfast/conformance'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

// Push and what it shows are not in the engine alone.
const scene = liveScene({ workspace: { 'notes.txt': 'A line.' }, browser: 'whole', forLater: true })

let service: PushService

beforeEach(async () => {
  service = await createPushService()
})
afterEach(async () => {
  await service.close()
})

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${scene.holdfast.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${scene.holdfast.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.json()
}

const Inbox = z.object({
  items: z.array(
    z.looseObject({ kind: z.string(), id: z.string(), title: z.string(), conversationId: z.string().nullable() }),
  ),
})
const inbox = async () => Inbox.parse(await call('GET', '/inbox')).items
const kinds = async () => (await inbox()).map(({ kind }) => kind)

async function schedule(name: string, text: string): Promise<string> {
  const wanted = {
    name,
    content: [{ type: 'text', text }],
    rule: { type: 'cron', expression: '0 9 1 1 *' },
    timeZone: 'UTC',
    modelId: 'demo',
  }
  return z.object({ id: z.string() }).parse(await call('POST', '/schedules', wanted)).id
}

/** Runs one now, and waits until it has ended. */
async function ran(scheduleId: string): Promise<void> {
  await call('POST', `/schedules/${scheduleId}/run`)
  await expect
    .poll(async () => (await inbox()).some((item) => item.id.startsWith(`schedule/${scheduleId}/`)), {
      timeout: 60_000,
    })
    .toBe(true)
  await expect
    .poll(async () => JSON.stringify(await call('GET', `/schedules/${scheduleId}`)), { timeout: 60_000 })
    .toContain('"openCount":0')
}

async function begin(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+Shift+O')
  await page.getByTestId('turn').first().waitFor({ state: 'detached' })
  await say(page, text)
}

const rows = (page: Page) => page.getByTestId('inbox-item')
const shown = (page: Page) =>
  rows(page).evaluateAll((items) => items.map((item) => item.getAttribute('data-kind') ?? ''))

test('[UI105, SCHED18] what needs a person is answered in one place, by keys, on a phone and over the API, and what ended is seen there', async () => {
  const page = await scene.enter()
  await say(page, '/demo permission')
  await page.getByTestId('permission-card').first().waitFor()
  await begin(page, '/demo schedule')
  await page.getByTestId('question-card').waitFor()
  await begin(page, '/demo auth-error')
  await untilTurn(page, 'error')
  await page.getByTestId('open-inbox').click()
  await rows(page).first().waitFor()
  await expect.poll(() => shown(page), { timeout: 60_000 }).toContain('permission')
  await ran(await schedule('Bells', '/demo rtl'))
  await ran(await schedule('Broken', '/demo auth-error'))
  await expect.poll(async () => (await shown(page)).toSorted()).toEqual((await kinds()).toSorted())
  const all = await shown(page)
  expect(all.slice(0, 2).toSorted()).toEqual(['permission', 'question'])
  expect(all).toContain('schedule-finished')
  expect(all).toContain('schedule-failed')
  await shots(page, 'inbox')
  await expect.poll(() => axeProblems(page)).toEqual([])

  // On a phone, by keys alone: to the button that allows, and the run goes on.
  await page.setViewportSize({ width: 390, height: 844 })
  const allow = rows(page).getByRole('button', { name: /^Allow once: / })
  await expect.poll(() => allow.isEnabled()).toBe(true)
  const box = await allow.boundingBox()
  expect((box?.x ?? 999) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
  await page.locator('body').press('Tab')
  for (let step = 0; step < 60 && !(await allow.evaluate((one) => one === document.activeElement)); step++)
    await page.keyboard.press('Tab')
  expect(await allow.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => shown(page)).not.toContain('permission')
  await expect.poll(kinds).not.toContain('permission')

  // Over the API the page follows.
  const failed = (await inbox()).find(({ kind }) => kind === 'schedule-failed')
  await call('POST', '/inbox/acknowledge', { ids: [failed?.id] })
  await expect.poll(() => shown(page)).not.toContain('schedule-failed')

  // And by the page the API.
  await rows(page).getByRole('button', { name: 'Seen: Bells' }).click()
  await expect.poll(kinds).not.toContain('schedule-finished')
  expect((await inbox()).filter(({ title }) => title === 'Bells')).toEqual([])
  await rows(page)
    .getByRole('button', { name: /^Answer: / })
    .click()
  await page.getByTestId('question-card').waitFor()
}, 180_000)

test('[UI102, SCHED2] who comes back is told once what ended meanwhile, and what is seen there is seen everywhere', async () => {
  const first = await scene.enter()
  await first.close()
  await ran(await schedule('Bells', '/demo rtl'))
  await ran(await schedule('Broken', '/demo auth-error'))
  await scene.context.addInitScript(`
    if (sessionStorage.getItem('was-away') === null) {
      sessionStorage.setItem('was-away', 'yes')
      localStorage.setItem('holdfast.here-at', String(Date.now() - 3_600_000))
    }
  `)
  const page = await scene.enter()
  const strip = page.getByTestId('away-digest')
  await strip.waitFor()
  expect(await strip.innerText()).toContain('While you were away: 1 finished · 1 failed')
  await shots(page, 'away-digest')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.reload()
  await page.getByTestId('open-inbox').waitFor()
  // What went well is there, and counts not among what needs somebody.
  await expect.poll(() => page.getByTestId('open-inbox').innerText()).toBe('Needs you (1)')
  expect(await strip.count()).toBe(0)

  const again = await scene.openTab(scene.holdfast.url)
  await again.getByTestId('away-digest').getByRole('button', { name: 'All seen' }).click()
  await expect.poll(inbox).toEqual([])
  await again.getByTestId('away-digest').waitFor({ state: 'detached' })
}, 120_000)

test('[UI104, SCHED26] a browser is told by push while no page is open, what it is told leads to the run, and it can be turned off', async () => {
  await scene.configure({ pushServices: [service.url] })
  await scene.startAnew(async () => {})
  await scene.context.grantPermissions(['notifications'])
  const { publicKey } = z.object({ publicKey: z.string() }).parse(await call('GET', '/push-subscriptions'))
  const given = service.subscribe(publicKey)
  // No browser under test reaches the service of its maker: what it would be given is given here.
  await scene.context.addInitScript(`{
    const made = ${JSON.stringify(given)}
    const subscription = {
      toJSON: () => made,
      endpoint: made.endpoint,
      unsubscribe: async () => (localStorage.removeItem('test.subscribed'), true),
    }
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('test.subscribed') ? subscription : null)
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem('test.subscribed', 'yes')
      globalThis.askedBy = applicationServerKey
      return subscription
    }
  }`)
  const page = await scene.enter()
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await page.goto(`${scene.holdfast.url}/settings/notifications`)
  const toggle = page.getByLabel('Tell this browser also while no page is open')
  await expect.poll(() => toggle.isEnabled()).toBe(true)
  expect(await toggle.isChecked()).toBe(false)
  await toggle.click()
  await expect.poll(() => toggle.isChecked()).toBe(true)
  await expect.poll(() => page.evaluate('globalThis.askedBy')).toBe(publicKey)
  await expect.poll(() => call('GET', '/push-subscriptions')).toMatchObject({ browsers: 1 })
  await shots(page, 'settings-push')

  await ran(await schedule('Bells', '/demo rtl'))
  await expect.poll(() => service.messages.length, { timeout: 40_000 }).toBe(1)
  expect(service.refusals).toEqual([])
  const { text = '' } = service.messages[0] ?? {}
  expect(JSON.parse(text)).toMatchObject({ count: 1, items: [{ kind: 'schedule-finished', title: 'Bells' }] })

  // A person who looks at a page is told nothing; one who has none open is.
  const [worker] = scene.context.serviceWorkers()
  const told = () =>
    worker?.evaluate(
      `self.registration.getNotifications().then((all) => all.map(({ title, body, data }) => [title, body, data]))`,
    )
  const devtools = await scene.context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations: [one] }) => one && resolve(one.registrationId),
    )
  })
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registered
  const deliver = (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin: scene.holdfast.url, registrationId, data })
  await deliver(JSON.stringify({ count: 1, items: [{ kind: 'failed', title: 'Looked at', conversationId: 'seen' }] }))
  await page.goto('about:blank')
  await deliver(text)
  const { conversationId } = JSON.parse(text).items[0]
  await expect.poll(told).toEqual([['Bells', 'A schedule ran', `/c/${conversationId}`]])

  await page.goto(`${scene.holdfast.url}/settings/notifications`)
  await expect.poll(() => toggle.isChecked()).toBe(true)
  await toggle.click()
  await expect.poll(() => call('GET', '/push-subscriptions')).toMatchObject({ browsers: 0 })
}, 180_000)

test('[UI103] what schedules brought while nobody looks is one notification, which the next takes the place of', async () => {
  await scene.context.addInitScript(`
    globalThis.shown = []
    globalThis.Notification = class {
      static permission = 'granted'
      constructor(title, { body, tag }) { shown.push([title, body, tag]) }
      close() {}
    }
    localStorage.setItem('holdfast.preferences', JSON.stringify({ notifies: true }))
    globalThis.lookAway = () => {
      Object.defineProperty(document, 'hidden', { get: () => true })
      document.hasFocus = () => false
      document.dispatchEvent(new Event('visibilitychange'))
      dispatchEvent(new Event('blur'))
    }
  `)
  const page = await scene.enter()
  const [bells, whistles] = [await schedule('Bells', '/demo rtl'), await schedule('Whistles', '/demo rtl')]
  await page.getByTestId('open-inbox').waitFor()
  await page.evaluate('lookAway()')
  await Promise.all([ran(bells), ran(whistles)])
  await expect
    .poll(() => page.evaluate('shown.at(-1)'), { timeout: 30_000 })
    .toEqual(['Schedules have 2 news', expect.stringContaining(' · '), 'holdfast.schedules'])
  expect(await page.evaluate('new Set(shown.map(([, , tag]) => tag)).size')).toBe(1)
}, 120_000)
