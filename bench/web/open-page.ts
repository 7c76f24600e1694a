import type { Page } from 'playwright-core'
import * as z from 'zod'
import { type Benchmark, median } from '../lib/measure.ts'
import { fillData } from './filled-data.ts'
import { withLivePage } from './live-page.ts'

const SIZES = [100, 100_000] as const
const ROUNDS = 5

/** From the click on a row of the list until the end of the conversation is painted. */
export const openPage: Benchmark = {
  name: 'open-page',
  about: `opening a conversation of ${SIZES[1].toLocaleString('en')} messages in the page, beside one of ${SIZES[0]}: from the click until its end is painted`,
  async run() {
    const times: number[] = []
    for (const messages of SIZES) {
      const pace = { deltasPerSecond: 100, characters: 100 }
      times.push(
        await withLivePage({ pace, fill: (dataDir) => fillData(dataDir, messages) }, async ({ page, url }) => {
          const rounds: number[] = []
          for (let round = 0; round < ROUNDS; round += 1) rounds.push(await opened(page, url))
          return median(rounds)
        }),
      )
    }
    const [baseline = Number.NaN, value = Number.NaN] = times
    const goal = 'at most 300 ms'
    return [{ name: 'open-page', value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= 300 }]
  },
}

async function opened(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.getByTestId('turn').first().waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByTestId('turn').first().waitFor({ state: 'detached' })
  // What the tab has read before is forgotten with it: it opens on a page that knows only the list.
  await page.reload()
  await page.getByRole('link', { name: /^Long/ }).waitFor()
  return z.number().parse(await page.evaluate(OPEN))
}

const OPEN = `new Promise((resolve) => {
  const startedAt = performance.now()
  document.querySelector('[data-testid=conv-row]').click()
  function look() {
    const thread = document.querySelector('[role=log]')
    const last = [...document.querySelectorAll('[data-testid=msg-assistant]')].at(-1)
    const isAtEnd = thread && last && last.getBoundingClientRect().top < thread.getBoundingClientRect().bottom
      && thread.scrollHeight - thread.clientHeight - thread.scrollTop < 2
    if (!isAtEnd) return requestAnimationFrame(look)
    // A message is delivered after the frame has been painted.
    const channel = new MessageChannel()
    channel.port1.onmessage = () => resolve(performance.now() - startedAt)
    requestAnimationFrame(() => channel.port2.postMessage(null))
  }
  requestAnimationFrame(look)
})`
