import { setTimeout as passed } from 'node:timers/promises'
import { type Benchmark, type Figure, median } from '../lib/measure.ts'
import type { LoadedKind } from './load-order.ts'
import {
  type LoadResult,
  load,
  loadAndStay,
  type ServerProcess,
  startServer,
  startStampedProvider,
} from './server-processes.ts'

const isFull = process.env['HOLDFAST_FULL'] === '1'
const ALL = ['holdfast', 'ai', 'relay'] as const

type Each<Value> = Readonly<Record<LoadedKind, Value>>

/** A server that has answered before is measured: before that what compiles code is more than what answers. */
async function warmUp(servers: Each<ServerProcess>): Promise<void> {
  for (const kind of ALL) await load(servers[kind], { conversations: 20, deltas: 20, deltasPerSecond: 50 })
}

/** What a delivered delta costs, with everything stored, beside a relay that stores nothing. */
export const relay: Benchmark = {
  name: 'relay',
  about:
    'processor time per delivered delta of the whole server, beside a bare relay and the AI SDK, each in a process of its own',
  run: (report) =>
    withServers(async (servers) => {
      const order = { conversations: 50, deltas: isFull ? 500 : 150, deltasPerSecond: 50 }
      await warmUp(servers)
      const { holdfast, ai, relay: bare } = await inTurns(servers, order, 3)
      const cost = (results: readonly LoadResult[]) => median(results.map(({ cpuUsPerDelta }) => cpuUsPerDelta))
      report(`ai ${cost(ai).toFixed(1)} us a delta`)
      const [value, baseline] = [cost(holdfast), cost(bare)]
      const ratio = value / baseline
      return [{ name: 'relay', value, unit: 'us', baseline, ratio, goal: 'at most 3x the relay', met: ratio <= 3 }]
    }),
}

/** How much later the first delta comes than by a relay. */
export const firstDelta: Benchmark = {
  name: 'first-delta',
  about:
    'time from sending a message to its first delta, one conversation after the other, beside a bare relay and the AI SDK',
  run: (report) =>
    withServers(async (servers) => {
      const results: Record<LoadedKind, number[]> = { holdfast: [], ai: [], relay: [] }
      const order = { conversations: 1, deltas: 2, deltasPerSecond: 50 }
      await warmUp(servers)
      for (let round = 0; round < (isFull ? 40 : 10); round += 1)
        for (const kind of ALL) results[kind].push(...(await load(servers[kind], order)).firstMs)
      const [own, ai, bare] = [median(results.holdfast), median(results.ai), median(results.relay)]
      report(`holdfast ${own.toFixed(1)} ms, ai ${ai.toFixed(1)} ms, relay ${bare.toFixed(1)} ms at the median`)
      const figure = { unit: 'ms', goal: 'at most 5 ms', baseline: ai - bare, ratio: (own - bare) / (ai - bare) }
      return [{ name: 'first-delta: added beside the AI SDK', value: own - bare, ...figure, met: own - bare <= 5 }]
    }),
}

/** How late deltas come when many conversations stream at once. */
export const concurrency: Benchmark = {
  name: 'concurrency',
  about:
    'time from the provider’s write to the client’s read at 50 deltas/s a conversation, p99, beside the AI SDK and a bare relay',
  run: (report) =>
    withServers(async (servers) => {
      const figures: Figure[] = []
      for (const conversations of isFull ? [100, 300, 500] : [100, 300]) {
        const order = { conversations, deltas: isFull ? 500 : 150, deltasPerSecond: 50 }
        const { holdfast, ai, relay: bare } = await inTurns(servers, order, 1)
        const p99 = (results: readonly LoadResult[]) => median(results.map(({ delayP99Ms }) => delayP99Ms))
        report(`${conversations} conversations: ai p99 ${p99(ai).toFixed(1)} ms, relay p99 ${p99(bare).toFixed(1)} ms`)
        const value = p99(holdfast) - p99(bare)
        const baseline = p99(ai) - p99(bare)
        const mostMs = conversations <= 300 ? 50 : 60
        const goal = `at most ${mostMs} ms`
        const name = `concurrency: p99 added at ${conversations}, beside the AI SDK`
        figures.push({ name, value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= mostMs })
      }
      return figures
    }),
}

/** How long a server is left alone before its memory is read: it gives memory back in this time. In milliseconds. */
const QUIET_MS = 30_000

/** What the server holds when nobody asks, and for each conversation that is open and idle. */
export const memory: Benchmark = {
  name: 'memory',
  about:
    'resident memory of the server after 30 s without work, and what each conversation adds that is followed and idle; the AI SDK’s process beside it',
  run: (report) =>
    withServers(async ({ holdfast, ai }) => {
      const ends: (() => Promise<void>)[] = []
      const quiet = async (after: string): Promise<number> => {
        const atOnce = holdfast.memoryMib()
        await passed(QUIET_MS)
        const mib = holdfast.memoryMib()
        const before = holdfast.cpuUs()
        await passed(QUIET_MS)
        const idleUs = (holdfast.cpuUs() - before) / (QUIET_MS / 1_000)
        report(`idle after ${after}: ${(idleUs / 1_000).toFixed(1)} ms of processor a second`)
        report(`after ${after}: ${atOnce.toFixed(0)} MiB, quiet ${mib.toFixed(1)} MiB; ${await heapOf(holdfast)}`)
        return mib
      }
      try {
        const idle = await quiet('the start')
        const other = ai.memoryMib()
        const order = { deltas: 10, deltasPerSecond: 50 }
        const conversations = isFull ? 1_000 : 400
        // More than stay open when nobody uses them: what is added after that is of the followers alone. [RUN21]
        ends.push(await loadAndStay(holdfast, { ...order, conversations: 600 }))
        const first = await quiet('600 conversations')
        ends.push(await loadAndStay(holdfast, { ...order, conversations }))
        const kib = (((await quiet(`${conversations} more`)) - first) * 1_024) / conversations
        const [idleGoal, goal] = ['at most 160 MiB', 'at most 100 KiB']
        const beside = { baseline: other, ratio: idle / other }
        const alone = { baseline: null, ratio: null }
        return [
          { name: 'memory: idle', value: idle, unit: 'MiB', ...beside, goal: idleGoal, met: idle <= 160 },
          { name: 'memory: a conversation more', value: kib, unit: 'KiB', ...alone, goal, met: kib <= 100 },
        ]
      } finally {
        for (const end of ends) await end()
      }
    }),
}

/** What of the memory is the heap of the main thread, in words. */
async function heapOf({ url, token }: ServerProcess): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  const mib = (name: string) => (Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]) / 2 ** 20).toFixed(1)
  const [used, total] = [mib('nodejs_heap_size_used_bytes'), mib('nodejs_heap_size_total_bytes')]
  return `heap of the main thread ${total} MiB, ${used} in use`
}

/** From the start of the program to the first delta of the first answer. */
export const startup: Benchmark = {
  name: 'startup',
  about:
    'from starting the built program on a new data folder to the first delta of an answer; the AI SDK’s process beside it',
  async run() {
    const provider = await startStampedProvider()
    try {
      const totals: Record<'holdfast' | 'ai', number[]> = { holdfast: [], ai: [] }
      for (let round = 0; round < (isFull ? 9 : 3); round += 1) {
        for (const kind of ['holdfast', 'ai'] as const) {
          const server = await startServer(kind, provider.url)
          const { firstMs } = await load(server, { conversations: 1, deltas: 2, deltasPerSecond: 50 })
          totals[kind].push(server.startMs + (firstMs[0] ?? Number.NaN))
          await server.close()
        }
      }
      const [value, baseline] = [median(totals.holdfast), median(totals.ai)]
      const goal = 'at most 1,500 ms'
      return [{ name: 'startup', value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= 1_500 }]
    } finally {
      await provider.close()
    }
  },
}

async function withServers(
  use: (servers: Each<ServerProcess>) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const provider = await startStampedProvider()
  const started: ServerProcess[] = []
  const start = async (kind: LoadedKind): Promise<ServerProcess> => {
    const server = await startServer(kind, provider.url)
    started.push(server)
    return server
  }
  try {
    return await use({ holdfast: await start('holdfast'), ai: await start('ai'), relay: await start('relay') })
  } finally {
    for (const server of started) await server.close()
    await provider.close()
  }
}

async function inTurns(
  servers: Each<ServerProcess>,
  order: Parameters<typeof load>[1],
  rounds: number,
): Promise<Each<readonly LoadResult[]>> {
  const results: Record<LoadedKind, LoadResult[]> = { holdfast: [], ai: [], relay: [] }
  for (const kind of ALL) await load(servers[kind], { ...order, deltas: 20 })
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ALL) results[kind].push(await load(servers[kind], order))
  return results
}
