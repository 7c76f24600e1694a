import { expect, it } from 'vitest'
import { LONG, openMetered } from './support/open-metered.ts'

const OWNER = { ownerId: 'user_1', modelId: null, agentId: null } as const

function said(words: string) {
  return [{ type: 'text' as const, text: words }]
}

it('[COST3, CACHE4] the price of the first message is told before its conversation is there, and is the one that it then has', async () => {
  const harness = await openMetered(null)
  const { engine, conversationId, store, price } = harness
  const listed = () => store.listConversations({ ownerId: 'user_1', archived: false, limit: 10 })
  const before = (await listed()).length
  const first = await engine.priceOfNew({ ...OWNER, content: said(LONG) })
  expect(first?.price).toEqual((await price({ content: said(LONG) })).price)
  expect(first).toMatchObject({ modelId: 'first', change: null, price: { cache: { state: 'empty', keptTokens: 0 } } })
  expect((await engine.priceOfNew({ ...OWNER, modelId: 'other', content: said('Hi') }))?.modelId).toBe('other')
  expect(await listed()).toHaveLength(before)
  expect((await store.read({ conversationId, after: 0, limit: 10 })).entries).toHaveLength(1)
  expect(harness.metered.requests).toHaveLength(0)
})

it('[TOOL8, TOOL10] the tools that a conversation would have are told before it is there, with the tokens of each', async () => {
  const { engine, conversationId } = await openMetered(null)
  const tools = await engine.listToolsOfNew(OWNER)
  expect(tools).toEqual(await engine.listTools(conversationId))
  expect(tools).toMatchObject([{ definition: { name: 'read' }, included: true, metrics: null }])
  expect(tools[0]?.schemaTokens).toBeGreaterThan(0)
})

it('[RUN13, AGENT4] a model or an agent that is not there is refused by its name', async () => {
  const { engine } = await openMetered(null)
  const content = said('Hi')
  await expect(engine.priceOfNew({ ...OWNER, modelId: 'gone', content })).rejects.toMatchObject({
    code: 'unknown-model',
  })
  await expect(engine.priceOfNew({ ...OWNER, agentId: 'gone', content })).rejects.toMatchObject({
    code: 'unknown-agent',
  })
  await expect(engine.listToolsOfNew({ ...OWNER, agentId: 'gone' })).rejects.toThrow('There is no agent gone')
})
