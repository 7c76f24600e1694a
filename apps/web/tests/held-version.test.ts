import { type Entry, overview } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  logOf,
  runStarted,
  stepFinished,
  stepStarted,
  toolCallBlock,
  toolCallSettled,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { contextVersion, heldVersion } from '../src/composer/context/use-context-use.ts'

const CALL = { callId: 'call_1', name: 'edit', outcome: 'ok' } as const

const log = logOf('c1', [
  conversationCreated('ada'),
  inputAdmitted('input_1', 'Hi'),
  runStarted('run_1', 'turn'),
  userMessageSent('run_1', 'input_1', 'Hi'),
  stepStarted('run_1', 'step_1', 'turn'),
  stepFinished('run_1', 'step_1', [toolCallBlock(CALL.callId, CALL.name)]),
  toolCallSettled('run_1', 'step_1', CALL),
])

function at(entries: readonly Entry[], caughtUp: boolean) {
  return { caughtUp, overview: overview.reduce(overview.initial, entries) }
}

test('[UI40] what the window holds is asked for while a call is open, and again when its result is there', () => {
  const open = at(log.slice(0, -1), true)
  expect(contextVersion(open)).toBeNull()
  const versions = [at(log.slice(0, -2), true), open, at(log, true)].map(heldVersion)
  expect(new Set(versions).size).toBe(3)
  expect(versions).not.toContain(null)
  expect(heldVersion(at(log.slice(0, -1), false))).toBeNull()
})
