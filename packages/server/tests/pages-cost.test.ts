import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewEntry } from '@holdfast/conversation'
import { wholeTurn } from '@holdfast/conversation/testing'
import { API_PATH } from '@holdfast/protocol'
import { createSqliteStore } from '@holdfast/store/sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type Served, serve } from './support/serve.ts'

let served: Served
let dataDir: string

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-pages-cost-'))
  served = await serve({ webRoot: null, openStore: (clock) => createSqliteStore({ dataDir, clock }) })
})

afterEach(async () => {
  await served.close()
  rmSync(dataDir, { recursive: true })
})

const FEW_TURNS = 40
const FEW_CHARS = 2_000

/** A conversation of so many turns, each of so many characters. */
async function conversationOf({ turns, characters }: { readonly turns: number; readonly characters: number }) {
  const id = await served.newConversation()
  const text = 'a word '.repeat(characters / 14)
  const entries: NewEntry[] = Array.from({ length: turns }, (_, number) =>
    wholeTurn(number, { asked: text, answered: text }),
  ).flat()
  const { head } = await served.store.read({ conversationId: id, after: 0, limit: 1 })
  await served.store.append({ conversationId: id, after: head, entries, at: 1 })
  return { id, count: head + entries.length }
}

const Page = z.object({ entries: z.array(z.object({ seq: z.int() })), head: z.int() })

/** The least processor time of some readings of all pages of a conversation, in milliseconds. */
async function timeOf({ id, count }: Awaited<ReturnType<typeof conversationOf>>, times: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const begun = process.threadCpuUsage()
    for (let time = 0; time < times; time++) {
      let read = 0
      for (let after = 0; read < count; ) {
        const { body } = await served.call('GET', `${API_PATH}/conversations/${id}/entries?limit=1000&after=${after}`)
        const { entries } = Page.parse(body)
        read += entries.length
        after = entries.at(-1)?.seq ?? count
      }
      expect(read).toBe(count)
    }
    const { user, system } = process.threadCpuUsage(begun)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

test.each([
  ['as many turns', { turns: 10 * FEW_TURNS, characters: FEW_CHARS }],
  ['as long ones', { turns: FEW_TURNS, characters: 10 * FEW_CHARS }],
] as const)(
  '[SEC28] all pages of entries of a conversation of ten times %s are read in at most twelve times the time',
  async (_, large) => {
    const few = await conversationOf({ turns: FEW_TURNS, characters: FEW_CHARS })
    const many = await conversationOf(large)
    await timeOf(few, 1)
    // Other work on the machine takes from one of both: what is too slow is so each time.
    await expect
      .poll(async () => (await timeOf(many, 1)) - (1.2 * (await timeOf(few, 10)) + 10), {
        interval: 0,
        timeout: 20_000,
      })
      .toBeLessThan(0)
  },
  30_000,
)
