import { type Append, type ConversationSettings, type EntryOf, overview, StoreWriteError } from '@holdfast/conversation'
import {
  type AgentSource,
  createEngineOn,
  createInProcessBus,
  type Engine,
  type EnginePorts,
  subAgentCosts,
} from '@holdfast/engine'
import { sha256, sha256Both } from '@holdfast/engine/system'
import {
  agentsOf,
  createManualClock,
  createScriptedModel,
  offered,
  type ScriptLine,
  says,
} from '@holdfast/engine/testing'
import { UNKNOWN_MODEL } from '@holdfast/provider'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, type Tool } from '@holdfast/tool'
import { createSubAgentTool } from '@holdfast/workbench'
import { describe, expect, it, vi } from 'vitest'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const task = (callId: string) => ({ callId, name: 'run_agent', input: { title: 'Look', task: 'Find the bug' } })

interface Opened {
  readonly own?: readonly Tool[]
  readonly memory?: MemoryStore
  readonly agents?: AgentSource
  /** Whether a person is asked about sub-agents. */
  readonly asks?: true
  /** Called before anything is written; what it throws is what the store says. */
  readonly onAppend?: (append: Append) => void | Promise<void>
}

/** An engine whose conversations may run sub-agents. */
function openEngine(
  scripts: readonly (readonly ScriptLine[])[],
  { own = [], memory, agents, asks, onAppend }: Opened = {},
) {
  const clock = createManualClock()
  const opened = memory ?? createMemoryStore({ clock })
  const model = createScriptedModel(scripts)
  let made = 0
  const generation = memory ? 2 : 1
  const ports: EnginePorts = {
    store: {
      ...opened.store,
      async append(append) {
        await onAppend?.(append)
        return opened.store.append(append)
      },
    },
    records: opened.records,
    bus: createInProcessBus(),
    clock,
    ids: { next: (prefix) => `${prefix}_${generation}_${++made}` },
    random: { next: () => 0.5 },
    sha256,
    sha256Both,
    models: () => [
      { modelId: 'scripted', providerModelId: 'scripted', name: 'Scripted', port: model, facts: UNKNOWN_MODEL },
    ],
    toolsOf: (parent) => [...own, createSubAgentTool({ engine, ports, parent })],
    permissions: createPermissionRules({
      defaultPolicy: 'ask',
      rules: asks ? [] : [{ effect: 'allow', tool: 'run_agent' }],
      workspaceRoot: '/folder',
    }).policy,
    ...(agents === undefined ? {} : { agents }),
    holder: `process_${generation}`,
  }
  const engine: Engine = createEngineOn(ports, { onFault: () => {} })
  const conversationId = engine.conversationIdFor('user_1', 'create')
  async function log(id: string) {
    return (await opened.store.read({ conversationId: id, after: 0, limit: 500 })).entries
  }
  return {
    engine,
    model,
    clock,
    memory: opened,
    conversationId,
    log,
    async start(settings: ConversationSettings = {}) {
      await engine.createConversation({
        commandId: 'create',
        actor: person,
        ownerId: 'user_1',
        title: null,
        modelId: null,
        settings,
      })
      await engine.sendMessage({
        commandId: 'send',
        actor: person,
        conversationId,
        lane: 'turn',
        content: [{ type: 'text', text: 'Fix it' }],
      })
    },
    async started(): Promise<string> {
      return vi.waitFor(async () => {
        const found = (await log(conversationId)).find((entry) => entry.type === 'tool-call-started')
        if (found?.type !== 'tool-call-started' || found.childConversationId === undefined) throw new Error('not yet')
        return found.childConversationId
      })
    },
    async until(id: string, type: string) {
      await vi.waitFor(async () => expect((await log(id)).map((entry) => entry.type)).toContain(type))
    },
  }
}

describe('a sub-agent', () => {
  it('[AGENT3] works in a conversation of its own, and its cost is told to the caller', async () => {
    const { start, started, until, conversationId, log, model } = openEngine([
      calls(task('c1')),
      says('It is in line 7'),
      says('Fixed'),
    ])
    await start()
    const childId = await started()
    await until(conversationId, 'run-finished')
    const child = await log(childId)
    expect(child[0]).toMatchObject({ origin: { type: 'sub-agent', conversationId, callId: 'c1', depth: 1 } })
    expect(child.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
    const state = overview.reduce(overview.initial, await log(conversationId))
    expect(state.ledger.total.requestCount).toBe(2)
    const totals = overview.reduce(overview.initial, child).ledger.total
    expect(state.ledger.subAgents).toEqual({ [childId]: { callId: 'c1', settledTotals: totals } })
    expect(model.requests[1]?.messages).toMatchObject([{ role: 'user', parts: [{ text: 'Find the bug' }] }])
    expect(JSON.stringify(model.requests[2]?.messages[2])).toContain('It is in line 7')
  })

  it('[RUN11, AGENT3] is another one where a provider repeats the id of an earlier call', async () => {
    const opened = openEngine([
      calls(task('call_0')),
      says('In line 7'),
      says('Fixed'),
      calls(task('call_0')),
      says('In line 9'),
      says('Fixed too'),
    ])
    const { engine, start, until, conversationId, log, model } = opened
    await start()
    await until(conversationId, 'run-finished')
    const content = [{ type: 'text' as const, text: 'And the other' }]
    await engine.sendMessage({ commandId: 'again', actor: person, conversationId, lane: 'turn', content })
    await vi.waitFor(() => expect(model.requests).toHaveLength(6))
    const children = (await log(conversationId)).flatMap((entry) =>
      entry.type === 'tool-call-started' ? [entry.childConversationId] : [],
    )
    expect(new Set(children).size).toBe(2)
    expect(JSON.stringify(model.requests[5]?.messages.at(-1))).toContain('In line 9')
  })

  it('[COST12, RUN17] costs what its own ledger says by now, and its requests have their receipts there and at its caller', async () => {
    const { start, started, until, conversationId, log, engine, memory } = openEngine([
      calls(task('c1')),
      says('It is in line 7'),
      says('Fixed'),
      says('And in line 9'),
    ])
    await start()
    const childId = await started()
    await until(conversationId, 'run-finished')
    const costs = async () => {
      const { ledger } = overview.reduce(overview.initial, await log(conversationId))
      return subAgentCosts(memory.store, conversationId, ledger)
    }
    expect(await costs()).toMatchObject([{ conversationId: childId, title: 'Look', isHere: true }])
    const [before] = await costs()
    const content = [{ type: 'text' as const, text: 'Look again' }]
    await engine.sendMessage({ commandId: 'more', actor: person, conversationId: childId, content, lane: 'turn' })
    await expect.poll(async () => (await log(childId)).filter(({ type }) => type === 'run-finished').length).toBe(2)
    const [after] = await costs()
    const { ledger } = overview.reduce(overview.initial, await log(childId))
    expect(before?.totals.requestCount).toBe(1)
    expect(after?.totals).toEqual(ledger.total)
    expect(after?.totals.requestCount).toBe(2)

    for (const step of (await log(childId)).filter((entry) => entry.type === 'step-started'))
      for (const id of [childId, conversationId]) {
        const receipt = await engine.receiptOf({ conversationId: id, stepId: step.stepId })
        expect(receipt).toMatchObject({ conversationId: childId, isExact: true, usage: { stepId: step.stepId } })
      }

    const fork = await engine.fork({
      commandId: 'fork',
      actor: person,
      conversationId,
      atSeq: (await log(conversationId)).at(-1)?.seq ?? 0,
    })
    const forked = overview.reduce(overview.initial, await log(fork.conversationId)).ledger
    expect(await subAgentCosts(memory.store, fork.conversationId, forked)).toEqual([])

    await expect.poll(() => engine.deleteConversation(childId).then(() => 'deleted', String)).toBe('deleted')
    expect(await costs()).toEqual([{ conversationId: childId, title: null, totals: before?.totals, isHere: false }])
  })

  it('[LOG9, AGENT3] is deleted with the conversation that began it, and not with a fork of that', async () => {
    const { start, started, until, conversationId, log, engine } = openEngine([
      calls(task('c1')),
      says('It is in line 7'),
      says('Fixed'),
    ])
    await start()
    const childId = await started()
    await until(conversationId, 'run-finished')
    const atSeq = (await log(conversationId)).at(-1)?.seq ?? 0
    const fork = await engine.fork({ commandId: 'fork', actor: person, conversationId, atSeq })
    const removed = (id: string) =>
      expect.poll(() => engine.deleteConversation(id).then(() => 'deleted', String)).toBe('deleted')
    await removed(fork.conversationId)
    expect((await log(childId)).length).toBeGreaterThan(0)
    await removed(conversationId)
    expect([await log(conversationId), await log(childId)]).toEqual([[], []])
  })

  it('[AGENT4, PERM1] is the agent that is named, and permits no more than its caller', async () => {
    const wide = { instructions: 'You are Ada', permissionMode: 'bypass', toolMode: 'all-on' } as const
    const agents = agentsOf([offered('agent_ada', wide, { name: 'Ada', origin: 'own' })])
    const named = { ...task('c1'), input: { title: 'Look', task: 'Find the bug', agent: 'ada' } }
    const { engine, start, started, until, conversationId, log, model } = openEngine(
      [calls(named), says('It is in line 7'), says('Fixed')],
      { agents },
    )
    await start({ toolMode: 'manual', includedTools: ['run_agent'] })
    const childId = await started()
    await until(conversationId, 'run-finished')
    expect(model.requests[1]?.system).toBe('You are Ada')
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['run_agent'])
    const { settings } = overview.reduce(overview.initial, await log(childId))
    expect(settings).toMatchObject({ agentId: 'agent_ada', permissionMode: 'ask', toolMode: 'manual' })
    await engine.close()
  })

  it('[AGENT5] is the operator’s where another person shares one of the same name, wherever that stands in the list', async () => {
    const agents = agentsOf([
      offered(
        'agent_of_eve',
        { instructions: 'You are Eve’s' },
        { name: 'Reviewer', origin: 'shared', sharedBy: 'Eve' },
      ),
      offered('of_the_house', { instructions: 'You are the house’s' }, { name: 'Reviewer', origin: 'operator' }),
    ])
    const named = { ...task('c1'), input: { title: 'Look', task: 'Find the bug', agent: 'reviewer' } }
    const { start, until, conversationId, model } = openEngine([calls(named), says('In line 7'), says('Fixed')], {
      agents,
    })
    await start()
    await until(conversationId, 'run-finished')
    expect(model.requests[1]?.system).toBe('You are the house’s')
  })

  it('[AGENT5] needs the id where several of one kind have the name', async () => {
    const agents = agentsOf([offered('agent_1', {}, { name: 'Ada' }), offered('agent_2', {}, { name: 'Ada' })])
    const named = { ...task('c1'), input: { title: 'Look', task: 'Find the bug', agent: 'Ada' } }
    const byId = { ...task('c2'), input: { title: 'Look', task: 'Find the bug', agent: 'agent_2' } }
    const { start, until, conversationId, log } = openEngine(
      [calls(named), calls(byId), says('In line 7'), says('Fixed')],
      { agents },
    )
    await start()
    await until(conversationId, 'run-finished')
    const settled = (await log(conversationId)).filter((entry) => entry.type === 'tool-call-settled')
    expect(settled).toMatchObject([
      { outcome: 'error', content: [{ text: expect.stringContaining('by its id: agent_1, agent_2') }] },
      { outcome: 'ok' },
    ])
  })

  it('[AGENT5] is asked about with its owner and version, and is no other one when it runs', async () => {
    const list = [offered('agent_of_eve', { instructions: 'One' }, { name: 'Ada', origin: 'shared', sharedBy: 'Eve' })]
    const named = { ...task('c1'), input: { title: 'Look', task: 'Find the bug', agent: 'Ada' } }
    const opened = openEngine([calls(named), says('In line 7'), says('Fixed')], {
      agents: agentsOf(list),
      asks: true,
    })
    const { engine, start, until, conversationId, log, model } = opened
    await start()
    await until(conversationId, 'permission-requested')
    const request = (await log(conversationId)).find((entry) => entry.type === 'permission-requested')
    expect(request).toMatchObject({
      reason: expect.stringContaining('that Eve shares with you, in version 1'),
      pinned: 'agent_of_eve@1',
    })
    const changed = offered('agent_of_eve', { instructions: 'Two' }, { name: 'Ada', origin: 'shared', sharedBy: 'Eve' })
    list.splice(0, 1, { ...changed, version: 2 })
    const requestId = request?.type === 'permission-requested' ? request.requestId : ''
    await engine.answerPermission({
      commandId: 'yes',
      actor: person,
      conversationId,
      requestId,
      decision: 'allow',
      scope: 'call',
    })
    await until(conversationId, 'run-finished')
    expect(model.requests.map(({ system }) => system)).not.toContain('Two')
    const settled = (await log(conversationId)).find((entry) => entry.type === 'tool-call-settled')
    expect(settled).toMatchObject({
      outcome: 'error',
      content: [{ text: expect.stringContaining('is another by now') }],
    })
  })

  it('[AGENT4] tells which agents there are where none has the name', async () => {
    const named = { ...task('c1'), input: { title: 'Look', task: 'Find the bug', agent: 'Eve' } }
    const agents = agentsOf([offered('agent_ada', {}, { name: 'Ada' })])
    const { start, until, conversationId, log } = openEngine([calls(named), says('Fixed')], { agents })
    await start()
    await until(conversationId, 'run-finished')
    const settled = (await log(conversationId)).find((entry) => entry.type === 'tool-call-settled')
    expect(settled).toMatchObject({ outcome: 'error', content: [{ text: expect.stringContaining('There are: Ada.') }] })
    expect(settled).not.toHaveProperty('childTotals')
    const intent = (await log(conversationId)).find((entry) => entry.type === 'tool-call-started')
    expect(intent).toMatchObject({ callId: 'c1' })
    expect(intent).not.toHaveProperty('childConversationId')
    expect((await log(conversationId)).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
  })

  it('[STOP6, AGENT77] is stopped with its caller, in the name of whoever stopped that', async () => {
    const { start, started, until, conversationId, log, engine, clock } = openEngine([
      calls(task('c1')),
      [...says('Let me').slice(0, -2), { type: 'wait' }],
    ])
    await start()
    const childId = await started()
    await until(childId, 'step-started')
    await engine.stopRun({ commandId: 'stop', actor: person, conversationId, runId: null, force: false })
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      for (const id of [conversationId, childId]) {
        const end = (await log(id)).find((entry) => entry.type === 'run-finished')
        expect(end).toMatchObject({ outcome: 'stopped' })
      }
    })
    const settled = (await log(conversationId)).filter((entry) => entry.type === 'tool-call-settled')
    expect(settled).toMatchObject([{ outcome: 'aborted' }])
    // Whoever stopped the caller stopped it, and its log says so. [AGENT77]
    const asked = (await log(childId)).find((entry) => entry.type === 'stop-requested')
    expect(asked?.actor).toEqual(person)
  })

  it('[AGENT3] gives its task back where it was stopped before it began, and waits for nothing then', async () => {
    const { start, started, until, conversationId, log, engine, model, memory } = openEngine([calls(task('c1'))], {
      async onAppend({ entries, conversationId: id }) {
        if (!entries.some(({ type, actor }) => type === 'conversation-created' && actor.type === 'agent')) return
        // Another process has it, so that the task waits.
        await memory.store.acquireLease({ conversationId: id, holder: 'process_9', ttlMs: 600_000 })
      },
    })
    await start()
    const childId = await started()
    await until(childId, 'input-admitted')
    await engine.stopRun({ commandId: 'stop', actor: person, conversationId, runId: null, force: false })
    await until(conversationId, 'run-finished')
    expect((await log(childId)).at(-1)).toMatchObject({ type: 'input-removed' })
    const settled = (await log(conversationId)).filter((entry) => entry.type === 'tool-call-settled')
    expect(settled).toMatchObject([{ outcome: 'aborted' }])
    expect(model.requests).toHaveLength(1)
  })

  it('[AGENT3, STOP6] is stopped as soon as that can be written down', async () => {
    let isFull = false
    const { start, started, until, conversationId, log, engine, clock } = openEngine(
      [calls(task('c1')), [...says('Let me').slice(0, -2), { type: 'wait' }]],
      {
        onAppend: ({ entries, conversationId: id }) => {
          const stops = entries.some(({ type }) => type === 'stop-requested')
          if (isFull && stops && id !== conversationId) throw new StoreWriteError('disk-full', 'The disk is full')
        },
      },
    )
    await start()
    const childId = await started()
    await until(childId, 'step-started')
    isFull = true
    await engine.stopRun({ commandId: 'stop', actor: person, conversationId, runId: null, force: false })
    await clock.advance(1_000)
    expect((await log(childId)).map(({ type }) => type)).not.toContain('stop-requested')
    isFull = false
    await vi.waitFor(async () => {
      await clock.advance(500)
      expect((await log(childId)).map(({ type }) => type)).toContain('stop-requested')
    })
  })

  it('[PERM4] waits for its person without running into its limit', async () => {
    const editing = testTool({ name: 'edit', category: 'edit' })
    const edit = { callId: 'e1', name: 'edit', input: { path: 'a' } }
    const { start, started, until, conversationId, log, engine, clock } = openEngine(
      [calls(task('c1')), calls(edit), says('Edited'), says('Done')],
      { own: [editing.tool] },
    )
    await start()
    const childId = await started()
    await until(childId, 'permission-requested')
    for (let hour = 0; hour < 3; hour++) await clock.advance(3_600_000)
    const asked = (await log(childId)).find((entry) => entry.type === 'permission-requested')
    await engine.answerPermission({
      commandId: 'yes',
      actor: person,
      conversationId: childId,
      decision: 'allow',
      scope: 'call',
      requestId: (asked as EntryOf<'permission-requested'>).requestId,
    })
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect((await log(conversationId)).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'completed' })
    })
    expect(editing.started).toEqual(['a'])
  })

  it('[AGENT3] is closed before its caller when the process was killed', async () => {
    const first = openEngine([calls(task('c1')), [...says('Let me').slice(0, -2), { type: 'wait' }]])
    await first.start()
    const childId = await first.started()
    await first.until(childId, 'step-started')
    const second = openEngine([says('Next')], { memory: await first.memory.reopen() })
    await second.memory.store.endLeases()
    await second.engine.recover()
    await second.until(first.conversationId, 'run-finished')
    const [parent, child] = [await second.log(first.conversationId), await second.log(childId)]
    expect(child.at(-1)).toMatchObject({ type: 'run-finished' })
    expect(parent.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' })
    expect(parent.filter((entry) => entry.type === 'tool-call-settled')).toMatchObject([{ outcome: 'unknown' }])
  })
})
