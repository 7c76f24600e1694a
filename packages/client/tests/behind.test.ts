import { type NewEntry, overview } from '@holdfast/conversation'
import { conversationCreated, inputAdmitted, logOf, runStarted } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { initialState, lastWaiting } from '../src/conversation/conversation-state.ts'

const actor = { type: 'person', userId: 'user_1' } as const

function waitingIn(...entries: readonly NewEntry[]) {
  const log = logOf('c', [conversationCreated('local'), runStarted('run_1', 'turn'), ...entries])
  return lastWaiting({ ...initialState('c'), overview: overview.reduce(overview.initial, log) })
}

test('[STOP9] a message is written behind the last that waits, and first where the queue is held or will be', () => {
  const queued = [inputAdmitted('input_1', 'one'), inputAdmitted('input_2', 'two')]
  expect(waitingIn()).toBeNull()
  expect(waitingIn(...queued)).toBe('input_2')
  expect(waitingIn(...queued, { type: 'queue-held', actor, reason: 'interrupted' })).toBeNull()
  expect(waitingIn(...queued, { type: 'stop-requested', actor, runId: 'run_1', mode: 'stop' })).toBeNull()
})
