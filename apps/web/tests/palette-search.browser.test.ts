import { expect, test } from 'vitest'
import { axeProblems } from './support/axe.ts'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { palette } from './support/palette.ts'

const ALLOWED = { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } }
const scene = liveScene({ config: ALLOWED, workspace: {} })

test('[UI1] the palette finds words of messages and changed files, and leads to where they are', async () => {
  const page = await scene.enter()
  await say(page, 'the heron by the weir')
  await untilTurn(page, 'completed')
  await say(page, '/demo edit')
  await untilTurn(page, 'completed')

  await palette(page, '@note')
  const file = page.getByRole('option', { name: /note\.txt/ })
  await file.waitFor()
  await page.keyboard.press('Enter')
  const reply = page.getByTestId('msg-assistant').last()
  await expect.poll(() => reply.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.getByRole('button', { name: 'New conversation' }).click()
  await palette(page, 'heron weir')
  const hit = page.getByRole('option').filter({ has: page.locator('mark') })
  await hit.first().waitFor()
  await expect.poll(() => hit.first().locator('mark').allInnerTexts()).toContain('heron')
  await expect.poll(() => axeProblems(page)).toEqual([])
  const places = await hit.count()
  expect(places).toBeGreaterThan(0)
  await hit.first().click()
  await page.waitForURL(/\?m=\d+/)
  const found = page.getByTestId('turn').filter({ hasText: 'the heron by the weir' }).first()
  await expect.poll(() => found.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await expect.poll(() => page.getByTestId('palette').count()).toBe(0)
}, 60_000)
