import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene()

test('[UI8] a language is chosen in the settings and holds at once in every tab, without moving the focus', async () => {
  const page = await scene.enter()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  await page.keyboard.press('Control+,')
  await page.getByTestId('settings').waitFor()
  const other = await scene.openTab(scene.holdfast.url)
  await page.getByLabel('Language').focus()
  await page.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('setting-language')
  await expect.poll(() => other.locator('html').getAttribute('lang')).toBe('de')
  await expect.poll(() => axeProblems(page)).toEqual([])
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
  await page.getByLabel('Sprache').selectOption('browser')
  await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
  await expect.poll(() => other.locator('html').getAttribute('lang')).toBe('en')
})

test('[UI8] the browser chooses the language where nobody else did', async () => {
  const context = await scene.browser.newContext({ locale: 'de-AT' })
  try {
    const page = await context.newPage()
    await page.goto(`${scene.holdfast.url}/?token=${scene.holdfast.token}`)
    await page.getByTestId('composer-input').waitFor()
    await page.goto(`${scene.holdfast.url}/settings/appearance`)
    await page.getByRole('heading', { level: 1, name: 'Darstellung' }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  } finally {
    await context.close()
  }
})
