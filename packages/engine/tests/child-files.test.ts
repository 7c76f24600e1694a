import type { ChangeReviewer, ReviewQuery } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import { expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

it('[WS1] counts what a sub-agent changed among the changes of the run that called it, by its own log and folder', async () => {
  const asked: ReviewQuery[] = []
  const changeReviewer: ChangeReviewer = {
    read: async (query) => {
      asked.push(query)
      return { base: null, files: [] }
    },
    decide: async () => ({ changes: [], marks: [], rejected: [], conflicts: [] }),
  }
  const { tool } = testTool({ name: 'delegate', category: 'read' })
  const delegating = { ...tool, childConversationOf: async () => 'child' }
  const call = calls({ callId: 'c1', name: 'delegate', input: { path: '/folder/a.txt' } })
  const harness = await openHarness([call, says('Done')], [delegating], null, { ports: { changeReviewer } })
  const { engine, conversationId, store } = harness
  const settings = { workspace: '/folder/part' }
  const created = { commandId: 'child', actor, ownerId: 'user_1', title: null, modelId: null }
  await engine.createConversation({ ...created, conversationId: 'child', settings })
  await store.append({
    conversationId: 'child',
    after: 1,
    at: 0,
    entries: [{ type: 'files-changed', actor, changes: [{ path: 'deep.txt', kind: 'deleted' }] }],
  })
  await harness.send('Hi', 'send_1')
  await harness.until('run-finished', 1)
  const runId = (await harness.log()).flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : []))[0] ?? ''
  await engine.readChanges({ conversationId, target: { type: 'run', runId } })
  expect(asked[0]?.changes).toEqual([
    { conversationId: 'child', settings, change: { path: 'deep.txt', kind: 'deleted' } },
  ])
})
