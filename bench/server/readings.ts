import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conversationCreated, wholeTurn } from '@holdfast/conversation/testing'
import { PROTOCOL_VERSION, SOCKET_PATH } from '@holdfast/protocol'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { type Benchmark, quantile } from '../lib/measure.ts'
import { systemClock } from '../lib/stores.ts'
import { highestOf, memoryOf } from './program-memory.ts'
import { readPages } from './read-pages.ts'
import { type ServerProcess, startProgram } from './server-processes.ts'

const MESSAGES = 400
const MIB = 1_024 * 1_024
const LARGE = 'conversation_large'
/** A conversation of which every reading is made once before: what is compiled and kept for it belongs to the server. */
const SMALL = 'conversation_small'
const MOST_MIB = 100
/** Nothing is asked of a model. */
const NO_PROVIDER = 'http://127.0.0.1:9'

/** What six readings of one large conversation take at once. */
export const readings: Benchmark = {
  name: 'readings',
  about: `one conversation of ${MESSAGES} messages of a megabyte, read in six ways at once from the built program (pages of entries, a socket from its beginning, the transcript, three exports): how much its memory grows, and how long another's requests take`,
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-readings-'))
    try {
      await writeLogs(join(dataDir, 'store'))
      const program = await startProgram(NO_PROVIDER, dataDir, {})
      try {
        const memory = await memoryOf(dataDir)
        await readInEveryWay(program, SMALL)
        let left = 200
        const idle = quantile(await timesOf(program, () => left-- === 0), 0.9)
        const before = await memory()
        let isOver = false
        const highest = highestOf(memory, () => isOver)
        const others = timesOf(program, () => isOver)
        const bytes = await readInEveryWay(program, LARGE)
        isOver = true
        const [most, busy] = [await highest, quantile(await others, 0.9)]
        report(`the three exports had ${bytes.map((sizeBytes) => `${inMib(sizeBytes)} MiB`).join(', ')}`)
        const value = inMib(most)
        const baseline = inMib(before)
        const met = value - baseline < MOST_MIB
        return [
          {
            name: 'readings: resident memory, at most',
            value,
            unit: 'MiB',
            baseline,
            ratio: value / baseline,
            goal: `grows by less than ${MOST_MIB} MiB`,
            met,
          },
          {
            name: "readings: another's requests, p90",
            value: busy,
            unit: 'ms',
            baseline: idle,
            ratio: busy / idle,
            goal: 'reported',
            met: true,
          },
        ]
      } finally {
        await program.close()
      }
    } finally {
      await rm(dataDir, { recursive: true })
    }
  },
}

const inMib = (bytes: number): number => Math.round(bytes / MIB)

/** Reads a conversation in six ways at once. @returns the sizes of the exports, in bytes. */
async function readInEveryWay(program: Program, conversationId: string): Promise<readonly number[]> {
  const reader = { program, conversationId }
  const exported = async (format: string) => passedBy(await get(reader, `/export?format=${format}`))
  const [markdown, html, json] = await Promise.all([
    exported('md'),
    exported('html'),
    exported('json'),
    readPages(reader),
    followed(reader),
    readTranscript(reader),
  ])
  return [markdown, html, json]
}

type Program = Pick<ServerProcess, 'url' | 'token'>

/** Requests of somebody else, one after another, and how long each took, in milliseconds. */
async function timesOf(program: Program, isOver: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver()) {
    const from = performance.now()
    const headers = { authorization: `Bearer ${program.token}` }
    await (await fetch(`${program.url}/api/v1/conversations?limit=20&archived=true`, { headers })).json()
    times.push(performance.now() - from)
  }
  return times
}

interface Reader {
  readonly program: Program
  readonly conversationId: string
}

function get({ program: { url, token }, conversationId }: Reader, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${url}/api/v1/conversations/${conversationId}${path}`, { headers })
}

/** Reads an answer as it comes, and forgets it; says how much of it there was. */
async function passedBy(answer: Response): Promise<number> {
  let sizeBytes = 0
  for await (const piece of answer.body ?? []) sizeBytes += piece.length
  return sizeBytes
}

const ItemsPage = z.object({ items: z.array(z.object({ seq: z.number() })) })

/** Reads from the end, in pages that say by their first `seq` where they begin. */
async function readTranscript(reader: Reader): Promise<void> {
  for (let before = 2_147_483_647; before > 1; ) {
    const { items } = ItemsPage.parse(await (await get(reader, `/transcript?limit=200&before=${before}`)).json())
    const first = items[0]
    if (first === undefined) break
    before = first.seq
  }
}

/** Follows from the beginning, up to where the server says that the reader has everything. */
async function followed({ program: { url, token }, conversationId }: Reader): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET_PATH}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const caughtUp = Promise.withResolvers<void>()
  socket.on('error', caughtUp.reject)
  socket.on('close', (_, reason) => caughtUp.reject(new Error(`The socket was closed: ${String(reason)}`)))
  socket.on('open', () => {
    socket.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL_VERSION, clientId: 'client_1' }))
    socket.send(JSON.stringify({ type: 'follow', conversationId, after: 0 }))
  })
  socket.on('message', (data) => {
    if (String(data).startsWith('{"type":"caught-up"')) caughtUp.resolve()
  })
  await caughtUp.promise
  socket.terminate()
}

async function writeLogs(dataDir: string): Promise<void> {
  const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
  for (const [conversationId, turns, length] of [
    [LARGE, MESSAGES / 2, MIB],
    [SMALL, 2, 100],
  ] as const) {
    const created = [conversationCreated('local')]
    let { entries } = await store.append({ conversationId, after: 0, entries: created, at: 1 })
    for (let number = 0; number < turns; number++) {
      const turn = wholeTurn(number, { asked: 'word '.repeat(length / 5), answered: 'more '.repeat(length / 5) })
      const after = entries.at(-1)?.seq ?? 0
      entries = (await store.append({ conversationId, after, entries: turn, at: number + 2 })).entries
    }
  }
  await close()
}
