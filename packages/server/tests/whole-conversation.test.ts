import type { NewEntry } from '@holdfast/conversation'
import { API_PATH, LedgerAnswer, ToolRow, UsageAnswer } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { realClock } from './support/real-ports.ts'
import { type Served, serve } from './support/serve.ts'
import { greet } from './support/socket-client.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(async () => {
  await served.close()
})

const COMPOSERS = { kind: 'composer', schema: z.json() }

const text = (words: string) => [{ type: 'text', text: words }]
const at = (id: string, path: string) => `${API_PATH}/conversations/${id}${path}`

/** Sends words and lets the model answer. @returns the end of the exchange. */
async function turn(id: string, words: string): Promise<number> {
  await served.call('POST', at(id, '/inputs'), { commandId: `send ${words}`, content: text(words) })
  return answered(`Answer to ${words}`, id)
}

async function answered(words: string, id: string): Promise<number> {
  await served.model.asked()
  served.model.say(words)
  served.model.end()
  await expect.poll(async () => (await served.store.readListing(id))?.state).toBe('idle')
  return (await served.store.readListing(id))?.head ?? 0
}

async function readWords(id: string): Promise<readonly string[]> {
  const { body } = await served.call('GET', at(id, '/transcript'))
  const { items } = body as { items: { role: string; parts: { text: string }[] }[] }
  return items.filter(({ role }) => role === 'user' || role === 'assistant').map(({ parts }) => parts[0]?.text ?? '')
}

test('[PRJ6] an edit over HTTP sets aside what followed, leaves an accounting line, and is undone by selecting the branch', async () => {
  const id = await served.newConversation()
  const first = await turn(id, 'One')
  const second = await turn(id, 'Two')
  const rewind = { commandId: 'edit', toSeq: first, reason: 'edit', content: text('Two, better') }
  const rewound = await served.call('POST', at(id, '/rewind'), rewind)
  expect(rewound).toMatchObject({ status: 200, body: { seq: second + 1, inputId: expect.stringMatching(/^input_/) } })
  expect(await served.call('POST', at(id, '/rewind'), rewind)).toEqual(rewound)
  const again = await served.call('POST', at(id, '/rewind'), { ...rewind, commandId: 'edit 2' })
  expect(again).toMatchObject({ status: 409, body: { code: 'run-active' } })
  await answered('Better', id)
  expect(await readWords(id)).toEqual(['One', 'Answer to One', 'Two, better', 'Better'])
  const { body } = await served.call('GET', at(id, '/transcript'))
  expect((body as { items: unknown[] }).items).toContainEqual(
    expect.objectContaining({
      role: 'accounting',
      code: 'path-rewound',
      notSent: true,
      accounting: expect.objectContaining({
        reason: 'edit',
        setAsideCount: 2,
        totals: expect.objectContaining({ requestCount: 2 }),
      }),
    }),
  )
  const inside = await served.call('POST', at(id, '/rewind'), { commandId: 'in', toSeq: first - 1, reason: 'rewind' })
  expect(inside).toMatchObject({ status: 422, body: { code: 'path-refused' } })
  expect(await served.call('POST', at(id, '/select-path'), { commandId: 'back', head: second })).toMatchObject({
    status: 200,
  })
  expect(await readWords(id)).toEqual(['One', 'Answer to One', 'Two', 'Answer to Two'])
})

test('[LOG12] a reset over HTTP leads to a fresh conversation, a fork to one with the path in it', async () => {
  const id = await served.newConversation()
  const end = await turn(id, 'One')
  const forked = await served.call('POST', at(id, '/fork'), { commandId: 'fork', atSeq: end })
  expect(forked).toMatchObject({ status: 201, body: { messageCount: 2, archived: false } })
  const forkId = (forked.body as { id: string }).id
  expect(await readWords(forkId)).toEqual(['One', 'Answer to One'])
  const reset = await served.call('POST', at(id, '/reset'), { commandId: 'reset' })
  expect(reset).toMatchObject({ status: 201, body: { messageCount: 0, archived: false } })
  expect((await served.call('GET', at(id, ''))).body).toMatchObject({ archived: true })
  const listed = async (query: string) => {
    const { body } = await served.call('GET', `${API_PATH}/conversations${query}`)
    return (body as { conversations: { id: string }[] }).conversations.map((row) => row.id)
  }
  expect(await listed('?archived=true')).toEqual([id])
  expect(await listed('')).not.toContain(id)
  const undone = await served.call('PATCH', at(id, ''), { commandId: 'undo', archived: false })
  expect(undone).toMatchObject({ status: 200, body: { archived: false, id } })
  const next = (reset.body as { id: string }).id
  expect((await served.call('GET', at(next, ''))).body).toMatchObject({ archived: true })
})

test('[UI39] the row of a branched conversation says which one it was branched from, and no other row does', async () => {
  const id = await served.newConversation()
  const end = await turn(id, 'One')
  const { body: fork } = await served.call('POST', at(id, '/fork'), { commandId: 'fork', atSeq: end })
  expect(fork).toMatchObject({ forkedFromId: id })
  const { body } = await served.call('GET', `${API_PATH}/conversations`)
  const { conversations } = body as { conversations: { id: string; forkedFromId: string | null }[] }
  const origins = new Map(conversations.map((row) => [row.id, row.forkedFromId]))
  expect([origins.get((fork as { id: string }).id), origins.get(id)]).toEqual([id, null])
  const reset = await served.call('POST', at(id, '/reset'), { commandId: 'reset' })
  expect(reset.body).toMatchObject({ forkedFromId: null })
})

test('[SYNC4] the same commands over the socket: accepted where they lead to', async () => {
  const id = await served.newConversation()
  const end = await turn(id, 'One')
  const client = await greet(served)
  const base = { type: 'command', conversationId: id } as const
  client.send({ ...base, name: 'fork', commandId: 'fork', atSeq: end })
  const forked = await client.next('accepted', ({ commandId }) => commandId === 'fork')
  expect(forked.conversationId).not.toBe(id)
  client.send({ ...base, name: 'change-conversation', commandId: 'name', title: 'Mine' })
  await client.next('accepted', ({ commandId }) => commandId === 'name')
  expect((await served.store.readListing(id))?.title).toBe('Mine')
  client.send({ ...base, name: 'rewind', commandId: 'in', toSeq: end - 1, reason: 'retry' })
  const refused = await client.next('refused')
  expect(refused).toMatchObject({ commandId: 'in', problem: { code: 'path-refused' } })
  client.send({ ...base, name: 'reset', commandId: 'reset' })
  const reset = await client.next('accepted', ({ commandId }) => commandId === 'reset')
  expect((await served.store.readListing(reset.conversationId))?.messageCount).toBe(0)
  client.socket.close()
})

test('[LOG9] an erasure reaches who follows: told of it, they follow again and read tombstones', async () => {
  const id = await served.newConversation()
  const end = await turn(id, 'A secret')
  const client = await greet(served)
  client.send({ type: 'follow', conversationId: id, after: 0 })
  expect(JSON.stringify(await client.next('entries'))).toContain('"A secret"')
  await client.next('caught-up')
  const { entries } = (await served.call('GET', at(id, '/entries'))).body as {
    entries: { type: string; seq: number }[]
  }
  const seq = entries.find(({ type }) => type === 'user-message-sent')?.seq ?? 0
  await expect
    .poll(() => served.call('POST', at(id, '/erase'), { seqs: [seq], reason: 'asked for' }))
    .toMatchObject({ status: 200 })
  expect(await client.next('erased')).toEqual({ type: 'erased', conversationId: id })
  client.send({ type: 'follow', conversationId: id, after: 0 })
  const again = await client.next('entries', ({ entries: [first] }) => first?.seq === 1)
  expect(again.entries.length).toBeGreaterThanOrEqual(end)
  expect(JSON.stringify(again)).not.toContain('"A secret"')
  expect(again.entries.find((entry) => entry.seq === seq)).toMatchObject({ type: 'body-erased', reason: 'asked for' })
  client.socket.close()
})

test('[LOG9] an erasure says first what it reaches; the transcript and the request of then say that it was done', async () => {
  const id = await served.newConversation()
  await turn(id, 'A secret')
  await turn(id, 'Harmless')
  const { items } = (await served.call('GET', at(id, '/transcript'))).body as { items: { seq: number; role: string }[] }
  const seq = items.find(({ role }) => role === 'user')?.seq ?? 0
  const wish = { seqs: [seq], reason: 'a slip' }
  const kinds = { 'input-admitted': 1, 'user-message-sent': 1 }
  const asked = await served.call('POST', at(id, '/erase'), { ...wish, dryRun: true })
  expect(asked).toMatchObject({ status: 200, body: { kinds, fileCount: 0, isErased: false } })
  expect(await readWords(id)).toContain('A secret')
  await expect
    .poll(() => served.call('POST', at(id, '/erase'), wish))
    .toMatchObject({ status: 200, body: { kinds, isErased: true } })
  expect(await served.call('POST', at(id, '/erase'), { ...wish, dryRun: true })).toMatchObject({ status: 422 })
  const { body } = await served.call('GET', at(id, '/transcript'))
  const receipt = { reason: 'a slip', erasedBy: { type: 'person', userId: 'local' }, together: kinds }
  expect(body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ seq, erasure: expect.objectContaining(receipt) })]),
  })
  const log = (await served.call('GET', at(id, '/entries'))).body as { entries: { type: string; stepId?: string }[] }
  const stepId = log.entries.findLast(({ type }) => type === 'step-started')?.stepId
  expect(await served.call('GET', at(id, `/requests/${stepId}`))).toMatchObject({
    body: { isExact: false, erasedSeqs: expect.arrayContaining([seq]) },
  })
})

test('[LOG9] deleting and erasing over HTTP say what they do not reach, and refuse while a turn runs', async () => {
  const id = await served.newConversation()
  await turn(id, 'A secret')
  const conversation = await served.call('GET', at(id, '/entries'))
  const { entries } = conversation.body as { entries: { type: string; seq: number }[] }
  const seq = entries.find(({ type }) => type === 'user-message-sent')?.seq ?? 0
  await expect
    .poll(() => served.call('POST', at(id, '/erase'), { seqs: [seq], reason: 'asked for' }))
    .toMatchObject({
      status: 200,
      body: { seqs: expect.arrayContaining([seq]), backups: expect.stringContaining('Backups') },
    })
  expect(JSON.stringify((await served.call('GET', at(id, '/entries'))).body)).not.toContain('"A secret"')
  expect(await served.call('POST', at(id, '/erase'), { seqs: [1], reason: 'x' })).toMatchObject({ status: 422 })
  await served.call('PUT', at(id, '/composer'), { content: text('unsent'), version: 0 })
  await served.call('POST', at(id, '/inputs'), { commandId: 'runs', content: text('More') })
  await served.model.asked()
  expect(await served.call('DELETE', at(id, ''))).toMatchObject({ status: 409, body: { code: 'run-active' } })
  await served.call('POST', at(id, '/stop'), { commandId: 'stop' })
  await expect
    .poll(() => served.call('DELETE', at(id, '')))
    .toMatchObject({ status: 200, body: { kept: expect.any(String), backups: expect.stringContaining('Backups') } })
  expect(await served.call('GET', at(id, ''))).toMatchObject({ status: 404 })
  expect(await served.records.list(COMPOSERS, { ownerId: 'local', limit: 10 })).toEqual([])
  const usage = UsageAnswer.parse((await served.call('GET', `${API_PATH}/usage?by=conversation`)).body)
  expect(usage.rows).toMatchObject([{ key: id }])
})

test('[COST2] the ledger gives totals and pages of records, newest page first', async () => {
  const id = await served.newConversation()
  for (const words of ['One', 'Two', 'Three']) await turn(id, words)
  const first = LedgerAnswer.parse((await served.call('GET', at(id, '/ledger?limit=2'))).body)
  expect(first).toMatchObject({ total: { requestCount: 3 }, byPurpose: { turn: { requestCount: 3 } } })
  expect(first.records).toHaveLength(2)
  const second = LedgerAnswer.parse((await served.call('GET', at(id, `/ledger?limit=2&before=${first.next}`))).body)
  expect(second.records).toHaveLength(1)
  expect(second.records[0]?.seq).toBeLessThan(first.records[0]?.seq ?? 0)
})

test('[COST8] usage sums up by day, model, agent, conversation and user; what was carried counts once', async () => {
  const id = await served.newConversation()
  const end = await turn(id, 'One')
  await turn(id, 'Two')
  await served.call('POST', at(id, '/fork'), { commandId: 'fork', atSeq: end })
  const day = new Date(realClock.now()).toISOString().slice(0, 10)
  for (const [by, key] of Object.entries({
    day,
    model: 'scripted/scripted',
    agent: '',
    conversation: id,
    user: 'local',
  })) {
    const usage = UsageAnswer.parse((await served.call('GET', `${API_PATH}/usage?by=${by}`)).body)
    expect(usage).toMatchObject({ by, rows: [{ key, totals: { requestCount: 2 } }], total: { requestCount: 2 } })
  }
  const none = UsageAnswer.parse((await served.call('GET', `${API_PATH}/usage?from=0&to=1`)).body)
  expect(none.rows).toEqual([])
  expect(await served.call('GET', `${API_PATH}/usage?by=moon`)).toMatchObject({ status: 400 })
})

test('[TOOL8] lists the tools of a conversation with inclusion and metrics, and the metrics of all', async () => {
  const id = await served.newConversation()
  expect((await served.call('GET', at(id, '/tools'))).body).toMatchObject({ mode: 'cached', tools: [{ name: 'look' }] })
  const chosen = await served.call('PATCH', at(id, '/tools'), {
    commandId: 'tools',
    mode: 'manual',
    included: ['other'],
  })
  const { tools } = chosen.body as { tools: unknown[] }
  expect(ToolRow.parse(tools[0])).toMatchObject({ included: false, metrics: null })
  await served.store.append({
    conversationId: id,
    after: (await served.store.readListing(id))?.head ?? 0,
    at: 5,
    entries: [...wholeCall('error', 10), ...wholeCall('ok', 30)],
  })
  const metrics = { name: 'look', callCount: 2, errorCount: 1, running: 0, totalDurationMs: 40, avgDurationMs: 20 }
  expect((await served.call('GET', at(id, '/tools'))).body).toMatchObject({ tools: [{ metrics }] })
  const other = await served.newConversation()
  await served.store.append({ conversationId: other, after: 1, at: 6, entries: wholeCall('ok', 20) })
  expect((await served.call('GET', `${API_PATH}/tools/metrics`)).body).toMatchObject({
    tools: [{ ...metrics, callCount: 3, totalDurationMs: 60, lastCalledAt: 6 }],
  })
})

/** A call that started and settled; the store places both at one time, so the duration is what is said here. */
function wholeCall(outcome: 'ok' | 'error', durationMs: number): NewEntry[] {
  const call = { actor: { type: 'engine' as const }, runId: 'r', stepId: 's', callId: `c${durationMs}`, name: 'look' }
  return [
    { ...call, type: 'tool-call-started', input: {}, effects: false },
    { ...call, type: 'tool-call-settled', outcome, content: [], durationMs },
  ]
}

test('[PRJ5] search finds the words of the user alone, with their places', async () => {
  const id = await served.newConversation()
  await turn(id, 'Rhinoceros')
  await served.engine.createConversation({
    commandId: 'theirs',
    actor: { type: 'person', userId: 'someone' },
    ownerId: 'someone',
    title: 'Rhinoceros of another',
    modelId: null,
  })
  const { body } = await served.call('GET', `${API_PATH}/search?q=rhinoceros`)
  const { hits } = body as { hits: { conversationId: string; snippet: string; highlights: unknown[] }[] }
  expect(hits.length).toBeGreaterThan(0)
  expect(hits.every((hit) => hit.conversationId === id && hit.highlights.length > 0)).toBe(true)
  expect(await served.call('GET', `${API_PATH}/search?q=`)).toMatchObject({ status: 400 })
})
