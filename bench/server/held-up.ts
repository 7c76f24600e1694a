import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import * as z from 'zod'
import { type Benchmark, type Figure, median, quantile } from '../lib/measure.ts'
import { systemClock, VOCABULARY } from '../lib/stores.ts'
import { processOf } from './program-memory.ts'
import { readPages } from './read-pages.ts'
import { type ServerProcess, startProgram } from './server-processes.ts'

const MB = 1_000_000
/** Megabytes of what is asked for. */
const SIZES = [1, 100] as const
/** Each is asked so often, in turn with the same time without it. */
const ROUNDS = process.env['HOLDFAST_FULL'] === '1' ? 7 : 3
/** What is over sooner is asked again until then, in milliseconds. */
const LEAST_MS = 1_000
const MOST_MORE_MS = 50
/** Nothing is asked of a model. */
const NO_PROVIDER = 'http://127.0.0.1:9'

/** How long requests of one person hold another's up. */
export const heldUp: Benchmark = {
  name: 'held-up',
  about: `how long a short request of somebody else takes at most while one person searches, exports, reads pages of entries, looks through a folder and imports, each over ${SIZES.join(' and ')} MB of what is dearest for it; beside the same time without it, in turn`,
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-held-up-'))
    try {
      await writeLogs(join(folder, 'data', 'store'))
      await writeFile(
        join(folder, 'data', 'holdfast.json'),
        JSON.stringify({ workspaceRoots: [join(folder, 'rooms')] }),
      )
      const program = await startProgram(NO_PROVIDER, join(folder, 'data'), {})
      const other = startOther(program, await processOf(join(folder, 'data')))
      try {
        const figures: Figure[] = []
        for (const { name, sizes, ask } of await asksOf(program, folder))
          for (const size of sizes) figures.push(await measured(other, { name, size, ask, report }))
        return figures
      } finally {
        await other.close()
        await program.close()
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

type Program = Pick<ServerProcess, 'url' | 'token'>

/** Something that one person asks for, of so many megabytes. */
interface Ask {
  readonly name: string
  /** In megabytes. */
  readonly sizes: readonly number[]
  ask(size: number): Promise<void>
}

interface Measuring {
  readonly name: string
  readonly size: number
  readonly ask: Ask['ask']
  readonly report: (line: string) => void
}

/** Beside others on the machine a wall clock tells mostly the wait for a processor: what counts is how long the server was busy. */
async function measured(other: Other, { name, size, ask, report }: Measuring): Promise<Figure> {
  const rounds: { readonly beside: readonly Waited[]; readonly alone: readonly Waited[] }[] = []
  const lasted: number[] = []
  await ask(size === SIZES[1] ? SIZES[0] : size)
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    let times = 0
    const beside = await other.during(async () => {
      do await ask(size)
      while (++times > 0 && performance.now() - began < LEAST_MS)
    })
    const lastedMs = performance.now() - began
    lasted.push(lastedMs / times)
    rounds.push({ beside, alone: await other.during(() => passed(lastedMs)) })
  }
  const of = (which: 'beside' | 'alone', share: number, read: (waited: Waited) => number) =>
    median(rounds.map((round) => quantile(round[which].map(read), share)))
  const words = (which: 'beside' | 'alone') => {
    const clock = [0.5, 0.99, 1].map((share) => of(which, share, ({ wallMs }) => wallMs).toFixed(1)).join(', ')
    const busy = [of(which, 1, ({ mainMs }) => mainMs), of(which, 1, ({ storeMs }) => storeMs)]
    return `p50, p99, slowest ${clock} ms by the clock, busy at most ${busy.map((ms) => ms.toFixed(1)).join(' and the store ')} ms`
  }
  report(
    `${name} of ${size} MB, ${median(lasted).toFixed(0)} ms each: another's ${words('beside')}; alone ${words('alone')}`,
  )
  const [value, baseline] = [of('beside', 1, busyMs), of('alone', 1, busyMs)]
  return {
    name: `held-up: ${name} of ${size} MB, longest that the server was busy before it answered another`,
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    goal: `at most ${MOST_MORE_MS} ms more`,
    met: value - baseline <= MOST_MORE_MS,
  }
}

/** At most this long it would have waited on a machine with nothing else to do. */
const busyMs = ({ mainMs, storeMs }: Waited): number => mainMs + storeMs

/** One request: how long it took, and how long the thread that serves and those of the store were busy meanwhile. */
const Waited = z.object({ wallMs: z.number(), mainMs: z.number(), storeMs: z.number() })
type Waited = z.infer<typeof Waited>

/** Somebody else, who asks for little again and again. */
interface Other {
  /** What each request waited while something was done. */
  during(work: () => Promise<void>): Promise<readonly Waited[]>
  close(): Promise<void>
}

/** A thread of its own: what this one reads of large answers must not be counted. */
function startOther({ url, token }: Program, pid: number): Other {
  const worker = new Worker(new URL('./other-requests.ts', import.meta.url), { workerData: { url, token, pid } })
  const taken = async (): Promise<readonly Waited[]> => {
    const told = once(worker, 'message')
    worker.postMessage('taken')
    const [times] = await told
    return z.array(Waited).parse(times)
  }
  return {
    async during(work) {
      await taken()
      await work()
      return taken()
    },
    async close() {
      await worker.terminate()
    },
  }
}

async function asksOf(program: Program, folder: string): Promise<readonly Ask[]> {
  const search = (query: string) => async (): Promise<void> =>
    gone(await get(program, `/search?limit=200&q=${encodeURIComponent(query)}`))
  const exported = (format: string) => async (size: number) =>
    gone(await get(program, `/conversations/${conversationOf(size)}/export?format=${format}`))
  const all = [SIZES.reduce((sum, size) => sum + size, 0)]
  return [
    // What is searched is all that there is.
    { name: 'a search of one word 500 times', sizes: all, ask: search('a '.repeat(500)) },
    { name: 'a search of 100 words', sizes: all, ask: search(hundredWords()) },
    { name: 'an export as html', sizes: SIZES, ask: exported('html') },
    { name: 'an export as md', sizes: SIZES, ask: exported('md') },
    {
      name: 'all pages of entries',
      sizes: SIZES,
      ask: async (size) => void (await readPages({ program, conversationId: conversationOf(size) })),
    },
    {
      name: 'a search in a folder whose .gitignore is a line',
      sizes: SIZES,
      ask: await folderSearch(program, folder),
    },
    { name: 'an import', sizes: SIZES, ask: (size) => imported(program, size) },
  ]
}

function get({ url, token }: Program, path: string): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
}

/** Reads an answer as it comes, and forgets it. */
async function gone(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  for await (const _ of answer.body ?? []);
}

/** Opens two folders, each with a .gitignore of so many megabytes, and looks for a name in one. */
async function folderSearch({ url, token }: Program, folder: string): Promise<Ask['ask']> {
  const ids = new Map<number, string>()
  for (const size of SIZES) {
    const path = join(folder, 'rooms', `folder-${size}`)
    await mkdir(path, { recursive: true })
    await writeFile(join(path, '.gitignore'), `${' '.repeat(size * MB)}x\n`)
    for (let number = 0; number < 100; number++) await writeFile(join(path, `${number}.txt`), `${number}\n`)
    const answer = await fetch(`${url}/api/v1/workspaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ root: path }),
    })
    const said: unknown = await answer.json()
    const opened = z.object({ id: z.string() }).safeParse(said)
    if (!opened.success) throw new Error(`No folder was opened: ${JSON.stringify(said)}`)
    ids.set(size, opened.data.id)
  }
  return async (size) => {
    const answer = await get({ url, token }, `/workspaces/${ids.get(size)}/search?q=42`)
    // What is not read within its time is refused in words: it may take no longer.
    await (answer.status === 422 ? answer.arrayBuffer() : gone(answer))
  }
}

const Imported = z.object({ id: z.string() })
const ImportState = z.object({ state: z.string() })
let importNumber = 0

/** Imports a log of another program with messages of a megabyte, to its end. */
async function imported({ url, token }: Program, size: number): Promise<void> {
  importNumber += 1
  const session = `session_${importNumber}`
  const lines = Array.from({ length: size }, (_, index) => claudeLine(session, index))
  const started = await fetch(`${url}/api/v1/import?name=log.jsonl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: lines.join('\n'),
  })
  const { id } = Imported.parse(await started.json())
  for (;;) {
    const { state } = ImportState.parse(await (await get({ url, token }, `/imports/${id}?waitMs=20000`)).json())
    if (state === 'finished') return
    if (state !== 'running') throw new Error(`The import ended as ${state}`)
  }
}

function claudeLine(sessionId: string, index: number): string {
  return JSON.stringify({
    sessionId,
    uuid: `${sessionId}_${index}`,
    parentUuid: index === 0 ? null : `${sessionId}_${index - 1}`,
    type: 'user',
    timestamp: new Date(Date.UTC(2026, 1, 2, 0, 0, index)).toISOString(),
    message: { role: 'user', content: DEAR },
  })
}

function conversationOf(size: number): string {
  return `conversation_of_${size}`
}

function hundredWords(): string {
  return VOCABULARY.slice(0, 100).join(' ')
}

/** A megabyte that is dear to search, and to show: words of a query, and an address that does not end. */
const DEAR = `${hundredWords()} ${'a '.repeat(MB / 4)}http://a${'.'.repeat(MB / 2)}x`

async function writeLogs(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
  for (const size of SIZES) {
    const conversationId = conversationOf(size)
    let { entries } = await store.append({
      conversationId,
      after: 0,
      entries: [conversationCreated('local')],
      at: systemClock.now(),
    })
    for (let number = 0; number < size; number++) {
      const after = entries.at(-1)?.seq ?? 0
      const said = [userMessageSent('run_1', `input_${number}`, DEAR)]
      entries = (await store.append({ conversationId, after, entries: said, at: systemClock.now() })).entries
    }
  }
  await close()
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(ms, resolve))
}
