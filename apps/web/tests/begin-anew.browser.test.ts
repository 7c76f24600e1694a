import { expect, test } from 'vitest'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { palette } from './support/palette.ts'

const scene = liveScene({})

test('[LOG12] whoever begins anew is led to the new conversation in every tab, and back by Undo', async () => {
  const first = await scene.enter()
  await say(first, 'words of before')
  await untilTurn(first, 'completed')
  const address = first.url()
  const second = await scene.openTab(address)
  await untilTurn(second, 'completed')

  await palette(first, 'begin anew')
  await first.keyboard.press('Enter')
  await first.waitForURL((url) => url.href !== address)
  await second.waitForURL(first.url())
  for (const tab of [first, second]) await expect.poll(() => tab.getByTestId('turn').count()).toBe(0)

  const third = await scene.openTab(address)
  await untilTurn(third, 'completed')
  await third.getByTestId('accounting-line').filter({ hasText: 'Begun anew' }).waitFor()
  expect(third.url()).toBe(address)

  await first.getByTestId('toast').getByRole('button', { name: 'Undo' }).click()
  await first.waitForURL(address)
  await untilTurn(first, 'completed')
  await expect.poll(() => first.getByTestId('conv-row').filter({ hasText: 'words of before' }).count()).toBe(1)
}, 60_000)
