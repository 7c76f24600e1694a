import { DamagedLogError, type NewEntry, noTotals } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  runStarted,
  stepFinished,
  stepStarted,
  toolCallBlock,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { systemClock } from '@holdfast/engine/system'
import { createScriptedModel, says } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { resumeWaiting } from '../src/resume-waiting.ts'
import { openSystemEngine } from './support/system-engine.ts'

const person = { type: 'person', userId: 'local' } as const
const engineActor = { type: 'engine' } as const

const archived: NewEntry = { type: 'conversation-archived', actor: person, reason: 'person', totals: noTotals }

/** A turn whose only call waited for a person, and was allowed just before its process was killed. */
const answeredTurn: readonly NewEntry[] = [
  runStarted('run_1', 'turn'),
  userMessageSent('run_1', 'input_1', 'Are you there?'),
  stepStarted('run_1', 'step_1', 'turn'),
  stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'look')]),
  {
    type: 'permission-requested',
    actor: engineActor,
    runId: 'run_1',
    stepId: 'step_1',
    callId: 'call_1',
    requestId: 'request_1',
    tool: 'look',
    input: {},
    reason: 'it asks',
    userId: 'local',
    source: 'default',
  },
  archived,
  {
    type: 'permission-settled',
    actor: person,
    requestId: 'request_1',
    outcome: 'allowed',
    by: 'person',
    scope: 'call',
  },
]

test.each<[string, readonly NewEntry[]]>([
  ['a message that waits', []],
  ['an answered question of an archived conversation', answeredTurn],
])('[RUN2, RUN4] after a start, %s is gone on with', async (_name, more) => {
  const { store, records } = createMemoryStore({ clock: systemClock })
  const entries = [conversationCreated('local'), inputAdmitted('input_1', 'Are you there?'), ...more]
  await store.append({ conversationId: 'conversation_1', after: 0, entries, at: 1 })
  const model = { modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', facts: UNKNOWN_MODEL }
  const engine = openSystemEngine(
    { store, records },
    {
      models: () => [{ ...model, port: createScriptedModel([says('Yes')]) }],
      holder: 'process_2',
      onFault: (error) => expect.fail(String(error)),
    },
  )
  try {
    await resumeWaiting({ store, engine, ownerId: 'local', onFault: ({ error }) => expect.fail(String(error)) })
    await expect
      .poll(
        async () => {
          const page = await store.read({ conversationId: 'conversation_1', after: 0, limit: 100 })
          return page.entries.some((entry) => entry.type === 'run-finished' && entry.outcome === 'completed')
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  } finally {
    await engine.close()
    await store.close()
  }
})

test('[LOG7, RUN4] after a start, the others are gone on with where one log cannot be read', async () => {
  const { store } = createMemoryStore({ clock: systemClock })
  const entries = [conversationCreated('local'), inputAdmitted('input_1', 'Are you there?')]
  for (const conversationId of ['first', 'bad', 'last'])
    await store.append({ conversationId, after: 0, entries, at: 1 })
  const resumed: string[] = []
  const faults: (string | null)[] = []
  const engine = {
    async resume(conversationId: string) {
      if (conversationId === 'bad') throw new DamagedLogError({ conversationId, firstBadSeq: 2, what: 'row' })
      resumed.push(conversationId)
    },
  }
  const onFault = ({ conversationId }: { readonly conversationId: string | null }) => faults.push(conversationId)
  await resumeWaiting({ store, engine, ownerId: 'local', onFault })
  expect(resumed.sort()).toEqual(['first', 'last'])
  expect(faults).toEqual(['bad'])
  await store.close()
})
