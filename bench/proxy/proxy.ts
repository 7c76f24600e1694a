import { randomBytes } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { systemClock } from '@holdfast/engine/system'
import { createStoredPreviews, openPreviews, type Previews } from '@holdfast/preview'
import { createMemoryStore } from '@holdfast/store/memory'
import { createServer as createVite } from 'vite'
import { WebSocket } from 'ws'
import type { Benchmark, Figure } from '../lib/measure.ts'

const REQUESTS = 2_000
const DOCUMENTS = 40
const EDITS = 20
const LARGE_BYTES = 100_000_000

/** What a preview's proxy adds to a page's own server. */
export const proxy: Benchmark = {
  name: 'proxy',
  about:
    'what a preview adds beside the direct connection: to a request, to the first byte of a document, to an update of vite; and the memory that 100 MB take on their way',
  async run(report) {
    const previews = await openPreviews({
      stored: createStoredPreviews({
        records: createMemoryStore({ clock: systemClock }).records,
        clock: systemClock,
        machine: 'bench',
      }),
      clock: systemClock,
      machine: () => null,
      placeOf: async () => null,
      mayUse: () => true,
      visitorOf: (visitor) => visitor,
      ownPorts: () => [],
      parentOrigins: () => ['http://127.0.0.1:4747'],
      isCredential: () => false,
      script: async () => '(function () {})',
      secret: randomBytes(32),
      pattern: null,
      chromium: null,
      onFault(error) {
        throw error
      },
    })
    const port = await previews.listen({ host: '127.0.0.1', port: 0 })
    const server = new Worker(new URL('page-server.ts', import.meta.url))
    const agent = new Agent({ keepAlive: true })
    try {
      const own = await new Promise<number>((resolve) => server.once('message', resolve))
      const direct: Way = { port: own, agent, headers: {} }
      const through = await wayTo(previews, { port, own, agent })
      const times = { direct: [] as number[], through: [] as number[] }
      for (let count = 0; count < REQUESTS + 200; count++)
        for (const [name, way] of [
          ['direct', direct],
          ['through', through],
        ] as const) {
          const took = await timed(way, '/small')
          if (count >= 200) times[name].push(took.wholeMs)
        }
      const first = { direct: [] as number[], through: [] as number[] }
      for (let count = 0; count < DOCUMENTS; count++) {
        first.direct.push((await timed(direct, '/document')).firstMs)
        first.through.push(
          (await timed({ ...through, headers: { ...through.headers, ...VISIT } }, '/document')).firstMs,
        )
      }
      const down = await memoryBothWays(direct, through, (way) => timed(way, `/?bytes=${LARGE_BYTES}`))
      const up = await memoryBothWays(direct, through, (way) => sent(way, LARGE_BYTES))
      const updates = await viteUpdates(previews, { port, agent })
      report(`${REQUESTS} requests in turn by each way, ${DOCUMENTS} documents, ${EDITS} edits`)
      const added = (
        name: string,
        [one, other]: readonly [readonly number[], readonly number[]],
        share: number,
        goalMs: number,
      ): Figure => {
        const [baseline, whole] = [at(one, share), at(other, share)]
        const value = whole - baseline
        return {
          name: `proxy: ${name}`,
          value,
          unit: 'ms',
          baseline,
          ratio: whole / baseline,
          goal: `at most ${goalMs} ms more`,
          met: value <= goalMs,
        }
      }
      const memory = (
        name: string,
        { baseline, value }: { readonly baseline: number; readonly value: number },
      ): Figure => ({
        name: `proxy: ${name}`,
        value,
        unit: 'MB',
        baseline,
        ratio: null,
        goal: 'at most 20 MB more',
        met: value - baseline <= 20,
      })
      return [
        added('added to a request, p50', [times.direct, times.through], 0.5, 2),
        added('added to a request, p99', [times.direct, times.through], 0.99, 15),
        added('added to the first byte of a document, p50', [first.direct, first.through], 0.5, 10),
        added('added to an update of vite, p50', [updates.direct, updates.through], 0.5, 300),
        memory('memory for 100 MB down', down),
        memory('memory for 100 MB up', up),
      ]
    } finally {
      agent.destroy()
      await server.terminate()
      await previews.close()
    }
  },
}

interface Way {
  readonly port: number
  readonly agent: Agent
  readonly headers: Readonly<Record<string, string>>
}

const VISIT = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }

/** Goes in by a ticket, as a browser does. */
async function wayTo(
  previews: Previews,
  { port, own, agent }: { readonly port: number; readonly own: number; readonly agent: Agent },
): Promise<Way & { readonly origin: string }> {
  const { preview } = await previews.make({
    userId: 'bench',
    workspaceId: undefined,
    conversationId: undefined,
    source: { type: 'port', port: own },
  })
  const host = new URL(preview.origin).host
  const url = new URL(previews.ticket({ previewId: preview.id, visitor: 'bench', path: '/' }))
  const entered = await begun({ port, agent, headers: { host, ...VISIT } }, url.pathname + url.search, null)
  entered.resume()
  const cookie = (entered.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  return { port, agent, headers: { host, cookie }, origin: preview.origin }
}

function begun({ port, agent, headers }: Way, path: string, body: Iterable<Buffer> | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, agent, path, headers, method: body === null ? 'GET' : 'POST' })
    asked.once('response', resolve)
    asked.once('error', reject)
    if (body === null) asked.end()
    else void written(asked, body).then(() => asked.end())
  })
}

async function written(to: NodeJS.WritableStream, body: Iterable<Buffer>): Promise<void> {
  for (const piece of body) if (!to.write(piece)) await new Promise((resolve) => to.once('drain', resolve))
}

async function timed(way: Way, path: string): Promise<{ readonly firstMs: number; readonly wholeMs: number }> {
  const began = performance.now()
  const answer = await begun(way, path, null)
  let firstMs = 0
  for await (const piece of answer) if (firstMs === 0 && piece.length > 0) firstMs = performance.now() - began
  return { firstMs, wholeMs: performance.now() - began }
}

async function sent(way: Way, sizeBytes: number): Promise<void> {
  const piece = Buffer.alloc(65_536, 'x')
  function* pieces(): Generator<Buffer> {
    for (let left = sizeBytes; left > 0; left -= piece.byteLength) yield piece.subarray(0, left)
  }
  const answer = await begun(way, '/', pieces())
  let text = ''
  for await (const part of answer) text += String(part)
  if (text !== String(sizeBytes)) throw new Error(`${text} bytes arrived of ${sizeBytes}`)
}

/** One each that is not counted: what the process takes once, it keeps. */
async function memoryBothWays(
  direct: Way,
  through: Way,
  work: (way: Way) => Promise<unknown>,
): Promise<{ readonly baseline: number; readonly value: number }> {
  await work(direct)
  await work(through)
  return { baseline: await memoryOf(() => work(direct)), value: await memoryOf(() => work(through)) }
}

/** How far the memory of this process, page's server, proxy and client together, grows meanwhile. In megabytes. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  try {
    await work()
  } finally {
    clearInterval(watch)
  }
  return Math.max(0, most - before) / 1e6
}

/** From an edit to the message that tells a page of it, on both ways at once. */
async function viteUpdates(
  previews: Previews,
  { port, agent }: { readonly port: number; readonly agent: Agent },
): Promise<{ readonly direct: number[]; readonly through: number[] }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'proxy-bench-')))
  writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.js"></script>')
  writeFileSync(join(root, 'main.js'), 'import.meta.hot.accept()')
  const vite = await createVite({ root, logLevel: 'silent', configFile: false, server: { host: '127.0.0.1', port: 0 } })
  const sockets: WebSocket[] = []
  const took = { direct: [] as number[], through: [] as number[] }
  try {
    await vite.listen()
    const bound = vite.httpServer?.address()
    const own = typeof bound === 'object' && bound !== null ? bound.port : 0
    const way = await wayTo(previews, { port, own, agent })
    const query = `/?token=${vite.config.webSocketToken}`
    const direct = new WebSocket(`ws://127.0.0.1:${own}${query}`, 'vite-hmr', { origin: `http://127.0.0.1:${own}` })
    const through = new WebSocket(`ws://127.0.0.1:${port}${query}`, 'vite-hmr', {
      origin: way.origin,
      headers: way.headers,
    })
    sockets.push(direct, through)
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))))
    await timed({ port: own, agent, headers: {} }, '/main.js')
    for (let edit = 0; edit < EDITS; edit++) {
      const began = performance.now()
      const arrived = async (socket: WebSocket, times: number[]): Promise<void> => {
        await updateOn(socket)
        times.push(performance.now() - began)
      }
      const both = Promise.all([arrived(direct, took.direct), arrived(through, took.through)])
      writeFileSync(join(root, 'main.js'), `import.meta.hot.accept() // ${edit}`)
      await both
      await timed({ port: own, agent, headers: {} }, `/main.js?t=${edit}`)
      await passed(60)
    }
    return took
  } finally {
    for (const socket of sockets) socket.terminate()
    await vite.close()
    rmSync(root, { recursive: true, force: true })
  }
}

function updateOn(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const look = (data: unknown): void => {
      const { type } = JSON.parse(String(data)) as { readonly type?: string }
      if (type !== 'update' && type !== 'full-reload') return
      socket.off('message', look)
      resolve()
    }
    socket.on('message', look)
  })
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
