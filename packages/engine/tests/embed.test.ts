import { createEngine, type EngineOptions } from '@holdfast/engine'
import { createManualClock, createScriptedModel, type ScriptLine, says } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, createToolRegistry, type LateResult, type ToolRegistryOptions } from '@holdfast/tool'
import { describe, expect, it, vi } from 'vitest'
import { calls } from './support/tools.ts'

const used = (inputTokens: number, outputTokens: number): ScriptLine => ({
  type: 'usage',
  usage: {
    inputTokens,
    outputTokens,
    cacheReadTokens: 0,
    cacheCreation5mTokens: 0,
    cacheCreation1hTokens: 0,
    thinkingTokens: 0,
  },
})

/** A reply that says what it used. */
function saysWith(text: string, usage: ScriptLine): readonly ScriptLine[] {
  const lines = says(text)
  return [...lines.slice(0, -1), usage, ...lines.slice(-1)]
}

function open(scripts: readonly (readonly ScriptLine[])[], more: Partial<EngineOptions> & { window?: number } = {}) {
  const clock = createManualClock()
  const { store } = createMemoryStore({ clock })
  const model = createScriptedModel(scripts)
  const facts = withOverride(UNKNOWN_MODEL, { contextWindowTokens: more.window ?? null })
  const engine = createEngine({ store, clock, model: { modelId: 'scripted', port: model, facts }, ...more })
  return { engine, model, clock, store }
}

/** Waits for a tool that ends when its test says so. */
function hangingTools(more: Partial<ToolRegistryOptions>) {
  const permissions = createPermissionRules({ defaultPolicy: 'allow', rules: [] })
  const work = Promise.withResolvers<string>()
  const running = Promise.withResolvers<void>()
  const tools = createToolRegistry({ defaultToolTimeoutMs: 300, permissions, clock: createManualClock(), ...more })
  tools.register({ name: 'hang', description: 'Hangs.', parameters: { type: 'object' } }, () => {
    running.resolve()
    return work.promise
  })
  return { tools, work, running: running.promise }
}

function addingTools() {
  const clock = createManualClock()
  const permissions = createPermissionRules({ defaultPolicy: 'ask', rules: [{ effect: 'allow', tool: 'add' }] })
  const tools = createToolRegistry({ defaultToolTimeoutMs: 1_000, permissions, clock })
  const parameters = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }
  tools.register({ name: 'add', description: 'Adds.', parameters, annotations: { openWorld: false } }, (input) =>
    typeof input === 'object' && input !== null && 'a' in input && 'b' in input ? Number(input.a) + Number(input.b) : 0,
  )
  return tools
}

describe('an embedded engine', () => {
  it('[RUN1] answers an input with its text, its steps and what they used', async () => {
    const { engine } = open([saysWith('Hello', used(100, 50))])
    const updates: number[] = []
    const deltas: string[] = []
    const result = await engine.conversation('c1').run('Hi', {
      onDelta: (text) => deltas.push(text),
      onUsageUpdate: ({ total }) => updates.push(total.totalTokens),
    })
    expect(result).toMatchObject({ outcome: 'completed', reason: null, text: 'Hello' })
    expect(result.steps).toHaveLength(1)
    expect(result.totalUsage).toMatchObject({ inputTokens: 100, outputTokens: 50, totalTokens: 150, costUsd: null })
    expect(deltas.join('')).toBe('Hello')
    expect(updates).toEqual([150])
  })

  it('[TOOL8] runs the tools of a registry by its rules, and counts them in the log', async () => {
    const tools = addingTools()
    const script = [...calls({ callId: 'c1', name: 'add', input: { a: 2, b: 3 } })]
    const { engine, model } = open(
      [[...script.slice(0, -1), used(10, 5), ...script.slice(-1)], saysWith('5', used(20, 1))],
      {
        tools,
      },
    )
    const updates: number[] = []
    const result = await engine
      .conversation('c1')
      .run('2 + 3?', { onUsageUpdate: ({ step }) => updates.push(step.totalTokens) })
    expect(result).toMatchObject({ outcome: 'completed', text: '5' })
    expect(updates).toEqual([15, 21])
    expect(result.totalUsage.totalTokens).toBe(36)
    expect(JSON.stringify(model.requests[1]?.messages[2])).toContain('5')
    const [add] = await engine.listTools('c1')
    expect(add).toMatchObject({ definition: { name: 'add' }, metrics: { callCount: 1, errorCount: 0 } })
    expect(tools.getToolMetrics('add')).toMatchObject({ callCount: 0 })
  })

  it('[TOOL3, TOOL4] keeps the time limit and the grace of its registry, and tells it what comes late', async () => {
    const late: LateResult[] = []
    const { tools, work, running } = hangingTools({ graceMs: 50, onLate: (one) => late.push(one) })
    const { engine, clock, store } = open([calls({ callId: 'c1', name: 'hang', input: {} }), says('Too long.')], {
      tools,
    })
    const run = engine.conversation('c1').run('Go')
    await running
    await clock.advance(350)
    expect(await run).toMatchObject({ outcome: 'completed', text: 'Too long.' })
    const { entries } = await store.read({ conversationId: 'c1', after: 0, limit: 100 })
    expect(entries.find(({ type }) => type === 'tool-call-settled')).toMatchObject({
      outcome: 'timed-out',
      durationMs: 350,
    })
    work.resolve('after all')
    await vi.waitFor(() => expect(late).toHaveLength(1))
    expect(late[0]).toMatchObject({ callId: 'c1', name: 'hang', content: [{ type: 'text', text: 'after all' }] })
  })

  it.each([
    ['allowed', 'ok'],
    ['denied', 'denied'],
  ] as const)('[PERM3] asks whom its registry asks, and obeys: %s', async (answer, outcome) => {
    const permissions = createPermissionRules({ defaultPolicy: 'ask', rules: [] })
    const asked: unknown[] = []
    const tools = createToolRegistry({
      defaultToolTimeoutMs: 300,
      permissions,
      clock: createManualClock(),
      ask: async (question) => {
        asked.push(question)
        return answer
      },
    })
    tools.register({ name: 'x', description: '', parameters: { type: 'object' } }, () => 'ran')
    const { engine, store } = open([calls({ callId: 'c1', name: 'x', input: { a: 1 } }), says('Done.')], { tools })
    expect(await engine.conversation('c1').run('Go')).toMatchObject({ outcome: 'completed', text: 'Done.' })
    expect(asked).toMatchObject([
      { call: { callId: 'c1', name: 'x', input: { a: 1 } }, decision: { effect: 'ask', source: 'default-policy' } },
    ])
    const { entries } = await store.read({ conversationId: 'c1', after: 0, limit: 100 })
    expect(entries.find(({ type }) => type === 'tool-call-settled')).toMatchObject({ outcome })
  })

  it('[PERM4] denies where asking whom its registry asks fails, and says so', async () => {
    const tools = createToolRegistry({
      defaultToolTimeoutMs: 300,
      permissions: createPermissionRules({ defaultPolicy: 'ask', rules: [] }),
      clock: createManualClock(),
      ask: async () => {
        throw new Error('nobody there')
      },
    })
    tools.register({ name: 'x', description: '', parameters: { type: 'object' } }, () => 'ran')
    const { engine, model } = open([calls({ callId: 'c1', name: 'x', input: {} }), says('Done.')], { tools })
    expect(await engine.conversation('c1').run('Go')).toMatchObject({ outcome: 'completed' })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('nobody there')
  })

  it('[STOP6] ends the question of its registry when the run is stopped', async () => {
    const waiting = Promise.withResolvers<AbortSignal>()
    const tools = createToolRegistry({
      defaultToolTimeoutMs: 300,
      permissions: createPermissionRules({ defaultPolicy: 'ask', rules: [] }),
      clock: createManualClock(),
      ask: (_question, { signal }) => {
        waiting.resolve(signal)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('denied'), { once: true }))
      },
    })
    tools.register({ name: 'x', description: '', parameters: { type: 'object' } }, () => 'ran')
    const { engine } = open([calls({ callId: 'c1', name: 'x', input: {} })], { tools })
    const conversation = engine.conversation('c1')
    const run = conversation.run('Go')
    const signal = await waiting.promise
    await conversation.stop()
    expect(await run).toMatchObject({ outcome: 'stopped' })
    expect(signal.aborted).toBe(true)
  })

  it('[STOP1] stops by its signal and by stop(), and keeps what was said', async () => {
    const waits: readonly ScriptLine[] = [...says('Once upon').slice(0, -2), { type: 'wait' }]
    const { engine, clock } = open([waits])
    const stopping = new AbortController()
    const run = engine.conversation('c1').run('A story', { signal: stopping.signal, onDelta: () => stopping.abort() })
    await vi.waitFor(() => expect(stopping.signal.aborted).toBe(true))
    let ended = false
    void run.then(() => {
      ended = true
    })
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(ended).toBe(true)
    })
    expect(await run).toMatchObject({ outcome: 'stopped', text: 'Once upon' })
  })

  it('[RUN2] answers inputs of one conversation one after the other, and others beside it', async () => {
    const { engine, model } = open([says('One'), says('Two'), says('Three')])
    const [first, second] = [engine.conversation('c1'), engine.conversation('c1')]
    const results = await Promise.all([first.run('a'), second.run('b'), engine.conversation('c2').run('c')])
    expect(results.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'completed'])
    expect(model.requests.map(({ messages }) => messages.length).sort()).toEqual([1, 1, 3])
  })

  it('[COST6] says how full the window is: rounded, over when it is over, and no percent without a window', async () => {
    const useOf = async (tokens: number, window?: number) => {
      const { engine } = open([saysWith('x', used(tokens - 1, 1))], window === undefined ? {} : { window })
      const conversation = engine.conversation('c1')
      await conversation.run('Hi')
      return conversation.context()
    }
    expect(await useOf(25, 1_000)).toEqual({
      usedTokens: 25,
      contextWindowTokens: 1_000,
      contextUsagePercent: 3,
      measured: true,
    })
    expect(await useOf(1_500, 1_000)).toMatchObject({ contextUsagePercent: 150 })
    expect(await useOf(25)).toMatchObject({ contextWindowTokens: null, contextUsagePercent: null })
  })

  it('[COST4] says it by the meter that the engine has, and measured only where something was measured', async () => {
    const { engine } = open([saysWith('x', used(900, 100))], { window: 1_000 })
    const conversation = engine.conversation('c1')
    expect(await conversation.context()).toMatchObject({ usedTokens: 0, measured: false })
    await conversation.run('Hi')
    await engine.changeSettings({
      commandId: 'rules',
      actor: { type: 'person', userId: 'local' },
      conversationId: 'c1',
      changes: { instructions: 'Be brief. '.repeat(500) },
    })
    const report = await engine.contextOf('c1')
    expect(await conversation.context()).toEqual({
      usedTokens: report?.usedTokens,
      contextWindowTokens: report?.windowTokens,
      contextUsagePercent: report?.percent,
      measured: report?.measured,
    })
  })

  it('[RUN9] says why a run failed', async () => {
    const { engine } = open([[{ type: 'break-off' }]])
    expect(await engine.conversation('c1').run('Hi')).toMatchObject({
      outcome: 'failed',
      reason: 'The provider broke off before the end of its answer.',
    })
  })
})
