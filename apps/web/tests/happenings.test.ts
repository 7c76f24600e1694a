import type { ConversationRow } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { createHappeningWatch } from '../src/shared/notify/happenings.ts'

function row(id: string, state: ConversationRow['state']): ConversationRow {
  return {
    id,
    title: null,
    firstWords: null,
    forkedFromId: null,
    agentId: null,
    modelId: null,
    workspaceId: null,
    worktreeId: null,
    state,
    archived: false,
    messageCount: 0,
    queuedCount: 0,
    permissionCount: 0,
    unread: false,
    createdAt: 0,
    updatedAt: 0,
    head: 1,
  }
}

test('[UI26] what was so before the page came is nothing that happened; then each change is told once, with how long it took', () => {
  const watch = createHappeningWatch()
  const told = (now: number, ...rows: ConversationRow[]) =>
    watch.read(rows, now).map(({ kind, row: { id }, tookMs }) => [id, kind, tookMs])
  expect(told(0, row('a', 'waiting-for-permission'), row('b', 'running'), row('c', 'failed'))).toEqual([])
  expect(told(10, row('a', 'waiting-for-permission'), row('b', 'running'), row('c', 'failed'))).toEqual([])
  expect(told(30, row('a', 'running'), row('b', 'idle'), row('c', 'running'))).toEqual([['b', 'finished', 30]])
  expect(told(50, row('a', 'waiting-for-answer'), row('b', 'queue-held'), row('c', 'failed'))).toEqual([
    ['a', 'needs-you', 20],
    ['c', 'failed', 20],
  ])
  expect(told(60, row('a', 'running'), row('b', 'idle'), row('d', 'waiting-for-permission'))).toEqual([
    ['d', 'needs-you', 0],
  ])
  expect(told(99, row('a', 'interrupted'))).toEqual([['a', 'failed', 39]])
})
