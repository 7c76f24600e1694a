import { createSeededRandom } from '@holdfast/conformance'
import { systemClock } from '@holdfast/engine/system'
import type { ProcessRegister } from '@holdfast/tool/process'
import { until } from '../../tests/states/until.ts'
import { createWorkshopTools } from '../../tests/states/workshop-tools.ts'
import { type Benchmark, type Figure, quantile } from '../lib/measure.ts'
import { inTemporaryFolder } from '../lib/stores.ts'
import { bareClose } from './bare-close.ts'
import { modelAt, openEngine } from './open-engine.ts'
import { startProvider } from './provider-child.ts'
import { type StoppedMoment, stopMoment } from './stop-moment.ts'

const MOMENTS = process.env['HOLDFAST_FULL'] === undefined ? 100 : 2_000
const SEED = Number(process.env['HOLDFAST_SEED'] ?? 1)
/** Turns at a time. */
const AT_ONCE = 4
/** A turn takes about so long where no tool waits to be stopped. */
const LATEST_MS = 1_500
/** A bare client closes a connection beside every so many moments, within so long of its headers. */
const BARE_EVERY = 2
const BARE_LATEST_MS = 100

/** Stop at random moments of real turns: what the provider and the processes saw of it. */
export const stop: Benchmark = {
  name: 'stop',
  about: `${MOMENTS.toLocaleString('en')} stops at random moments of turns with tools over HTTP (seed ${SEED}), beside a bare client that closes its connection`,
  run: (report) =>
    inTemporaryFolder(async (folder) => {
      const provider = await startProvider('moments', SEED)
      const groups = new Map<string, Set<number>>()
      const opened = await openEngine({
        folder,
        port: modelAt(provider.url),
        toolsOf: (conversationId) =>
          createWorkshopTools({ folder, clock: systemClock, register: groupsOf(groups, conversationId) }),
      })
      const random = createSeededRandom(SEED)
      const plan = Array.from({ length: MOMENTS }, (_, number) => ({ number, afterMs: random() * LATEST_MS }))
      const moments: StoppedMoment[] = []
      const bareMs: number[] = []
      const waiting = [...plan]
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          moments.push(await stopMoment({ opened, provider, groups }, next))
          if (next.number % BARE_EVERY === 0) bareMs.push(...(await bare(next.number)))
        }
      }
      const bare = async (number: number): Promise<readonly number[]> => {
        const closedAt = await bareClose(provider.url, { number, afterMs: random() * BARE_LATEST_MS })
        const { clientClosedMs } = await until('the provider has told of the bare client', () => {
          return provider.over.find(({ asked }) => asked?.type === 'bare' && asked.number === number) ?? null
        })
        // On a busy machine the answer may have ended first.
        return clientClosedMs === null ? [] : [clientClosedMs - closedAt]
      }
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, work))
      } finally {
        await opened.close()
        await provider.close()
      }
      const faults = opened.faults.map((fault) => `the engine met a fault: ${String(fault)}`)
      return summary({ moments, bareMs, faults, report })
    }),
}

/** Notes the groups that run, for whoever looks whether they are gone. */
function groupsOf(groups: Map<string, Set<number>>, conversationId: string): ProcessRegister {
  const own = groups.get(conversationId) ?? new Set()
  groups.set(conversationId, own)
  return {
    note: (groupId) => void own.add(groupId),
    forget: (groupId) => void own.delete(groupId),
    endLeftOver: () => Promise.resolve(0),
  }
}

interface Measured {
  readonly moments: readonly StoppedMoment[]
  readonly bareMs: readonly number[]
  readonly faults: readonly string[]
  readonly report: (line: string) => void
}

function summary({ moments, bareMs, faults, report }: Measured): readonly Figure[] {
  const stopped = moments.filter(({ state }) => state !== 'over')
  const states = Map.groupBy(moments, ({ state }) => state)
  for (const [state, own] of [...states].sort(([, a], [, b]) => b.length - a.length))
    report(`${state}: ${own.length} stops, the run's end after ${spread(own.map(({ endedMs }) => endedMs))}`)
  const closedMs = stopped.flatMap((moment) => moment.closedMs)
  const goneMs = stopped.flatMap(({ groupsGoneMs }) => (groupsGoneMs === null ? [] : [groupsGoneMs]))
  const acknowledgedMs = stopped.map((moment) => moment.acknowledgedMs)
  const problems = [...moments.flatMap((moment) => moment.problems), ...faults]
  report(`acknowledged: ${spread(acknowledgedMs)}`)
  report(`${closedMs.length} connections closed: ${spread(closedMs)}; by a bare client: ${spread(bareMs)}`)
  report(`${goneMs.length} process groups gone: ${spread(goneMs)}`)
  for (const problem of problems.slice(0, 20)) report(problem)
  const closed = quantile(closedMs, 0.99)
  const bare = quantile(bareMs, 0.99)
  const gone = Math.max(...goneMs)
  const acknowledged = quantile(acknowledgedMs, 0.99)
  return [
    {
      name: 'stop: connection closed, p99',
      value: closed,
      unit: 'ms',
      baseline: bare,
      ratio: closed / bare,
      goal: 'at most 200 ms',
      met: closed <= 200,
    },
    figure({ name: 'stop: process groups gone, slowest', value: gone, goal: 'at most 2,500 ms', met: gone <= 2_500 }),
    figure({ name: 'stop: acknowledged, p99', value: acknowledged, goal: 'at most 100 ms', met: acknowledged <= 100 }),
    {
      name: 'stop: moments with something wrong',
      value: problems.length,
      unit: 'moments',
      baseline: null,
      ratio: null,
      goal: 'none',
      met: problems.length === 0,
    },
  ]
}

function figure(given: Pick<Figure, 'name' | 'value' | 'goal' | 'met'>): Figure {
  return { ...given, unit: 'ms', baseline: null, ratio: null }
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return 'none'
  const [middle, high] = [quantile(values, 0.5), quantile(values, 0.99)]
  return `p50 ${middle.toFixed(1)} ms, p99 ${high.toFixed(1)} ms, max ${Math.max(...values).toFixed(1)} ms`
}
