import type { Page } from 'playwright-core'
import * as z from 'zod'
import { type Benchmark, type Figure, median } from '../lib/measure.ts'
import { fillData } from './filled-data.ts'
import { taskTimes, withLivePage } from './live-page.ts'
import { createMachineLoad } from './machine-load.ts'

const SIZES = [100, 100_000] as const
const ROUNDS = 5

/** From the click on a row of the list until the end of the conversation is painted. */
export const openPage: Benchmark = {
  name: 'open-page',
  about: `opening a conversation of ${SIZES[1].toLocaleString('en')} messages in the page, beside one of ${SIZES[0]}: from the click until its end is painted`,
  async run(report) {
    const times: number[] = []
    const busy: number[] = []
    const load = createMachineLoad()
    for (const messages of SIZES) {
      const pace = { deltasPerSecond: 100, characters: 100 }
      times.push(
        await withLivePage({ pace, fill: (dataDir) => fillData(dataDir, messages) }, async ({ page, url }) => {
          const rounds: number[] = []
          for (let round = 0; round < ROUNDS; round += 1) {
            await toList(page, url)
            await load.sample(page)
            rounds.push(z.number().parse(await page.evaluate(OPEN)))
          }
          await toList(page, url)
          const tasks = await taskTimes(page, async () => void (await page.evaluate(OPEN)))
          const busyMs = tasks.reduce((sum, time) => sum + time, 0)
          busy.push(busyMs)
          report(
            `${messages} messages: ${rounds.map((time) => time.toFixed(0)).join(', ')} ms; processor time of the page's thread ${busyMs.toFixed(0)} ms`,
          )
          return median(rounds)
        }),
      )
    }
    report(load.words())
    return [figureOf('open-page', times), figureOf('open-page, processor time of the page’s thread', busy)]
  },
}

function figureOf(name: string, [baseline = Number.NaN, value = Number.NaN]: readonly number[]): Figure {
  const goal = 'at most 300 ms'
  return { name, value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= 300 }
}

/** A page that knows only the list: what the tab has read before is forgotten with it. */
async function toList(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByTestId('turn').first().waitFor()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByTestId('turn').first().waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: /^Long/ }).waitFor()
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
