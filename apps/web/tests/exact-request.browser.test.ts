import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { shots } from './support/shots.ts'

const scene = liveScene({ reply: { parts: [{ type: 'text', text: 'All is well.' }] } })

test('[UI24] the exact request is the body that the provider gets, with the words in the field', async () => {
  const page = await scene.enter()
  await say(page, 'How are you?')
  await untilTurn(page, 'completed')
  await page.keyboard.press('Control+j')
  const section = page.getByTestId('inspector-request')
  await section.getByRole('button', { name: 'Show the exact request' }).click()
  await section.getByTestId('wire-body').locator('summary').click()
  await page.getByTestId('composer-input').fill('And the others?')
  const shown = section.getByTestId('wire-body').locator('pre')
  await expect.poll(() => shown.textContent()).toContain('And the others?')
  const told: unknown = JSON.parse((await shown.textContent()) ?? '')
  await section.getByTestId('wire-body').scrollIntoViewIfNeeded()
  await shots(page, 'exact-request')
  const before = scene.provider.requests.length
  await page.getByTestId('composer-input').press('Enter')
  await expect.poll(() => page.getByTestId('turn').count()).toBe(2)
  await untilTurn(page, 'completed')
  const sent = scene.provider.requests.slice(before).map(({ rawBody }) => Buffer.from(rawBody).toString())
  expect(
    sent.filter((body) => body.includes('And the others?')).map((body): unknown => JSON.parse(body)),
  ).toContainEqual(told)
}, 60_000)
