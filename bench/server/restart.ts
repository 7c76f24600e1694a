import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { type Benchmark, type Figure, quantile } from '../lib/measure.ts'
import { load, type ServerProcess, startProgram, startStampedProvider } from './server-processes.ts'
import { openSocket, PER_SOCKET, streamIn } from './stream-in.ts'

const CONVERSATIONS = Number(process.env['HOLDFAST_RUNNING'] ?? 1_000)
/** Slow answers: what is measured is how many were running, not how much they said. */
const STREAMS = { conversations: CONVERSATIONS, deltas: 2_000, deltasPerSecond: 2 }
const ONE_ANSWER = { conversations: 1, deltas: 2, deltasPerSecond: 50 }
const GOAL_MS = 5_000

/** How long after kill -9 a server with many running answers is there again, and when each has its end. */
export const restart: Benchmark = {
  name: 'restart',
  about: `a start after kill -9 with ${CONVERSATIONS.toLocaleString('en')} answers in their middle, until it is ready, answers somebody and has ended each of them, beside a start of the same folder with nothing running`,
  async run(report) {
    const provider = await startStampedProvider()
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
    try {
      const first = await startProgram(provider.url, dataDir, {})
      const { shown, end } = await streamIn(first, STREAMS)
      await passed(1_000)
      await first.kill()
      end()
      const begunAt = performance.now()
      const second = await startProgram(provider.url, dataDir, {})
      const [endedMs, answered] = await Promise.all([
        whenEnded(second, [...shown.keys()], begunAt),
        load(second, ONE_ANSWER),
      ])
      await second.close()
      const third = await startProgram(provider.url, dataDir, {})
      const alone = await load(third, ONE_ANSWER)
      await third.close()
      report(
        `ended: half after ${quantile(endedMs, 0.5).toFixed(0)} ms, all after ${Math.max(...endedMs).toFixed(0)} ms`,
      )
      const beside = (name: string, value: number, baseline: number): Figure => {
        const goal = `at most ${GOAL_MS.toLocaleString('en')} ms`
        return {
          name: `restart: ${name}`,
          value,
          unit: 'ms',
          baseline,
          ratio: value / baseline,
          goal,
          met: value <= GOAL_MS,
        }
      }
      return [
        beside('ready', second.startMs, third.startMs),
        beside(
          'ready, and a first delta',
          second.startMs + only(answered.firstMs),
          third.startMs + only(alone.firstMs),
        ),
        beside(`${endedMs.length} ends`, Math.max(...endedMs), third.startMs),
      ]
    } finally {
      await provider.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** When the end of each run could be read, in milliseconds after `begunAt`. @throws when one has two ends. */
async function whenEnded(server: ServerProcess, ids: readonly string[], begunAt: number): Promise<readonly number[]> {
  const endedMs = new Map<string, number>()
  const all = Promise.withResolvers<void>()
  const sockets = []
  for (let from = 0; from < ids.length; from += PER_SOCKET) {
    const socket = await openSocket(server, (frame) => {
      if (frame.type !== 'entries' || !frame.entries.some(({ type }) => type === 'run-finished')) return
      if (endedMs.has(frame.conversationId)) all.reject(new Error(`${frame.conversationId} has two ends`))
      endedMs.set(frame.conversationId, performance.now() - begunAt)
      if (endedMs.size === ids.length) all.resolve()
    })
    sockets.push(socket)
    for (const conversationId of ids.slice(from, from + PER_SOCKET))
      socket.send(JSON.stringify({ type: 'follow', conversationId, after: 0 }))
  }
  await all.promise
  for (const socket of sockets) socket.terminate()
  return [...endedMs.values()]
}

function only([value = Number.NaN]: readonly number[]): number {
  return value
}
