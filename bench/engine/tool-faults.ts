import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelPort } from '@holdfast/provider'
import type { FaultCase } from '../../tests/tool-faults/fault-case.ts'
import { FAULT_KINDS } from '../../tests/tool-faults/fault-cases.ts'
import { type FaultHost, openFaultHost } from '../../tests/tool-faults/fault-host.ts'
import { playCase } from '../../tests/tool-faults/play-case.ts'
import { type Benchmark, quantile } from '../lib/measure.ts'
import { inTemporaryFolder } from '../lib/stores.ts'

/** Conversations that stream beside the one whose tools fail. */
const STREAMS = 20
/** Between two deltas of one of them: 50 a second, as a quick model has. */
const EVERY_MS = 20
/** Until the streams run evenly, and between two spells. */
const SETTLE_MS = 1_000

/** Of a kind with more than this, every third is played; with `HOLDFAST_FULL=1` all are. */
const MANY = 12

/** So many faults are named. */
const TOLD = 8

/** What the faults of one conversation's tools cost the others. */
export const toolFaults: Benchmark = {
  name: 'tool-faults',
  about: `how late the deltas of ${STREAMS} conversations come while the tools of another do everything wrong, one after the other, beside the same time without it; one process, in turns by kind of fault`,
  async run(report) {
    const late: { readonly beside: number[]; readonly alone: number[] } = { beside: [], alone: [] }
    const worst: { readonly name: string; readonly lateMs: number }[] = []
    await inTemporaryFolder(async (folder) => {
      const streams = createStreams()
      const host = await openFaultHost({ folder, beside: streams.port })
      try {
        await streams.begin(host)
        let number = 0
        for (const { kind, cases: all } of FAULT_KINDS) {
          const cases = played(all)
          const began = performance.now()
          const beside = await streams.during(async () => {
            for (const fault of cases) {
              const before = streams.count()
              await play(host, { fault, number: number++, folder })
              worst.push({ name: fault.name, lateMs: streams.worstSince(before) })
            }
          })
          const lastedMs = performance.now() - began
          await sleep(SETTLE_MS)
          const alone = await streams.during(() => sleep(lastedMs))
          await sleep(SETTLE_MS)
          for (const one of beside) late.beside.push(one)
          for (const one of alone) late.alone.push(one)
          report(
            `${kind}, ${cases.length} faults in ${(lastedMs / 1_000).toFixed(1)} s: ${inWords(beside)}; alone ${inWords(alone)}`,
          )
        }
      } finally {
        streams.end()
        await host.close()
      }
    })
    const longest = worst.sort((one, other) => other.lateMs - one.lateMs).slice(0, TOLD)
    report(
      `the faults that held others up longest: ${longest.map(({ name, lateMs }) => `${name} ${lateMs.toFixed(0)} ms`).join('; ')}`,
    )
    const value = quantile(late.beside, 0.99)
    const baseline = quantile(late.alone, 0.99)
    const ratio = value / baseline
    const name = 'tool-faults: p99 of how late deltas of other conversations come'
    return [{ name, value, unit: 'ms', baseline, ratio, goal: 'at most 1.5', met: ratio <= 1.5 }]
  },
}

function played(all: readonly FaultCase[]): readonly FaultCase[] {
  const isFull = process.env['HOLDFAST_FULL'] === '1'
  return isFull || all.length <= MANY ? all : all.filter((_, index) => index % 3 === 1)
}

async function play(
  host: FaultHost,
  played: { readonly fault: FaultCase; readonly number: number; readonly folder: string },
): Promise<void> {
  const { name, problems } = await playCase(host, played)
  if (problems.length > 0) throw new Error(`${name}: ${problems.join('; ')}`)
}

/** Models that say when each delta was due, and what is heard of them. */
function createStreams() {
  let isOver = false
  let heard: number[] = []
  const port: ModelPort = {
    providerId: 'paced',
    async stream(_, { signal, onPart }) {
      const began = performance.now()
      await onPart({ type: 'block-started', block: 0, start: { type: 'text' } })
      for (let count = 1; !isOver && !signal.aborted; count++) {
        const due = began + count * EVERY_MS
        await sleep(Math.max(0, due - performance.now()))
        await onPart({ type: 'block-delta', block: 0, text: `${due.toFixed(2)} ` })
      }
      await onPart({ type: 'block-ended', block: 0 })
      await onPart({ type: 'finish', finish: 'end' })
    },
  }
  return {
    port,
    async begin(host: FaultHost): Promise<void> {
      for (let number = 0; number < STREAMS; number++) {
        const conversationId = await host.talk(`Stream ${number}`)
        host.follow(conversationId, (message) => {
          if (message.type === 'delta' && message.delta.text !== '')
            heard.push(performance.now() - Number(message.delta.text))
        })
      }
      await sleep(SETTLE_MS)
    },
    /** How late each delta came while `work` was done, in milliseconds. */
    async during(work: () => Promise<void>): Promise<readonly number[]> {
      heard = []
      await work()
      return heard
    },
    count: () => heard.length,
    /** How late the latest delta came since then, in milliseconds. */
    worstSince: (count: number): number => heard.slice(count).reduce((most, one) => Math.max(most, one), 0),
    end(): void {
      isOver = true
    },
  }
}

function inWords(late: readonly number[]): string {
  const [half, most] = [quantile(late, 0.5), quantile(late, 0.99)]
  return `p50 ${half.toFixed(2)} ms, p99 ${most.toFixed(2)} ms, max ${Math.max(...late).toFixed(0)} ms of ${late.length}`
}
