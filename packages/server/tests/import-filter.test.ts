import { API_PATH, ImportAnswer } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claudeLog } from './support/claude-log.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(() => served.close())

async function sent(query: string, content: string) {
  return fetch(`${served.url}${API_PATH}/import?name=a.jsonl&${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
}

/** Imports a text and waits for its end. */
async function imported(query: string, content: string): Promise<ImportAnswer> {
  const begun = await sent(query, content)
  expect(begun.status).toBe(202)
  let answer = ImportAnswer.parse(await begun.json())
  await expect
    .poll(async () => {
      answer = ImportAnswer.parse((await served.call('GET', `${API_PATH}/imports/${answer.id}?waitMs=2000`)).body)
      return answer.state
    })
    .not.toBe('running')
  return answer
}

async function count(): Promise<number> {
  const { body } = await served.call('GET', `${API_PATH}/conversations`)
  return (body as { conversations: unknown[] }).conversations.length
}

const CHATS = `
# aider chat started at 2024-08-05 19:33:02

#### An old question  

An answer.

# aider chat started at 2025-01-02 08:00:00

#### A new question  

Another answer.
`

test('[LOG1, PRJ5] a dry run reads everything, writes nothing, and says what would be there', async () => {
  const looked = await imported('dryRun=true', claudeLog('s', 4))
  expect(looked).toMatchObject({ state: 'finished', isDryRun: true, format: 'claude-code', imported: 1, updated: 0 })
  expect(looked.entryCount).toBeGreaterThan(4)
  expect(looked.conversationIds).toEqual([])
  expect(await count()).toBe(0)
  const real = await imported('', claudeLog('s', 4))
  expect(real).toMatchObject({ isDryRun: false, imported: 1, entryCount: looked.entryCount })
  expect(await imported('dryRun=true', claudeLog('s', 6))).toMatchObject({ imported: 0, updated: 1 })
  expect(await imported('', claudeLog('s', 4))).toMatchObject({ imported: 0, alreadyThere: 1 })
})

test('[LOG4] conversations that began before a date are left out and said, and come when nothing is asked', async () => {
  const some = await imported('since=2025-01-01', CHATS)
  expect(some).toMatchObject({ state: 'finished', imported: 1, skippedCounts: { 'before-date': 1 } })
  expect(await imported('', CHATS)).toMatchObject({ imported: 1, alreadyThere: 1 })
  expect(await imported('since=2025-01-01', CHATS)).toMatchObject({
    alreadyThere: 1,
    skippedCounts: { 'before-date': 1 },
  })
  expect(await count()).toBe(2)
  expect((await sent('since=yesterday', CHATS)).status).toBe(400)
})

test('[LOG7] a source of another format than was asked for is refused by both names', async () => {
  expect(await imported('format=aider', CHATS)).toMatchObject({ state: 'finished', imported: 2 })
  expect(await imported('format=chatgpt', claudeLog('s', 4))).toMatchObject({
    state: 'failed',
    imported: 0,
    problem: expect.stringContaining('The source is of the format claude-code, and chatgpt was asked for'),
  })
  expect(await count()).toBe(2)
})
