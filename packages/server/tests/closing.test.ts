import { API_PATH, type Route, routes } from '@holdfast/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodies } from './support/route-bodies.ts'
import { type Served, serve } from './support/serve.ts'

/** What changes a conversation or the rules of a person. */
const CHANGES = [
  'createConversation',
  'sendInput',
  'stop',
  'changeConversation',
  'makeCheckpoint',
  'editCheckpoint',
  'undoCheckpoint',
  'makeTitle',
  'decideChanges',
  'eraseEntries',
  'deleteConversation',
  'addConversationRule',
  'addPermissionRule',
  'revokePermissionRule',
  'dismissPermissionSuggestion',
] as const

let served: Served
let conversationId = ''

beforeAll(async () => {
  served = await serve({ webRoot: null })
  conversationId = await served.newConversation()
  served.stopAccepting()
})

afterAll(() => served.close())

test.each(CHANGES)('[ARCH22] a server that is about to end refuses %s', async (name) => {
  const { method, path }: Route = routes[name]
  const place = path.replaceAll(/:(\w+)/g, (_, parameter: string) => (parameter === 'id' ? conversationId : '1'))
  const body = method === 'DELETE' ? undefined : bodies[name]
  const answer = await served.call(method, `${API_PATH}${place}`, body)
  expect(answer).toMatchObject({ status: 503, body: { code: 'not-ready' } })
})

test('[SCALE6] a server that is about to end says when to ask again, here or elsewhere', async () => {
  const answer = await fetch(`${served.url}${API_PATH}/ready`)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
})
