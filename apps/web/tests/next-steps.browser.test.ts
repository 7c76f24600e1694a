import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({})

test('[UI16] a refused key leads to another provider or another model', async () => {
  const page = await scene.enter()
  await say(page, '/demo auth-error')
  await untilTurn(page, 'error')
  const card = page.getByTestId('error-card')
  await shots(page, 'error-auth')
  await card.getByRole('button', { name: 'Choose a model' }).click()
  const picker = page.getByTestId('model-picker')
  await expect.poll(() => picker.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Connect another' }).click()
  await page.locator('[data-testid=settings][data-state=models]').waitFor()
}, 60_000)

test('[UI16] a request that is too long is one card, with what makes room', async () => {
  const page = await scene.enter()
  await say(page, 'Words to summarise')
  await untilTurn(page, 'completed')
  await say(page, '/demo too-long')
  await untilTurn(page, 'limit')
  const card = page.getByTestId('error-card')
  expect(await card.count()).toBe(1)
  expect(await page.getByTestId('end-caption').count()).toBe(0)
  await expect.poll(() => card.getByRole('button', { name: 'Choose a larger window' }).count()).toBe(1)
  await shots(page, 'error-long')
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/checkpoint'))
  await card.getByRole('button', { name: 'Summarise' }).click()
  const answer = await (await asked).response()
  // What is left may be too little for another summary: then the card says so.
  if (answer?.status() !== 202) await card.getByRole('alert').waitFor()
  await card.getByRole('button', { name: 'Send without tools' }).click()
  await page.locator('[data-testid=branch][data-state="2/2"]').waitFor()
  await untilTurn(page, 'limit')
  await expect
    .poll(() => page.getByTestId('error-card').getByRole('button').allInnerTexts())
    .not.toContain('Send without tools')
}, 60_000)
