import type { CDPSession, Page } from 'playwright-core'
import * as z from 'zod'
import type { Benchmark, Figure } from '../lib/measure.ts'
import { withLivePage } from './live-page.ts'
import { BLOCK_KINDS } from './paced-provider.ts'

/** How fast a model usually speaks, in deltas a second, and for how long it is listened to. */
const USUAL = { deltasPerSecond: 50, minutes: 20 }

/** A delta of the model here, in UTF-16 code units. */
const DELTA_LENGTH = 6

const TURNS = 20

/** As many deltas as that time would bring, in that many turns, as fast as the page is made to take them. */
const DELTAS_A_TURN = (USUAL.deltasPerSecond * USUAL.minutes * 60) / TURNS
const PACE = { deltasPerSecond: 2_000, characters: DELTAS_A_TURN * DELTA_LENGTH }

/** The first turns fill caches and compile code; the slope is taken over the rest. */
const WARM_UP_TURNS = 4

/** 50 MB an hour, for the time that is played. */
const LIMIT_MIB = (50_000_000 * USUAL.minutes) / 60 / 2 ** 20

/** What is alive in the page after its garbage was collected. */
interface Alive {
  readonly heapMib: number
  readonly nodes: number
  readonly listeners: number
}

/** Whether a page that is streamed into for long holds more than what was said. */
export const memoryPage: Benchmark = {
  name: 'memory-page',
  about: `heap of the page after a collection, over as many deltas as ${USUAL.minutes} minutes at ${USUAL.deltasPerSecond}/s bring, in ${TURNS} turns of one conversation that take each kind of block in turn`,
  run: (report) =>
    withLivePage({ pace: PACE, fill: async () => {} }, async ({ page }) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      const alive: Alive[] = []
      for (let turn = 0; turn < TURNS; turn += 1) {
        await streamTurn(page, turn)
        alive.push(await readAlive(session))
      }
      report(alive.map(({ heapMib }) => heapMib.toFixed(1)).join(', '))
      const [last] = alive.slice(-1)
      report(`in the end ${last?.nodes} nodes and ${last?.listeners} listeners are alive`)
      const saidMib = (TURNS * PACE.characters) / 2 ** 20
      const perTurn = slopeOf(alive.slice(WARM_UP_TURNS).map(({ heapMib }) => heapMib))
      return [figureOf(perTurn * TURNS, saidMib)]
    }),
}

async function streamTurn(page: Page, turn: number): Promise<void> {
  const kind = BLOCK_KINDS[turn % BLOCK_KINDS.length]
  await page.getByLabel('Model').selectOption(`paced/${kind}`)
  await page.getByTestId('composer-input').fill('Speak for long')
  await page.getByTestId('composer-input').press('Enter')
  const done = page.locator('[data-testid=turn][data-state=completed]')
  await done.nth(turn).waitFor({ timeout: 120_000, state: 'attached' })
}

const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })

async function readAlive(session: CDPSession): Promise<Alive> {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = Metrics.parse(await session.send('Performance.getMetrics'))
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return {
    heapMib: metric('JSHeapUsedSize') / 2 ** 20,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
  }
}

/** By least squares: how much a value grows from one to the next. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const over = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  return over / values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
}

function figureOf(value: number, baseline: number): Figure {
  return {
    name: 'memory-page',
    value,
    unit: 'MiB',
    baseline,
    ratio: value / baseline,
    goal: `at most ${LIMIT_MIB.toFixed(0)} MiB, 50 MB an hour`,
    met: value <= LIMIT_MIB,
  }
}
