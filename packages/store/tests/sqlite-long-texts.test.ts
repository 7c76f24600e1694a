import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type EntryStore, parseSearchQuery } from '@holdfast/conversation'
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../src/sqlite/create-sqlite-store.ts'
import { systemClock } from './support/system-clock.ts'

const MEGABYTE = 1_000_000
/** As many messages of a megabyte. */
const MESSAGES = 60

let folder = ''
let store: EntryStore
let close: () => Promise<void>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'long-texts-'))
  const opened = await createSqliteStore({ dataDir: join(folder, 'store'), clock: systemClock })
  store = opened.store
  close = opened.close
  await store.append({ conversationId: 'small', after: 0, entries: [conversationCreated('user_2')], at: 1 })
  await store.append({ conversationId: 'large', after: 0, entries: [conversationCreated('user_1')], at: 1 })
  for (let number = 1; number <= MESSAGES; number++) {
    const said = `message ${number} ${'a '.repeat(MEGABYTE / 2)}`
    const entries = [userMessageSent('run_1', `input_${number}`, said)]
    await store.append({ conversationId: 'large', after: number, entries, at: number + 1 })
  }
}, 60_000)

afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

const search = (typed: string, limit: number) =>
  store.search({ ownerId: 'user_1', query: parseSearchQuery(typed), limit })

/** How long the loop worked while something was done, in milliseconds. */
async function workOf(act: () => Promise<unknown>): Promise<number> {
  const before = performance.eventLoopUtilization()
  await act()
  return performance.eventLoopUtilization(before).active
}

describe('a search that finds messages of a megabyte', () => {
  it('[LOG15] takes no work of the loop that serves others, however many it finds', async () => {
    await search('a ', 1)
    const few = Math.min(await workOf(() => search('a ', 1)), await workOf(() => search('a ', 1)))
    const many = Math.min(await workOf(() => search('a ', MESSAGES)), await workOf(() => search('a ', MESSAGES)))
    expect(await search('a ', MESSAGES)).toHaveLength(MESSAGES)
    // One text that is taken apart there is more than all of this together.
    expect(many).toBeLessThan(few * 3 + MESSAGES / 2)
  })

  it('[LOG15] lets readings of others come in between', async () => {
    let isOver = false
    const searching = search('a ', MESSAGES).then(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      await store.readListing('small')
      answered += 1
    }
    await searching
    expect(answered).toBeGreaterThan(MESSAGES / 4)
  })

  it('[LOG15] is not slower for a hundred words than for one', async () => {
    const timeOf = async (typed: string): Promise<number> => {
      const times: number[] = []
      for (let round = 0; round < 3; round++) {
        // Of all threads: the search works in one of its own, and others on the machine are not counted.
        const begun = process.cpuUsage()
        await search(typed, 3)
        const { user, system } = process.cpuUsage(begun)
        times.push((user + system) / 1_000)
      }
      return Math.min(...times)
    }
    const hundred = ['message', ...Array.from({ length: 99 }, () => 'a')].join(' ')
    expect(await timeOf(hundred)).toBeLessThan(12 * (await timeOf('message ')) + 5)
    expect(await timeOf('a '.repeat(500))).toBeLessThan(12 * (await timeOf('a ')) + 5)
  })
})
