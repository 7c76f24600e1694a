import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import * as z from 'zod'
import { epochMs } from '../engine/epoch-clock.ts'
import { type Benchmark, type Figure, quantile } from '../lib/measure.ts'
import { stampsIn, wordsOf } from './load-order.ts'
import { startPostgres, startRedis } from './real-services.ts'
import { type ServerProcess, startProgram, startStampedProvider } from './server-processes.ts'

const isFull = process.env['HOLDFAST_FULL'] === '1'
const STREAMS = Number(process.env['HOLDFAST_STREAMS'] ?? 100)
const DELTAS_PER_SECOND = 20
const SECONDS = isFull ? 30 : 5
const STOPS = isFull ? 200 : 25
const LIMIT_MS = 60_000

/** Two replicas, the first of which owns every run. */
interface Replicas {
  readonly owner: ServerProcess
  readonly other: ServerProcess
}

/** What readers at one replica saw of all streams. */
interface Seen {
  readonly delaysMs: readonly number[]
  readonly shown: number
}

const Created = z.object({ id: z.string() })

/** How late what streams at one replica is at another, what that costs, and how soon a stop said there ends the run. */
export const remote: Benchmark = {
  name: 'remote',
  about: `two servers on one real PostgreSQL, with real Redis and without: ${STREAMS} streams of ${DELTAS_PER_SECOND} deltas/s followed at the replica that does not own them, beside the same followed at the owner's; stops said there`,
  async run(report) {
    const figures: Figure[] = []
    for (const way of ['with Redis', 'without Redis'] as const) {
      figures.push(
        ...(await withReplicas(way, async (replicas) => {
          const near = await stream(replicas, 'owner')
          const far = await stream(replicas, 'other')
          const stops = await stopAll(replicas)
          report(`${way}: near ${inWords(near)}; far ${inWords(far)}; stops ${p(stops, 0.5)}/${p(stops, 0.99)} ms`)
          return figuresOf({ way, near, far, stops })
        })),
      )
    }
    return figures
  },
}

const p = (values: readonly number[], share: number) => quantile(values, share).toFixed(1)

type Measured = Seen & { readonly cpuUsPerDelta: number }

function inWords({ delaysMs, cpuUsPerDelta }: Measured): string {
  return `${p(delaysMs, 0.5)}/${p(delaysMs, 0.99)} ms, ${cpuUsPerDelta.toFixed(0)} us a delta of both replicas`
}

function figuresOf({
  way,
  near,
  far,
  stops,
}: {
  readonly way: 'with Redis' | 'without Redis'
  readonly near: Measured
  readonly far: Measured
  readonly stops: readonly number[]
}): readonly Figure[] {
  const beside = (name: string, share: number, mostMs: number | null): Figure => {
    const [value, baseline] = [quantile(far.delaysMs, share), quantile(near.delaysMs, share)]
    const goal = mostMs === null ? 'reported' : `at most ${mostMs} ms`
    const title = `remote ${way}: ${name}`
    return {
      name: title,
      value,
      unit: 'ms',
      baseline,
      ratio: value / baseline,
      goal,
      met: mostMs === null || value <= mostMs,
    }
  }
  const isFast = way === 'with Redis'
  const cost = { value: far.cpuUsPerDelta, baseline: near.cpuUsPerDelta, ratio: far.cpuUsPerDelta / near.cpuUsPerDelta }
  const mostStopMs = isFast ? 700 : 1_200
  const stop = { value: quantile(stops, 0.99), baseline: null, ratio: null }
  return [
    beside('delay p50', 0.5, isFast ? 15 : null),
    beside('delay p99', 0.99, isFast ? 60 : null),
    { name: `remote ${way}: processor of a delta`, unit: 'us', ...cost, goal: 'reported', met: true },
    {
      name: `remote ${way}: stop p99`,
      unit: 'ms',
      ...stop,
      goal: `at most ${mostStopMs} ms`,
      met: stop.value <= mostStopMs,
    },
  ]
}

async function withReplicas(
  way: 'with Redis' | 'without Redis',
  use: (replicas: Replicas) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const ends: (() => Promise<unknown>)[] = []
  try {
    const postgres = await startPostgres()
    ends.push(postgres.close)
    const provider = await startStampedProvider()
    ends.push(provider.close)
    const shared: Record<string, string> = {
      HOLDFAST_DATABASE_URL: postgres.url,
      HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64url'),
    }
    if (way === 'with Redis') {
      const redis = await startRedis()
      ends.push(redis.close)
      shared['HOLDFAST_REDIS_URL'] = redis.url
    }
    const token = randomBytes(32).toString('base64url')
    const start = async (): Promise<ServerProcess> => {
      const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'))
      ends.push(() => rm(dataDir, { recursive: true, force: true }))
      await writeFile(join(dataDir, 'start-up-token'), `${token}\n`, { mode: 0o600 })
      const server = await startProgram(provider.url, dataDir, shared)
      ends.push(server.close)
      return server
    }
    const replicas = { owner: await start(), other: await start() }
    await passed(3_000)
    await stream(replicas, 'other')
    return await use(replicas)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Carries out one answer in every conversation, which all are followed at one of the two. */
async function stream(replicas: Replicas, readAt: keyof Replicas): Promise<Measured> {
  const deltas = DELTAS_PER_SECOND * SECONDS
  const delaysMs: number[] = []
  const readers = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const id = await begin(replicas.owner)
      const reader = await follow(replicas[readAt], id, (stamp) => delaysMs.push(epochMs() - stamp))
      return { id, reader }
    }),
  )
  await passed(1_000)
  const cpuUs = () => replicas.owner.cpuUs() + replicas.other.cpuUs()
  const before = cpuUs()
  for (const { id } of readers) {
    await ask(replicas.owner, id, { deltas, deltasPerSecond: DELTAS_PER_SECOND })
    await passed(1_000 / STREAMS)
  }
  await Promise.all(readers.map(({ reader }) => reader.untilEnded()))
  const cpuUsPerDelta = (cpuUs() - before) / (STREAMS * deltas)
  for (const { reader } of readers) reader.close()
  if (delaysMs.length < STREAMS * deltas * 0.99)
    throw new Error(`${readAt} showed ${delaysMs.length} deltas of ${STREAMS * deltas}`)
  return { delaysMs, shown: delaysMs.length, cpuUsPerDelta }
}

/** Stops runs of the owner through the other, one after the other. @returns from the request to the end of the run, read at the owner. */
async function stopAll({ owner, other }: Replicas): Promise<readonly number[]> {
  const tookMs: number[] = []
  for (let round = 0; round < STOPS; round += 1) {
    const id = await begin(owner)
    let isStreaming = (): void => {}
    const streaming = new Promise<void>((resolve) => {
      isStreaming = resolve
    })
    const reader = await follow(owner, id, () => isStreaming())
    await ask(owner, id, { deltas: 10_000, deltasPerSecond: DELTAS_PER_SECOND })
    await streaming
    // At any moment between two beats.
    await passed((round * 137) % 500)
    const begun = performance.now()
    await call(other, `/conversations/${id}/stop`, { commandId: randomUUID() })
    await reader.untilEnded()
    tookMs.push(performance.now() - begun)
    reader.close()
  }
  return tookMs
}

async function begin(server: ServerProcess): Promise<string> {
  return Created.parse(await call(server, '/conversations', { commandId: randomUUID() })).id
}

async function ask(server: ServerProcess, id: string, size: Parameters<typeof wordsOf>[0]): Promise<void> {
  const content = [{ type: 'text', text: wordsOf(size) }]
  await call(server, `/conversations/${id}/inputs`, { commandId: randomUUID(), content })
}

async function call({ url, token }: ServerProcess, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** Reads a conversation over server-sent events: the stamps of its deltas, and when a turn has ended. */
async function follow(
  { url, token }: ServerProcess,
  id: string,
  onStamp: (stamp: number) => void,
): Promise<{ untilEnded(): Promise<void>; close(): void }> {
  const end = new AbortController()
  const answer = await fetch(`${url}/api/v1/conversations/${id}/entries?after=0&live=sse`, {
    headers: { authorization: `Bearer ${token}` },
    signal: end.signal,
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let rest = ''
  let last = 0
  /** A draft says again what was read. */
  const read = (stamp: number): void => {
    if (stamp <= last) return
    last = stamp
    onStamp(stamp)
  }
  const reading = answer.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(piece) {
        const blocks = (rest + piece).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) {
          // Without Redis the last words of an answer come with its entry.
          for (const stamp of stampsIn(block)) read(stamp)
          if (isEnd(block)) resolve()
        }
      },
    }),
  )
  // It ends with its signal.
  reading?.catch(() => {})
  return {
    untilEnded: () =>
      within(ended, async () => `${id}: no end was read, its log ends with ${await lastType({ url, token }, id)}`),
    close: () => end.abort(),
  }
}

/** What takes too long from here is told: a late turn is another thing than an end that was lost. */
async function within(ended: Promise<void>, say: () => Promise<string>): Promise<void> {
  const isOver = await Promise.race([ended.then(() => true), passed(LIMIT_MS + SECONDS * 1_000, false, { ref: false })])
  if (!isOver) throw new Error(await say())
}

async function lastType({ url, token }: Pick<ServerProcess, 'url' | 'token'>, id: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/conversations/${id}/entries?after=0&limit=500`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return Ends.parse(await answer.json()).entries.at(-1)?.type ?? 'nothing'
}

const Ends = z.object({ entries: z.array(z.object({ type: z.string() })) })

/** A title is a run too, and ends as one. */
function isEnd(block: string): boolean {
  return block.includes('event: entry') && /"type":"run-finished"/.test(block)
}
