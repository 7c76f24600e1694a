import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ workspace: { 'notes.txt': 'A line.' } })

/** What a browser does that is looked at or not, as far as a test has to say so; what it would show is written down. */
const AWAY = `
  let away = false
  let skippedMs = 0
  const now = Date.now.bind(Date)
  Date.now = () => now() + skippedMs
  Object.defineProperty(document, 'hidden', { get: () => away })
  Object.defineProperty(document, 'visibilityState', { get: () => (away ? 'hidden' : 'visible') })
  document.hasFocus = () => !away
  globalThis.shown = []
  globalThis.Notification = class {
    static permission = 'default'
    static async requestPermission() { return (this.permission = 'granted') }
    constructor(title, options) { shown.push([title, options.body, options.silent]); globalThis.last = this }
    close() {}
  }
  globalThis.lookAway = (is, ms) => { away = is; skippedMs += ms; document.dispatchEvent(new Event('visibilitychange')) }
`

async function lookAway(page: Page, isAway: boolean, ms: number): Promise<void> {
  await page.evaluate(`lookAway(${isAway}, ${ms})`)
}

test('[UI26] who looks elsewhere is told in the tab, is offered more once, and then is told by the browser what needs them', async () => {
  await scene.context.addInitScript(AWAY)
  const page = await scene.enter()
  await say(page, '/demo stream-slow')
  await untilTurn(page, 'streaming')
  await lookAway(page, true, 0)
  const icon = page.locator('link[rel="icon"]')
  const plain = await icon.getAttribute('href')
  await page.keyboard.press('Control+.')
  await untilTurn(page, 'stopped')
  await expect.poll(() => page.title()).toMatch(/^✓ /)
  expect(await icon.getAttribute('href')).not.toBe(plain)
  expect(await page.getByTestId('notify-offer').count()).toBe(0)
  await lookAway(page, false, 30_000)
  await expect.poll(() => page.title()).not.toMatch(/^✓ /)
  const offer = page.getByTestId('notify-offer')
  await shots(page, 'notify-offer')
  await offer.getByRole('button', { name: 'Tell me' }).click()
  await offer.waitFor({ state: 'detached' })
  await say(page, '/demo permission')
  await lookAway(page, true, 0)
  await expect.poll(() => page.evaluate('shown')).toEqual([[expect.any(String), 'Needs you', true]])
  await page.evaluate(
    "history.pushState({}, '', '/settings/notifications'); dispatchEvent(new PopStateEvent('popstate'))",
  )
  await page.getByTestId('settings').waitFor()
  await page.evaluate('last.onclick()')
  await page.getByTestId('permission-card').first().waitFor()
}, 60_000)

test('[UI26] the settings say of what one is told, and a page that is looked at tells nothing', async () => {
  await scene.context.addInitScript(AWAY)
  const page = await scene.enter()
  await page.keyboard.press('Control+,')
  await page.getByPlaceholder('Search settings').fill('notif')
  await page.getByRole('link', { name: 'Notifications' }).click()
  const kind = page.getByLabel('A conversation needs you')
  expect(await kind.isDisabled()).toBe(true)
  await page.getByLabel('Tell me what happens while I look elsewhere').check()
  await expect.poll(() => kind.isDisabled()).toBe(false)
  await expect.poll(() => axeProblems(page)).toEqual([])
  await shots(page, 'settings-notifications')
  await page.goBack()
  await say(page, '/demo permission')
  await page.getByTestId('permission-card').first().waitFor()
  expect(await page.evaluate('shown')).toEqual([])
}, 60_000)
