import type { NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  runStarted,
  stepFinished,
  stepStarted,
  toolCallBlock,
  toolCallStarted,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { createDesks } from '../src/parts/desks.ts'
import { readInbox } from '../src/schedules/read-inbox.ts'

const USER = 'user_1'
const BEGUN_AT = 1_000_000

/** A run whose two calls were handed over, to a client or not, and what comes after. */
async function inboxAt(now: number, runsAt: 'client' | null, after: readonly NewEntry[] = []) {
  const clock = { now: () => now, monotonicMs: () => now, after: () => () => undefined }
  const { store, records } = createMemoryStore({ clock })
  const calls = [
    { callId: 'c1', name: 'shell' },
    { callId: 'c2', name: 'apply_patch' },
  ]
  const entries: NewEntry[] = [
    conversationCreated(USER),
    runStarted('run_1', 'turn'),
    userMessageSent('run_1', 'input_1', 'Mend it'),
    stepStarted('run_1', 'step_1', 'turn'),
    stepFinished(
      'run_1',
      'step_1',
      calls.map(({ callId, name }) => toolCallBlock(callId, name)),
    ),
    ...calls.map((call) => ({
      ...toolCallStarted('run_1', 'step_1', call),
      ...(runsAt === null ? {} : { runsAt }),
    })),
    ...after,
  ]
  await store.append({ conversationId: 'c', after: 0, entries, at: BEGUN_AT })
  const items = await readInbox({ store, desks: createDesks(records, clock), schedules: null, clock }, USER)
  return items.map(({ kind, conversationId, detail, at }) => ({ kind, conversationId, detail, at }))
}

it('[TOOL19] a run whose client does not say what came of its calls is in the inbox after two minutes', async () => {
  const item = { kind: 'client', conversationId: 'c', detail: 'shell, apply_patch', at: BEGUN_AT }
  expect(await inboxAt(BEGUN_AT + 119_999, 'client')).toEqual([])
  expect(await inboxAt(BEGUN_AT + 120_000, 'client')).toEqual([item])
})

it('[TOOL19] what the server runs itself, or what a stop ends, is none that waits for a client', async () => {
  const stop = {
    type: 'stop-requested',
    actor: { type: 'person', userId: USER },
    commandId: 's',
    runId: 'run_1',
    mode: 'stop',
  } as const
  expect(await inboxAt(BEGUN_AT + 999_999, null)).toEqual([])
  expect(await inboxAt(BEGUN_AT + 999_999, 'client', [stop])).toEqual([])
})
