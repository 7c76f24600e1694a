import type { EntryStore } from '@holdfast/conversation'
import { type Benchmark, type Figure, median, timeMs } from '../lib/measure.ts'
import { fillConversation, withSqliteStore } from '../lib/stores.ts'

const LENGTHS = [100, 10_000, 1_000_000]
const ROUNDS = 300

/** Reading the end of a short, a long and a very long log, in turns. */
export const tail: Benchmark = {
  name: 'tail',
  about: 'reading the last entries of logs of 100, 10,000 and 1,000,000 entries; the baseline is the fastest of them',
  run: (report) =>
    withSqliteStore(async (store) => {
      const heads = new Map<string, number>()
      for (const length of LENGTHS) {
        heads.set(`conversation_${length}`, await fillConversation(store, `conversation_${length}`, length))
        report(`filled a log of ${length.toLocaleString('en')} entries`)
      }
      return [await compare(store, heads, 100), await compare(store, without(heads, 'conversation_100'), 200)]
    }),
}

async function compare(store: EntryStore, heads: ReadonlyMap<string, number>, limit: number): Promise<Figure> {
  const times = new Map([...heads.keys()].map((conversationId) => [conversationId, [] as number[]]))
  for (let round = -20; round < ROUNDS; round++) {
    for (const [conversationId, head] of heads) {
      const ms = await timeMs(() => store.read({ conversationId, before: head + 1, limit }))
      if (round >= 0) times.get(conversationId)?.push(ms)
    }
  }
  const medians = [...times.values()].map(median)
  const value = Math.max(...medians)
  const baseline = Math.min(...medians)
  return {
    name: `tail ${limit} of ${[...heads.keys()].map((id) => id.slice('conversation_'.length)).join(', ')}`,
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    goal: 'the slowest at most 1.2 times the fastest',
    met: value / baseline <= 1.2,
  }
}

function without(heads: ReadonlyMap<string, number>, key: string): ReadonlyMap<string, number> {
  return new Map([...heads].filter(([id]) => id !== key))
}
