import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, say, thriftyContext, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({ forLater: true })

test('[UI6] the page opens while its server is away, and holds nothing of anybody', async () => {
  const page = await scene.enter()
  await say(page, 'words that are nobody else’s')
  await untilTurn(page, 'completed')
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  await page.reload()
  await page.getByTestId('turn').first().waitFor()
  const kept = await page.evaluate(`(async () => {
    const shell = await caches.open('holdfast-shell-1')
    return (await shell.keys()).map(({ url }) => new URL(url).pathname)
  })()`)
  expect(kept).toContain('/')
  expect(JSON.stringify(kept)).not.toContain('/api/')
  await scene.restart(async () => {
    await page.goto(`${scene.holdfast.url}/`)
    await page.getByText('holdfast', { exact: true }).waitFor()
    await page
      .getByText(/Reconnecting|Can’t reach/)
      .first()
      .waitFor()
  })
  await page
    .getByRole('button', { name: 'Now' })
    .click()
    .catch(() => null)
  await page.getByTestId('turn').first().waitFor()
}, 60_000)

/** How many scripts of its own the page has asked for. */
function scriptCount(page: Page): Promise<unknown> {
  return page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length`)
}

test('[UI125] parts that nobody has opened are read once the page is live, and by a browser that saves data when they are opened', async () => {
  const thrifty = await thriftyContext(scene.browser, {})
  const saving = (await openPage(thrifty, `${scene.holdfast.url}/?token=${scene.holdfast.token}`)).page
  await saving.getByTestId('composer-input').waitFor()
  // It has been live for longer than the one that reads ahead.
  const page = await scene.enter()
  await expect.poll(() => scriptCount(page)).toBeGreaterThan(60)
  expect(await scriptCount(saving)).toBeLessThan(30)
  await saving.keyboard.press('Control+,')
  await saving.getByTestId('settings').waitFor()
  await thrifty.close()
})
