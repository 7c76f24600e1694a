import { type NewEntry, overview } from '@holdfast/conversation'
import { conversationCreated, runStarted, stepFinished, stepStarted, wholeTurn } from '@holdfast/conversation/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { countMessages } from '../src/log/path-log.ts'
import { createPathReader } from '../src/log/path-reader.ts'
import { createManualClock } from '../src/testing/index.ts'

const TURNS = 300
const ID = 'c1'

async function longLog() {
  const { store } = createMemoryStore({ clock: createManualClock() })
  const turns = Array.from({ length: TURNS }, (_, number) => [
    ...wholeTurn(number, { asked: 'Why so?', answered: 'So.' }),
    ...(number % 10 === 0 ? title(number) : []),
  ])
  const created = [conversationCreated('user_1'), ...turns.flat()]
  const { entries } = await store.append({ conversationId: ID, after: 0, entries: created, at: 1 })
  let readCount = 0
  const counted = {
    read: (query: Parameters<typeof store.read>[0]) => {
      readCount += 1
      return store.read(query)
    },
  }
  return {
    reader: createPathReader(counted, ID),
    state: overview.reduce(overview.initial, entries),
    reads: () => readCount,
    async append(added: readonly NewEntry[]) {
      const after = entries.length
      const appended = await store.append({ conversationId: ID, after, entries: added, at: 1 })
      return overview.reduce(overview.initial, [...entries, ...appended.entries])
    },
  }
}

/** A title is made now and then: nobody reads it as a message. */
function title(number: number): readonly NewEntry[] {
  const [runId, stepId] = [`run_title_${number}`, `step_title_${number}`]
  return [runStarted(runId, 'title'), stepStarted(runId, stepId, 'title'), stepFinished(runId, stepId, [])]
}

it('[WIN5] a long path is read back as far as the window can hold, and no further', async () => {
  const { reader, state, reads } = await longLog()
  const { entries } = await reader.read(state, 100)
  expect(entries.length).toBeLessThan(state.head / 4)
  expect(entries.at(-1)?.seq).toBe(state.head)
  expect(reads()).toBeLessThan(3)
})

it('[WIN7] counts the messages of the path between two entries, read or not', async () => {
  const { reader, state } = await longLog()
  const sent = await reader.read(state, 100)
  expect(sent.reachesBeginning).toBe(false)
  expect(countMessages(sent.entries)).toBeLessThan(TURNS)
  const [from = 0] = sent.entries.map(({ seq }) => seq)
  const whole = await reader.read(state, Number.POSITIVE_INFINITY)
  expect(whole.reachesBeginning).toBe(true)
  expect(countMessages(whole.entries)).toBe(2 * TURNS)
  for (const [fromSeq, beforeSeq] of [
    [1, from],
    [1, state.head + 1],
    [500, 1_500],
    [from + 10, from + 30],
    [from - 40, from + 40],
  ] as const) {
    const counted = countMessages(whole.entries.filter(({ seq }) => seq >= fromSeq && seq < beforeSeq))
    expect(await sent.countMessages(fromSeq, beforeSeq)).toBe(counted)
    expect(await whole.countMessages(fromSeq, beforeSeq)).toBe(counted)
  }
})

it('[REQ1] what was read for one request does not grow with what comes after it', async () => {
  const { reader, state, append } = await longLog()
  const first = await reader.read(state, 100)
  const count = first.entries.length
  const next = await reader.read(await append(wholeTurn(TURNS, { asked: 'And?', answered: 'So too.' })), 100)
  expect(next.entries.length).toBeGreaterThan(count)
  expect(first.entries).toHaveLength(count)
})
