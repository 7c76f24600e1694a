import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryStore, NewEntry } from '@holdfast/conversation'
import { conversationCreated, toolCallSettled, wholeTurn } from '@holdfast/conversation/testing'
import { createSqliteStore } from '@holdfast/store/sqlite'
import type { Benchmark, Figure } from '../lib/measure.ts'
import { fillConversationOf, systemClock } from '../lib/stores.ts'
import { highestOf, memoryOf } from './program-memory.ts'
import { readPages } from './read-pages.ts'
import { startProgram } from './server-processes.ts'

const MIB = 1_024 * 1_024
const MOST_MIB = 100
/** Who read it at the same time. */
const READERS = 4
/** Nothing is asked of a model. */
const NO_PROVIDER = 'http://127.0.0.1:9'
const OWNER = 'local'
/** What of the usual is read before: what is compiled and kept for it belongs to the server. */
const FIRST = 'conversation_first'
const FIRST_ENTRIES = 5_000
/** What one result of a tool has at most, in characters. */
const RESULT_LENGTH = 50_000
const RESULTS = 4_000

const LOGS: readonly { readonly what: string; readonly fill: (store: EntryStore, id: string) => Promise<unknown> }[] = [
  {
    what: 'of 100,000 messages',
    fill: (store, conversationId) =>
      fillConversationOf(store, { conversationId, ownerId: OWNER, entryCount: messageEntries(100_000) }),
  },
  {
    what: `of ${RESULTS} results of ${RESULT_LENGTH} characters`,
    fill: (store, conversationId) => fillWith(store, { conversationId, parts: RESULTS / 50, partOf: fiftyResults }),
  },
  {
    what: 'of 400 messages of a megabyte',
    fill: (store, conversationId) => fillWith(store, { conversationId, parts: 200, partOf: longTurn }),
  },
]

/** What the pages of a long log take of the server's memory. */
export const pages: Benchmark = {
  name: 'pages',
  about: `all pages of entries of a conversation, ${READERS} readers at once, from the built program: how much its memory grows at most, by what the log has`,
  async run(report) {
    const figures: Figure[] = []
    for (const { what, fill } of LOGS) {
      const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-pages-'))
      try {
        await written(join(dataDir, 'store'), fill)
        const program = await startProgram(NO_PROVIDER, dataDir, {})
        try {
          const memory = await memoryOf(dataDir)
          for (let time = 0; time < 3; time++) await readPages({ program, conversationId: FIRST })
          const before = await memory()
          let isOver = false
          const highest = highestOf(memory, () => isOver)
          const began = performance.now()
          const readers = Array.from({ length: READERS }, () => readPages({ program, conversationId: LONG }))
          const [count = 0] = await Promise.all(readers).finally(() => {
            isOver = true
          })
          report(`${count} entries ${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`)
          const [value, baseline] = [(await highest) / MIB, before / MIB]
          figures.push({
            name: `pages ${what}: resident memory, at most`,
            value,
            unit: 'MiB',
            baseline,
            ratio: value / baseline,
            goal: `grows by at most ${MOST_MIB} MiB`,
            met: value - baseline <= MOST_MIB,
          })
        } finally {
          await program.close()
        }
      } finally {
        await rm(dataDir, { recursive: true })
      }
    }
    return figures
  },
}

const LONG = 'conversation_long'

async function written(dataDir: string, fill: (store: EntryStore, id: string) => Promise<unknown>): Promise<void> {
  const { store, close } = await createSqliteStore({ dataDir, clock: systemClock })
  await fillConversationOf(store, { conversationId: FIRST, ownerId: OWNER, entryCount: FIRST_ENTRIES })
  await fill(store, LONG)
  await close()
}

/** Of a turn's entries two are messages. */
function messageEntries(messages: number): number {
  return (wholeTurn(0, { asked: '', answered: '' }).length * messages) / 2
}

interface Filling {
  readonly conversationId: string
  readonly parts: number
  readonly partOf: (number: number) => readonly NewEntry[]
}

async function fillWith(store: EntryStore, { conversationId, parts, partOf }: Filling): Promise<void> {
  let { entries } = await store.append({ conversationId, after: 0, entries: [conversationCreated(OWNER)], at: 1 })
  for (let number = 0; number < parts; number++) {
    const after = entries.at(-1)?.seq ?? 0
    entries = (await store.append({ conversationId, after, entries: partOf(number), at: number + 2 })).entries
  }
}

function fiftyResults(number: number): readonly NewEntry[] {
  const content = [{ type: 'text' as const, text: 'result '.repeat(RESULT_LENGTH / 7) }]
  return Array.from({ length: 50 }, (_, index) => ({
    ...toolCallSettled('run_1', `step_${number}`, { callId: `call_${number}_${index}`, name: 'read', outcome: 'ok' }),
    content,
  }))
}

function longTurn(number: number): readonly NewEntry[] {
  return wholeTurn(number, { asked: 'word '.repeat(MIB / 5), answered: 'more '.repeat(MIB / 5) })
}
