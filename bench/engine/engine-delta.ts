import { type Benchmark, type Figure, median } from '../lib/measure.ts'
import { type ContenderChild, type OrderCost, startContender } from './contender-child.ts'
import type { ContenderName, ContenderOrder } from './contender-messages.ts'
import { startProvider } from './provider-child.ts'

/** As fast as they come. */
const FAST: ContenderOrder = { turns: 1, deltas: 20_000, deltasPerSecond: null }
/** Many conversations at the rate of a quick model. */
const PACED: ContenderOrder = { turns: 100, deltas: 250, deltasPerSecond: 50 }

/** Rounds that are measured, after one that is not. */
const FAST_ROUNDS = 5
const PACED_ROUNDS = 3

/** What a delta costs from the provider's bytes to the store, beside the AI SDK. */
export const engineDelta: Benchmark = {
  name: 'engine-delta',
  about:
    'processor time per delta of the engine with its SQLite store, beside the AI SDK with its UI stream and one save at the end; each in a process of its own, in turns',
  async run(report) {
    const provider = await startProvider('deltas', 1)
    const engine = await startContender('engine', provider.url)
    const ai = await startContender('ai', provider.url)
    const bare = await startContender('bare', provider.url)
    try {
      const fast = await inTurns(FAST_ROUNDS, { engine, ai, bare, order: FAST })
      report(
        `${FAST.deltas} deltas as fast as they come: engine ${inWords(fast.engine)}; ai ${inWords(fast.ai)}; bare client ${inWords(fast.bare)}`,
      )
      const paced = await inTurns(PACED_ROUNDS, { engine, ai, bare, order: PACED })
      report(
        `${PACED.turns} conversations at ${PACED.deltasPerSecond} deltas/s: engine ${inWords(paced.engine)}; ai ${inWords(paced.ai)}; bare client ${inWords(paced.bare)}`,
      )
      return [
        figure(fast, {
          name: 'engine-delta: as fast as they come',
          goal: 'at most half of ai',
          isMet: ({ ratio }) => ratio <= 0.5,
        }),
        figure(paced, {
          name: 'engine-delta: 100 conversations at 50/s',
          goal: 'at most 50 us',
          isMet: ({ value }) => value <= 50,
        }),
      ]
    } finally {
      await Promise.all([engine.close(), ai.close(), bare.close()])
      await provider.close()
    }
  },
}

interface Costs {
  readonly engine: readonly OrderCost[]
  readonly ai: readonly OrderCost[]
  /** What a client that only counts pays: it is told, and nothing is judged by it. */
  readonly bare: readonly OrderCost[]
}

async function inTurns(
  rounds: number,
  { engine, ai, bare, order }: Readonly<Record<ContenderName, ContenderChild>> & { readonly order: ContenderOrder },
): Promise<Costs> {
  await engine.carryOut(order)
  await ai.carryOut(order)
  await bare.carryOut(order)
  const costs: { engine: OrderCost[]; ai: OrderCost[]; bare: OrderCost[] } = { engine: [], ai: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    costs.engine.push(await engine.carryOut(order))
    costs.ai.push(await ai.carryOut(order))
    costs.bare.push(await bare.carryOut(order))
  }
  return costs
}

interface Judged {
  readonly name: string
  readonly goal: string
  readonly isMet: (figures: { readonly value: number; readonly ratio: number }) => boolean
}

function figure({ engine, ai }: Costs, { name, goal, isMet }: Judged): Figure {
  const value = median(engine.map(({ cpuUsPerDelta }) => cpuUsPerDelta))
  const baseline = median(ai.map(({ cpuUsPerDelta }) => cpuUsPerDelta))
  const pairs = engine.map(({ cpuUsPerDelta }, round) => cpuUsPerDelta / (ai[round]?.cpuUsPerDelta ?? Number.NaN))
  const ratio = median(pairs)
  return { name, value, unit: 'us of processor time per delta', baseline, ratio, goal, met: isMet({ value, ratio }) }
}

function inWords(costs: readonly OrderCost[]): string {
  const figures = costs.map(({ cpuUsPerDelta }) => cpuUsPerDelta.toFixed(1)).join(', ')
  return `${figures} us (${median(costs.map(({ elapsedMs }) => elapsedMs)).toFixed(0)} ms a round)`
}
