import type { NewEntry } from '@holdfast/conversation'
import { createInProcessBus, type EnginePorts } from '@holdfast/engine'
import { createManualClock, createScriptedModel } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'
import { createBesides } from '../src/live/besides.ts'
import { openHostLog } from '../src/log/host-log.ts'
import { createPathReader } from '../src/log/path-reader.ts'
import { hypotheticalLog } from '../src/request/hypothetical-log.ts'
import { startStep } from '../src/request/start-step.ts'
import { composeTurn } from '../src/request/turn-request.ts'

const conversationId = 'conversation_1'
const person = { type: 'person', userId: 'user_1' } as const
const engine = { type: 'engine' } as const
const runId = 'run_1'

it('[REQ1] writes no request whose notes would stand at another place than it says', async () => {
  const clock = createManualClock()
  const { store } = createMemoryStore({ clock })
  const model = { modelId: 'm', providerModelId: 'm', name: 'M', port: createScriptedModel([]), facts: UNKNOWN_MODEL }
  let made = 0
  const ports: EnginePorts = {
    store,
    records: null,
    bus: createInProcessBus(),
    clock,
    random: { next: () => 0.5 },
    holder: 'process_1',
    ids: { next: (prefix) => `${prefix}_${++made}` },
    sha256: (text) => `${text.length}`,
    sha256Both: ({ text, more }) => ({ ofText: `${text.length}`, ofAll: `${text.length + more.length}` }),
    models: () => [model],
    toolsOf: () => [],
    permissions: { defaultPolicy: 'ask', rules: [], hardDenials: [], workspaceRoot: null, mode: 'ask' },
  }
  const log = await openHostLog(
    { ports, hasWork: () => false, onFault: (error) => expect.fail(String(error)) },
    conversationId,
  )
  const append = (...entries: readonly NewEntry[]) =>
    log.append({ epoch: null, command: null, dropDraft: null }, () => entries)
  await append({
    type: 'conversation-created',
    actor: person,
    ownerId: 'user_1',
    settings: {},
    origin: { type: 'new' },
  })
  await append(
    { type: 'run-started', actor: engine, runId, purpose: 'turn' },
    { type: 'user-message-sent', actor: engine, runId, inputId: 'input_1', content: [{ type: 'text', text: 'Hi' }] },
  )
  const notes: readonly NewEntry[] = [{ type: 'context-noted', actor: engine, section: 'canvas', text: 'One card' }]
  const lease = await store.acquireLease({ conversationId, holder: 'process_1', ttlMs: 10_000 })
  const turn = {
    ports,
    log,
    runId,
    ownerId: 'user_1',
    epoch: lease?.epoch ?? 0,
    tenure: { isGivenBack: false, isLast: () => false },
    besides: createBesides(clock),
    signal: new AbortController().signal,
    path: createPathReader(log, conversationId),
    cut: new AbortController().signal,
    writer: { add: async () => {}, async close() {} },
    onDraft() {},
    onFault() {},
  }
  const composed = () =>
    composeTurn(hypotheticalLog({ store: log, now: clock.now() }, log, notes), { ports: {}, model })

  const early = await composed()
  await append({ type: 'title-changed', actor: person, title: 'In between', source: 'user' })
  expect(await startStep(turn, 'turn', { ...early, notes, beside: null })).toBeNull()
  expect(log.overview().head).toBe(4)

  expect(await startStep(turn, 'turn', { ...(await composed()), notes, beside: null })).not.toBeNull()
  const { entries } = await store.read({ conversationId, after: 4, limit: 10 })
  expect(entries.map(({ type }) => type)).toEqual(['context-noted', 'step-started'])
})
