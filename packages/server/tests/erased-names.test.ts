import { BlobReference } from '@holdfast/conversation'
import { fileSent } from '@holdfast/conversation/testing'
import { API_PATH } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { type Served, serve, TOKEN } from './support/serve.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(() => served.close())

const KIND = { kind: 'attachment', schema: z.object({ name: z.string(), blob: BlobReference }) }

/** What is kept of attachments beside their content. */
async function keptNames(): Promise<readonly string[]> {
  const found = await served.records.list(KIND, { ownerId: 'local', limit: 100 })
  return found.map(({ value }) => value.name)
}

async function uploaded(name: string, content: string): Promise<string> {
  const body = new FormData()
  body.set('file', new File([content], name, { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${TOKEN}` }
  const answer = await fetch(`${served.url}${API_PATH}/attachments`, { method: 'POST', headers, body })
  return z.object({ id: z.string() }).parse(await answer.json()).id
}

async function sent(conversationId: string, attachmentId: string): Promise<void> {
  const record = await served.records.get(KIND, { ownerId: 'local', id: attachmentId })
  if (!record) throw new Error(`There is no attachment ${attachmentId}`)
  const { head: after } = await served.store.read({ conversationId, after: 0, limit: 1 })
  const entries = [fileSent('run_1', attachmentId, record.value.blob)]
  await served.store.append({ conversationId, after, entries, at: 2_000 })
}

test('[LOG9] the name of an attachment goes with the last message that has it, and with its conversation', async () => {
  const [one, two] = [await served.newConversation(), await served.newConversation()]
  await sent(one, await uploaded('erased.txt', 'first'))
  await sent(two, await uploaded('deleted.txt', 'second'))
  await uploaded('waiting.txt', 'third')
  expect([...(await keptNames())].sort()).toEqual(['deleted.txt', 'erased.txt', 'waiting.txt'])
  const { entries } = await served.store.read({ conversationId: one, after: 0, limit: 100 })
  const seqs = entries.filter(({ type }) => type === 'user-message-sent').map(({ seq }) => seq)
  const erase = (dryRun: boolean) =>
    served.call('POST', `${API_PATH}/conversations/${one}/erase`, { seqs, results: false, reason: 'private', dryRun })
  expect((await erase(true)).status).toBe(200)
  expect(await keptNames()).toHaveLength(3)
  expect((await erase(false)).status).toBe(200)
  expect([...(await keptNames())].sort()).toEqual(['deleted.txt', 'waiting.txt'])
  expect((await served.call('DELETE', `${API_PATH}/conversations/${two}`)).status).toBe(200)
  expect(await keptNames()).toEqual(['waiting.txt'])
})
