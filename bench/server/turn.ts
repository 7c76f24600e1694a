import { setTimeout as passed } from 'node:timers/promises'
import { type Benchmark, type Figure, median, quantile } from '../lib/measure.ts'
import type { LoadedKind, LoadSeen } from './load-order.ts'
import { type ServerProcess, startLoad, startServer, startStampedProvider } from './server-processes.ts'
import { passedMs } from './thread-times.ts'

const ALL = ['holdfast', 'ai', 'relay'] as const
const TURNS = ['first', 'second'] as const
const EVERY = [1, 50, 300, 500].flatMap((conversations) => [2, 150, 450].map((deltas) => `${conversations}x${deltas}`))
/** What is loaded one after the other, as `CONVERSATIONSxDELTAS` with blanks between. */
const wanted =
  process.env['HOLDFAST_TURN']?.split(' ') ??
  (process.env['HOLDFAST_FULL'] === '1' ? EVERY : ['1x2', '50x2', '50x150', '300x2', '300x150'])
const DELTAS_PER_SECOND = 50
/** What a server does after an answer belongs to the turn: so long it is waited for, in milliseconds. */
const SETTLE_MS = 300

/** One turn of every conversation: what it took of the server by turn, in milliseconds, and what its client saw. */
interface Turn {
  readonly cpuMs: ReturnType<typeof passedMs>
  readonly seen: LoadSeen
}

type Measured = Readonly<Record<LoadedKind, Readonly<Record<(typeof TURNS)[number], Turn[]>>>>

interface Size {
  readonly conversations: number
  readonly deltas: number
}

/** What one turn costs and how long its parts take, with everything stored. */
export const turn: Benchmark = {
  name: 'turn',
  about:
    'processor time and milliseconds of one turn by part, first and second turn of conversations that begin within a second, beside a bare relay and the AI SDK; HOLDFAST_TURN="300x2 50x150" chooses conversations and deltas',
  async run(report) {
    const provider = await startStampedProvider()
    const servers: ServerProcess[] = []
    try {
      for (const kind of ALL) servers.push(await startServer(kind, provider.url))
      for (const server of servers) await turnsOf(server, { conversations: 20, deltas: 20 })
      const figures: Figure[] = []
      for (const name of wanted) {
        const [conversations = Number.NaN, deltas = Number.NaN] = name.split('x').map(Number)
        const size = { conversations, deltas }
        const measured = await measure(servers, size)
        for (const which of TURNS) {
          for (const kind of ALL) report(`${name} ${which}: ${inWords(kind, measured[kind][which], size)}`)
          figures.push(...figuresOf({ name, which, measured, size }))
        }
      }
      return figures
    } finally {
      for (const server of servers) await server.close()
      await provider.close()
    }
  },
}

/** Few conversations are loaded more often, so that what is measured is not less than what disturbs it. */
async function measure(servers: readonly ServerProcess[], size: Size): Promise<Measured> {
  const measured: Measured = {
    holdfast: { first: [], second: [] },
    ai: { first: [], second: [] },
    relay: { first: [], second: [] },
  }
  const rounds = size.conversations < 10 ? 10 : size.conversations < 100 ? 3 : 1
  for (let round = 0; round < rounds; round += 1)
    for (const server of servers) {
      const { first, second } = await turnsOf(server, size)
      measured[server.kind].first.push(first)
      measured[server.kind].second.push(second)
    }
  return measured
}

async function turnsOf(server: ServerProcess, size: Size): Promise<{ readonly first: Turn; readonly second: Turn }> {
  const loader = await startLoad(server, {
    ...size,
    deltasPerSecond: DELTAS_PER_SECOND,
    turns: TURNS.length,
    stays: false,
  })
  const next = async (): Promise<Turn> => {
    await passed(SETTLE_MS)
    const before = server.threadTimes()
    const seen = await loader.turn()
    await passed(SETTLE_MS)
    return { cpuMs: passedMs(before, server.threadTimes()), seen }
  }
  return { first: await next(), second: await next() }
}

function inWords(kind: LoadedKind, turns: readonly Turn[], { conversations }: Size): string {
  const cpu = (part: 'sum' | 'main' | 'workers' | 'helpers') =>
    (median(turns.map(({ cpuMs }) => cpuMs[part])) / conversations).toFixed(2)
  const parts = `main ${cpu('main')}, store ${cpu('workers')}, V8 ${cpu('helpers')}`
  const ms = (values: readonly number[]) => `${median(values).toFixed(1)}/${quantile(values, 0.99).toFixed(1)}`
  const all = (field: 'acceptedMs' | 'askedMs' | 'firstMs' | 'endMs') => turns.flatMap(({ seen }) => seen[field])
  const accepted = kind === 'holdfast' ? `accepted ${ms(all('acceptedMs'))}, ` : ''
  const delay = `${median(turns.map(({ seen }) => seen.delayP50Ms)).toFixed(1)}/${median(turns.map(({ seen }) => seen.delayP99Ms)).toFixed(1)}`
  const times = `${accepted}provider's first ${ms(all('askedMs'))}, first delta ${ms(all('firstMs'))}, end ${ms(all('endMs'))}, delay ${delay}`
  return `${kind.padEnd(8)} ${cpu('sum')} ms processor a turn (${parts}); p50/p99 ms: ${times}`
}

interface Cell {
  readonly name: string
  readonly which: (typeof TURNS)[number]
  readonly measured: Measured
  readonly size: Size
}

function figuresOf({ name, which, measured, size }: Cell): Figure[] {
  const title = `turn ${name} ${which}`
  const reported = { goal: 'reported', met: true }
  const beside = (figure: string, unit: string, of: (turns: readonly Turn[]) => number): Figure => {
    const [value, baseline] = [of(measured.holdfast[which]), of(measured.relay[which])]
    return { name: `${title}: ${figure}`, value, unit, baseline, ratio: value / baseline, ...reported }
  }
  const firsts = (share: number) => (turns: readonly Turn[]) =>
    quantile(
      turns.flatMap(({ seen }) => seen.firstMs),
      share,
    )
  const processor = (turns: readonly Turn[]) => median(turns.map(({ cpuMs }) => cpuMs.sum)) / size.conversations
  const perDelta = (turns: readonly Turn[]) => (processor(turns) * 1_000) / size.deltas
  return [
    beside('processor of a turn', 'ms', processor),
    ...(size.deltas > 2 ? [beside('processor of a delta', 'us', perDelta)] : []),
    beside('first delta p50', 'ms', firsts(0.5)),
    beside('first delta p99', 'ms', firsts(0.99)),
    beside('delay p99', 'ms', (turns) => median(turns.map(({ seen }) => seen.delayP99Ms))),
  ]
}
