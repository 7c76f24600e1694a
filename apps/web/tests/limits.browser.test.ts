import { SETTINGS } from '@holdfast/conversation'
import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({
  reply: { parts: [{ type: 'text', text: 'An answer of a few words.' }] },
  // What contradicts is refused.
  forgiven: /status of 422/,
})

test('[UI9, WIN10] settings are found, set, refused together and given back in the page', async () => {
  const page = await scene.enter()
  await page.goto(`${scene.holdfast.url}/settings/limits`)
  const rows = page.getByTestId('limit')
  await expect.poll(() => rows.count()).toBe(Object.keys(SETTINGS).length)
  await shots(page, 'limits')
  await page.getByLabel('Search these settings').fill('summarise at')
  await expect.poll(() => rows.count()).toBe(3)
  const share = page.getByRole('textbox', { name: 'Summarise at', exact: true })
  expect(await share.inputValue()).toBe('75')
  await share.fill('30')
  await share.press('Enter')
  await expect
    .poll(() => page.getByRole('alert').innerText())
    .toMatch(/contradict each other: A summary would leave up to [\d.]+ % of the window but is due at 30\.0 %/)
  await share.fill('60')
  await share.press('Enter')
  await expect.poll(() => rows.first().getAttribute('data-state')).toBe('stored')
  expect(await rows.first().innerText()).toMatch(/usual: 75 percent/)
  await page.getByRole('button', { name: 'Summarise at: usual again' }).click()
  await expect.poll(() => rows.first().getAttribute('data-state')).toBe('default')
})

test('[UI10, UI9] how much a model thinks is chosen beside it and kept, and limits of a conversation stand in its inspector', async () => {
  const page = await scene.enter()
  await say(page, 'Hello')
  await untilTurn(page, 'completed')
  const picker = page.getByTestId('thinking-picker')
  await picker.waitFor()
  await shots(page, 'thinking')
  const inspector = page.getByTestId('inspector')
  if (!(await inspector.isVisible()))
    await page
      .getByRole('button', { name: /inspector/i })
      .first()
      .click()
  const limits = inspector.getByTestId('own-limits')
  await limits.locator('summary').click()
  const steps = limits.getByRole('textbox', { name: 'Steps of a turn' })
  await steps.fill('7')
  await steps.press('Enter')
  await expect.poll(() => limits.locator('summary').innerText()).toMatch(/1$/)
  await shots(page, 'limits-here')
})
