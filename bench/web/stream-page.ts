import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import type { Benchmark, Figure } from '../lib/measure.ts'
import { longTasksSince, pageNow, taskTimes, withLivePage } from './live-page.ts'
import { BLOCK_KINDS, type BlockKind } from './paced-provider.ts'

/** How fast the model speaks, and how much it says: one block. */
const PACE = { deltasPerSecond: 2_000, characters: 100_000 }

/** What a task may take before the rest of it counts as blocking, in milliseconds. */
const FREE_MS = 50

/** How long the page is kept from answering a person while an answer streams into it. */
export const streamPage: Benchmark = {
  name: 'stream-page',
  about: `processor time of the page's tasks while ${PACE.deltasPerSecond} deltas/s of one block of ${PACE.characters / 1_000} kB stream from the server`,
  run: (report) =>
    withLivePage({ pace: PACE, fill: async () => {} }, async ({ page, url }) => {
      const figures: Figure[] = []
      for (const kind of BLOCK_KINDS) {
        await page.goto(url)
        figures.push(...(await streamed(page, kind, report)))
      }
      return figures
    }),
}

async function streamed(page: Page, kind: BlockKind, report: (line: string) => void): Promise<readonly Figure[]> {
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByLabel('Model').selectOption(`paced/${kind}`)
  const startMs = await pageNow(page)
  const times = await taskTimes(page, async () => {
    await page.getByTestId('composer-input').fill('Speak for long')
    await page.getByTestId('composer-input').press('Enter')
    await page.locator('[data-testid=turn][data-state=completed]').waitFor({ timeout: 120_000 })
  })
  const lastedMs = (await pageNow(page)) - startMs
  const byClock = await longTasksSince(page, startMs)
  report(
    `${kind}: ${(lastedMs / 1_000).toFixed(1)} s; by the clock ${byClock.length} long tasks, longest ${Math.max(0, ...byClock)} ms, blocking ${blockingPercent(byClock, lastedMs).toFixed(2)} %; load ${loadavg()[0]?.toFixed(1)}`,
  )
  return [
    figure(`stream-page ${kind}, longest task`, { value: Math.max(0, ...times), unit: 'ms', limit: 100 }),
    figure(`stream-page ${kind}, total blocking`, { value: blockingPercent(times, lastedMs), unit: '%', limit: 3 }),
  ]
}

function blockingPercent(tasks: readonly number[], lastedMs: number): number {
  return (100 * tasks.reduce((sum, time) => sum + Math.max(0, time - FREE_MS), 0)) / lastedMs
}

function figure(
  name: string,
  { value, unit, limit }: { readonly value: number; readonly unit: string; readonly limit: number },
): Figure {
  return { name, value, unit, baseline: null, ratio: null, goal: `at most ${limit} ${unit}`, met: value <= limit }
}
