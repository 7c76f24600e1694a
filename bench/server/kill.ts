import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { epochMs } from '../engine/epoch-clock.ts'
import { type Benchmark, quantile } from '../lib/measure.ts'
import { stampsIn } from './load-order.ts'
import { type ServerProcess, startProgram, startStampedProvider } from './server-processes.ts'
import { openSocket, streamIn } from './stream-in.ts'

const isFull = process.env['HOLDFAST_FULL'] === '1'
const ROUNDS = isFull ? 50 : 5
const CONVERSATIONS = 20
const STREAMS = { conversations: CONVERSATIONS, deltas: 2_000, deltasPerSecond: 50 }

/** The program writes the drafts of all open steps down this often, in milliseconds. */
const TICK_MS = 100

/** A round kills somewhere between these, after all conversations stream; in milliseconds. */
const EARLIEST_MS = 500
const SPREAD_MS = 1_500

/** How much text is missing after kill -9 in mid-stream. */
export const kill: Benchmark = {
  name: 'kill',
  about: `text that was shown and is missing after kill -9 in mid-stream, by the provider's stamps; ${CONVERSATIONS} conversations at 50 deltas/s, beside the time between two writings`,
  async run(report) {
    const provider = await startStampedProvider()
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
    const missing: number[] = []
    const behind: number[] = []
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const server = await startProgram(provider.url, dataDir, {})
        const { shown, end } = await streamIn(server, STREAMS)
        await passed(EARLIEST_MS + (round * SPREAD_MS) / ROUNDS)
        await server.kill()
        end()
        const killedAt = epochMs()
        const again = await startProgram(provider.url, dataDir, {})
        const stored = await lastStamps(again, [...shown.keys()])
        await again.close()
        for (const [id, stampMs] of shown) {
          missing.push(Math.max(0, stampMs - (stored.get(id) ?? 0)))
          behind.push(killedAt - (stored.get(id) ?? 0))
        }
      }
    } finally {
      await provider.close()
      await rm(dataDir, { recursive: true, force: true })
    }
    const value = Math.max(...missing)
    report(
      `${missing.length} answers cut in ${ROUNDS} kills; missing at the median ${quantile(missing, 0.5).toFixed(0)} ms`,
    )
    report(`from the last stored text to the end of the process: ${Math.max(...behind).toFixed(0)} ms at most`)
    const goal = 'at most 250 ms'
    return [{ name: 'kill', value, unit: 'ms', baseline: TICK_MS, ratio: value / TICK_MS, goal, met: value <= 250 }]
  },
}

/** The newest stamp in the log of each conversation; 0 where there is none. */
async function lastStamps(server: ServerProcess, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const stored = new Map<string, number>()
  const read = new Set<string>()
  const all = Promise.withResolvers<void>()
  const socket = await openSocket(server, (frame) => {
    if (frame.type === 'entries') {
      const finished = frame.entries.filter(({ type }) => type === 'step-finished')
      const newest = stampsIn(JSON.stringify(finished)).at(-1)
      if (newest !== undefined) stored.set(frame.conversationId, newest)
    }
    if (frame.type === 'caught-up') read.add(frame.conversationId)
    if (read.size === ids.length) all.resolve()
  })
  for (const id of ids) socket.send(JSON.stringify({ type: 'follow', conversationId: id, after: 0 }))
  await all.promise
  socket.terminate()
  return stored
}
