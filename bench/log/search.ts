import { type EntryStore, parseSearchQuery } from '@holdfast/conversation'
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { type Benchmark, type Figure, quantile, timeMs } from '../lib/measure.ts'
import { textOf, VOCABULARY, withSqliteStore } from '../lib/stores.ts'

const MESSAGES = 100_000
const CONVERSATIONS = 100

/** Searching all messages of an owner. */
export const search: Benchmark = {
  name: 'search',
  about: `words, phrases and beginnings in ${MESSAGES.toLocaleString('en')} messages of ${CONVERSATIONS} conversations, p95, beside reading one page of the log`,
  run: (report) =>
    withSqliteStore(async (store) => {
      await fill(store)
      report(`filled ${MESSAGES.toLocaleString('en')} messages`)
      const times: number[] = []
      const pages: number[] = []
      for (const typed of queries()) {
        const query = parseSearchQuery(typed)
        times.push(await timeMs(() => store.search({ ownerId: 'user_1', query, limit: 20 })))
        pages.push(await timeMs(() => store.read({ conversationId: 'conversation_1', after: 0, limit: 200 })))
      }
      const value = quantile(times, 0.95)
      const baseline = quantile(pages, 0.95)
      const goal = 'at most 50 ms'
      const ofAll = { name: 'search p95', value, unit: 'ms', baseline, ratio: value / baseline, goal, met: value <= 50 }
      return [ofAll, ...(await longTexts(store))]
    }),
}

/** Messages of a megabyte, and what is asked of them. */
const LONG = { owner: 'user_2', messages: 3, words: 'a '.repeat(500_000), queries: ['a '.repeat(500), hundredWords()] }

/** What a search costs that finds messages of a megabyte, and how long somebody else waits meanwhile. */
async function longTexts(store: EntryStore): Promise<readonly Figure[]> {
  const said = Array.from({ length: LONG.messages }, (_, number) =>
    userMessageSent('run_1', `input_${number}`, `${hundredWords()} ${LONG.words}`),
  )
  const entries = [conversationCreated(LONG.owner), ...said]
  await store.append({ conversationId: 'long', after: 0, entries, at: 1_000 })
  const other = () => timeMs(() => store.readListing('conversation_1'))
  const alone: number[] = []
  for (let round = 0; round < 200; round++) alone.push(await other())
  const figures: Figure[] = []
  for (const [number, typed] of LONG.queries.entries()) {
    const times: number[] = []
    const beside: number[] = []
    for (let round = 0; round < 20; round++) {
      const state = { isOver: false }
      const found = timeMs(() => store.search({ ownerId: LONG.owner, query: parseSearchQuery(typed), limit: 200 }))
      const over = found.then(() => {
        state.isOver = true
      })
      while (!state.isOver) beside.push(await other())
      await over
      times.push(await found)
    }
    const [value, waits, baseline] = [quantile(times, 0.95), quantile(beside, 1), quantile(alone, 1)]
    const name = `search of ${number === 0 ? 'one word 500 times' : '100 words'} in ${LONG.messages} MB`
    figures.push(
      { name: `${name}, p95`, value, unit: 'ms', baseline: null, ratio: null, goal: 'under 100 ms', met: value < 100 },
      {
        name: `${name}, slowest reading of another`,
        value: waits,
        unit: 'ms',
        baseline,
        ratio: waits / baseline,
        goal: 'under 50 ms more',
        met: waits - baseline < 50,
      },
    )
  }
  return figures
}

function hundredWords(): string {
  return VOCABULARY.slice(0, 100).join(' ')
}

async function fill(store: EntryStore): Promise<void> {
  for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
    const conversationId = `conversation_${conversation}`
    const messages = Array.from({ length: MESSAGES / CONVERSATIONS }, (_, index) => {
      const number = conversation * 1_000 + index
      const words = number % 10 === 0 ? `${textOf(number, 20)} 数据库的日志不会丢失 ${number}` : textOf(number, 40)
      return userMessageSent('run_1', `input_${number}`, words)
    })
    await store.append({ conversationId, after: 0, entries: [conversationCreated('user_1'), ...messages], at: 1_000 })
  }
}

/** Common and rare words, two of them, phrases that occur, beginnings, characters, and words that do not occur. */
function queries(): string[] {
  return Array.from({ length: 40 }, (_, number) => {
    const common = VOCABULARY[number] ?? ''
    const rare = VOCABULARY[1_999 - number * 7] ?? ''
    const phrase = textOf(number * 977, 40)
      .split(' ')
      .slice(3, 6)
      .join(' ')
    return [`${common} `, `${rare} `, `${common} ${rare} `, `"${phrase}"`, rare.slice(0, 3), '日志', 'absentword ']
  }).flat()
}
