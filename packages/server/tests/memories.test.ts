import { createMemories } from '@holdfast/engine'
import { API_PATH, MemoriesAnswer } from '@holdfast/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realClock, realIds } from './support/real-ports.ts'
import { type Served, serve } from './support/serve.ts'

let served: Served

beforeEach(async () => {
  served = await serve({ webRoot: null })
})

afterEach(() => served.close())

const ask = (method: string, path: string, body?: object) => served.call(method, `${API_PATH}/memories${path}`, body)

async function list(query = ''): Promise<MemoriesAnswer> {
  const { status, body } = await ask('GET', query)
  expect(status).toBe(200)
  return MemoriesAnswer.parse(body)
}

const textsOf = ({ memories }: MemoriesAnswer) => memories.map(({ text }) => text)

async function add(body: object) {
  const answer = await ask('POST', '', body)
  return { status: answer.status, ...(answer.body as { memory: { memoryId: string }; isNew: boolean }) }
}

test('[REQ6] memories are written, read, found, changed and deleted', async () => {
  expect(await list()).toEqual({ memories: [], totalCount: 0, mostMemories: 500, isOn: true })
  const tea = await add({ text: 'Likes  green tea' })
  expect(tea).toMatchObject({
    status: 201,
    isNew: true,
    memory: { text: 'Likes green tea', agentId: null, from: null },
  })
  expect(await add({ text: 'likes green TEA' })).toMatchObject({ status: 200, isNew: false, memory: tea.memory })
  const bern = await add({ text: 'Lives in Bern', isPinned: true, agentId: 'agent_1' })
  expect(textsOf(await list('?query=bern'))).toEqual(['Lives in Bern'])
  expect(textsOf(await list('?agentId=agent_2'))).toEqual(['Likes green tea'])
  const path = `/${bern.memory.memoryId}`
  const changed = await ask('PATCH', path, { text: 'Lives in Basel', isPinned: false, agentId: null })
  expect(changed).toMatchObject({
    status: 200,
    body: { memory: { text: 'Lives in Basel', isPinned: false, agentId: null } },
  })
  expect(await ask('DELETE', path)).toMatchObject({ status: 200 })
  expect(await ask('DELETE', path)).toMatchObject({ status: 404, body: { code: 'unknown-memory' } })
  expect(await ask('PATCH', path, { text: 'Back' })).toMatchObject({ status: 404, body: { code: 'unknown-memory' } })
  expect(textsOf(await list())).toEqual(['Likes green tea'])
  expect(await ask('DELETE', '')).toMatchObject({ status: 200, body: { deletedCount: 1 } })
  expect((await list()).totalCount).toBe(0)
})

test('[REQ6] what cannot be a memory is refused in words that help, and nothing is written', async () => {
  expect(await ask('POST', '', { text: ' \n ' })).toMatchObject({ status: 422, body: { code: 'bad-request' } })
  expect(await ask('POST', '', { text: 'x'.repeat(1_001) })).toMatchObject({
    status: 422,
    body: { code: 'too-large', detail: expect.stringContaining('at most 1000 characters') },
  })
  for (const body of [{ text: 'x'.repeat(20_001) }, { text: 5 }, {}, { text: 'a', from: { conversationId: 'c' } }])
    expect((await ask('POST', '', body)).status).toBe(400)
  const { memory } = await add({ text: 'Likes tea' })
  expect((await ask('PATCH', `/${memory.memoryId}`, {})).status).toBe(400)
  expect(textsOf(await list())).toEqual(['Likes tea'])
})

test('[REQ6] what was exported is imported again, once, and says what was not taken', async () => {
  await add({ text: 'Likes tea', isPinned: true })
  await add({ text: 'Lives in Bern' })
  const exported = await list()
  await ask('DELETE', `/${exported.memories[0]?.memoryId}`)
  const withMore = { ...exported, memories: [...exported.memories, { text: ' ' }] }
  expect(await ask('POST', '/import', withMore)).toMatchObject({
    status: 200,
    body: { savedCount: 1, knownCount: 1, refused: [{ index: 2, reason: expect.stringContaining('needs words') }] },
  })
  expect(textsOf(await list()).toSorted()).toEqual(['Likes tea', 'Lives in Bern'])
  expect((await list('?query=tea')).memories[0]?.isPinned).toBe(true)
  expect((await ask('POST', '/import', { memories: 'no' })).status).toBe(400)
})

test('[REQ6] the switch for all conversations is kept', async () => {
  expect(await ask('PATCH', '', { isOn: false })).toMatchObject({ status: 200, body: { isOn: false } })
  expect((await list()).isOn).toBe(false)
  await ask('PATCH', '', { isOn: true })
  expect((await list()).isOn).toBe(true)
})

test('[LOG9] a deleted or erased conversation names what was remembered from it, to be forgotten as well', async () => {
  const memories = createMemories({ records: served.records, clock: realClock, ids: realIds, isShared: true })
  const id = await served.newConversation()
  const wish = { agentId: null, isPinned: false, replaces: null }
  const saved = await memories.save('local', { ...wish, text: 'From here', from: { conversationId: id, seq: 1 } })
  const memoryIds = saved.type === 'saved' ? [saved.memory.memoryId] : []
  await memories.save('local', { ...wish, text: 'From elsewhere', from: { conversationId: 'other', seq: 1 } })
  expect((await list(`?conversationId=${id}`)).memories[0]?.from).toEqual({ conversationId: id, seq: 1 })
  const gone = await served.call('DELETE', `${API_PATH}/conversations/${id}`)
  expect(gone).toMatchObject({ status: 200, body: { memoryIds } })
  expect(await ask('DELETE', `?conversationId=${id}`)).toMatchObject({ status: 200, body: { deletedCount: 1 } })
  expect(textsOf(await list())).toEqual(['From elsewhere'])
})
