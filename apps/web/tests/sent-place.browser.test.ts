import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { say, untilReplyHas, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'

const scene = liveScene({})

/** Keeps where the newest message stands under the upper edge of the thread, how high the thread is, and what shifted. */
const WATCH = `(() => {
  globalThis.tops = []
  globalThis.heights = []
  globalThis.shifts = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shifts += value
  }).observe({ type: 'layout-shift', buffered: false })
  const look = () => {
    const thread = document.querySelector('.thread')
    const slip = [...document.querySelectorAll('[data-testid=msg-user]')].at(-1)
    tops.push(Math.round(slip.getBoundingClientRect().top - thread.getBoundingClientRect().top))
    heights.push(thread.scrollHeight)
  }
  const watch = () => requestAnimationFrame(() => { setTimeout(look); watch() })
  watch()
})()`

async function ask(page: Page, words: string): Promise<void> {
  const before = await page.getByTestId('turn').count()
  await say(page, words)
  await expect.poll(() => page.getByTestId('turn').count()).toBe(before + 1)
  await untilTurn(page, 'completed')
}

test('[UI12] what is sent stands near the top and stays there, and the reply grows under it', async () => {
  const page = await scene.enter()
  await ask(page, '/demo stream-fast')
  await page.waitForTimeout(600)
  const field = page.getByTestId('composer-input')
  await field.fill('/demo stream-long')
  await page.evaluate(WATCH)
  await field.press('Enter')
  await untilReplyHas(page, 300)
  await page.waitForTimeout(500)
  const tops: number[] = await page.evaluate('tops')
  const sent = tops.slice(tops.findLastIndex((top) => top < 0 || top > 400) + 1)
  expect(sent.length).toBeGreaterThan(20)
  expect(Math.min(...sent)).toBeGreaterThanOrEqual(30)
  expect(Math.max(...sent)).toBeLessThanOrEqual(90)
  expect(Math.max(...sent) - Math.min(...sent)).toBeLessThanOrEqual(2)
  const heights: number[] = await page.evaluate('heights.slice(2)')
  expect(Math.max(...heights) / Math.min(...heights)).toBeLessThan(1.25)
  expect(await page.evaluate('shifts')).toBeLessThan(0.01)
  await page.getByTestId('stop').press('Enter')
  await untilTurn(page, 'stopped')
}, 60_000)

test('[UI12] a switch of branches leaves what is compared where it is', async () => {
  const page = await scene.enter()
  await ask(page, '/demo stream-fast')
  await ask(page, 'Short words')
  for (const [other, state] of [
    ['/demo stream-fast', '2/2'],
    ['Shorter', '3/3'],
  ] as const) {
    await page.getByTestId('msg-user').last().hover()
    await page.getByRole('button', { name: 'Edit message' }).last().click()
    await page.getByLabel('Edited message').fill(other)
    await page.getByRole('button', { name: 'Save and send' }).click()
    await page.locator(`[data-testid=branch][data-state="${state}"]`).waitFor()
    await untilTurn(page, 'completed')
  }
  const branch = page.getByTestId('branch')
  await branch.waitFor()
  const places: number[] = []
  for (const [way, state] of [
    ['Previous', '2/3'],
    ['Previous', '1/3'],
    ['Next', '2/3'],
    ['Next', '3/3'],
  ] as const) {
    await page.waitForTimeout(500)
    await branch.scrollIntoViewIfNeeded()
    const before = (await branch.boundingBox())?.y ?? 0
    await branch.getByRole('button', { name: `${way} branch` }).click()
    await page.locator(`[data-testid=branch][data-state="${state}"]`).waitFor()
    await page.waitForTimeout(800)
    places.push(Math.abs(((await branch.boundingBox())?.y ?? 0) - before))
  }
  expect(places.map((moved) => (moved <= 2 ? 'stays' : moved))).toEqual(['stays', 'stays', 'stays', 'stays'])
}, 90_000)
