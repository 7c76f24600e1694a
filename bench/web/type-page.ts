import type { Page } from 'playwright-core'
import * as z from 'zod'
import { type Benchmark, quantile } from '../lib/measure.ts'
import { fillData } from './filled-data.ts'
import { withLivePage } from './live-page.ts'
import { createMachineLoad } from './machine-load.ts'

const MESSAGES = 1_000
const KEYS = 100
const PACE = { deltasPerSecond: 2_000, characters: 400_000 }

/** From a key until what it wrote is painted, in a long conversation, at rest and while an answer streams into it. */
export const typePage: Benchmark = {
  name: 'type-page',
  about: `typing with ${MESSAGES.toLocaleString('en')} messages in the page while ${PACE.deltasPerSecond.toLocaleString('en')} deltas/s stream, beside typing at rest: from the key to the paint, p95`,
  run: (report) =>
    withLivePage({ pace: PACE, fill: (dataDir) => fillData(dataDir, MESSAGES) }, async ({ page }) => {
      await page.getByTestId('turn').first().waitFor()
      await loadAll(page)
      const load = createMachineLoad()
      await load.sample(page)
      const baseline = quantile(await typed(page), 0.95)
      await page.getByLabel('Model').selectOption('paced/paragraph')
      await page.getByTestId('composer-input').fill('Speak for long')
      await page.getByTestId('composer-input').press('Enter')
      await page.locator('[data-testid=turn][data-state=streaming]').waitFor()
      const times = await typed(page)
      await load.sample(page)
      const value = quantile(times, 0.95)
      report(
        `median ${quantile(times, 0.5)} ms, longest ${Math.max(...times)} ms, ${times.length} keys; ${load.words()}`,
      )
      const goal = 'at most 50 ms'
      return [{ name: 'type-page', value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= 50 }]
    }),
}

/** Goes up until the first message is here, and back to the end. */
async function loadAll(page: Page): Promise<void> {
  const thread = page.getByRole('log')
  await thread.hover()
  while (!(await page.evaluate(IS_AT_START))) await page.waitForTimeout(500)
  await page.mouse.wheel(0, -100)
  await page.getByTestId('jump-latest').click()
}

/** Goes to the top: what is before it is read, until there is nothing before it. */
const IS_AT_START = `(() => {
  const thread = document.querySelector('[role=log]')
  thread.scrollTop = 0
  return document.querySelector('[data-testid=older-pages]') === null && thread.scrollHeight > 0
})()`

/** The browser's own times of each key, from the press to the next paint, rounded by it to 8 ms; one under 16 ms counts as 16. */
async function typed(page: Page): Promise<readonly number[]> {
  await page.getByTestId('composer-input').focus()
  await page.evaluate(WATCH_KEYS)
  for (let key = 0; key < KEYS; key += 1) await page.keyboard.press('a', { delay: 20 })
  // The browser tells of a key when its frame has been drawn.
  await page.waitForTimeout(1_000)
  const told = z.array(z.number()).parse(await page.evaluate('keyTimes'))
  const atOnce = Array.from({ length: Math.max(0, KEYS - told.length) }, () => SHORTEST_TOLD_MS)
  return [...told, ...atOnce]
}

/** Shorter ones the browser does not tell, in milliseconds. */
const SHORTEST_TOLD_MS = 16

const WATCH_KEYS = `
  globalThis.keyTimes = []
  globalThis.keyObserver ??= (() => {
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyTimes.push(duration)
    })
    observer.observe({ type: 'event', durationThreshold: ${SHORTEST_TOLD_MS} })
    return observer
  })()
`
