import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

test('[SYNC6] what is written in one tab is in the next one, and what was sent is in none', async () => {
  const page = await scene.enter()
  await say(page, '/demo tools-ok')
  await untilTurn(page, 'completed')
  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith('/composer') && answer.request().method() === 'PUT',
  )
  await page.getByTestId('composer-input').fill('half a thought')
  await kept
  const other = await scene.openTab(page.url())
  const field = other.getByTestId('composer-input')
  await expect.poll(() => field.inputValue()).toBe('half a thought')
  const emptied = other.waitForResponse(
    (answer) => answer.url().endsWith('/composer') && answer.request().method() === 'PUT',
  )
  await field.press('Enter')
  await emptied
  await page.bringToFront()
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await expect.poll(() => page.getByTestId('composer-input').inputValue()).toBe('')
}, 60_000)
