import { says } from '@holdfast/engine/testing'
import { defineTool } from '@holdfast/tool'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { openHarness } from './support/harness.ts'
import { calls } from './support/tools.ts'

const BYTES = new Uint8Array([137, 80, 78, 71, 1, 2, 3])

const picture = defineTool({
  name: 'picture',
  description: 'Returns a picture.',
  input: z.object({ path: z.string() }),
  category: 'read',
  argumentRoles: { path: 'path' },
  run: () => ({
    type: 'tool-return',
    text: 'A picture.',
    isError: false,
    images: [{ bytes: BYTES, mediaType: 'image/png' }],
  }),
})

it('[LOG11] gives the model the bodies that its conversation names, and those of no other conversation', async () => {
  const call = calls({ callId: 'call_1', name: 'picture', input: { path: '/folder/a.png' } })
  const { engine, model, send, until, log, store, faults } = await openHarness([call, says('seen')], [picture])
  await send('Look at it', 'send_1')
  await until('run-finished', 1)
  const settled = (await log()).find((entry) => entry.type === 'tool-call-settled')
  const part = settled?.type === 'tool-call-settled' ? settled.content.find(({ type }) => type === 'image') : undefined
  const hash = part?.type === 'image' ? part.blob.hash : ''
  expect(await model.sources[1]?.read(hash)).toEqual(BYTES)

  const other = { commandId: 'create_2', actor: { type: 'person', userId: 'user_1' }, ownerId: 'user_1' } as const
  const { conversationId } = await engine.createConversation({ ...other, title: null, modelId: null })
  const content = [{ type: 'text' as const, text: 'Hello' }]
  await engine.sendMessage({ commandId: 'send_2', actor: other.actor, conversationId, content, lane: 'turn' })
  await expect
    .poll(async () => (await store.read({ conversationId, after: 0, limit: 50 })).entries.at(-1)?.type)
    .toBe('run-finished')
  await expect(model.sources.at(-1)?.read(hash)).rejects.toMatchObject({
    name: 'ProviderError',
    code: 'bad-request',
    message: `The request names body ${hash}, and its conversation has none of that name`,
  })
  expect(faults).toEqual([])
})
