import { createEngine, type EngineOptions } from '@holdfast/engine'
import { createManualClock, createScriptedModel, type ScriptLine, says } from '@holdfast/engine/testing'
import { UNKNOWN_MODEL, withOverride } from '@holdfast/provider'
import { createMemoryStore } from '@holdfast/store/memory'
import { createPermissionRules, createToolRegistry } from '@holdfast/tool'
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

  it('[TOOL8] runs the tools of a registry by its rules, and the registry counts them', async () => {
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
    expect(tools.getToolMetrics('add')).toMatchObject({ callCount: 1, errorCount: 0, running: 0 })
    expect(tools.getToolMetrics('other')).toBeUndefined()
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
      ...{ usedTokens: 25, contextWindowTokens: 1_000, contextUsagePercent: 3, measured: true },
    })
    expect(await useOf(1_500, 1_000)).toMatchObject({ contextUsagePercent: 150 })
    expect(await useOf(25)).toMatchObject({ contextWindowTokens: null, contextUsagePercent: null })
  })

  it('[RUN9] says why a run failed', async () => {
    const { engine } = open([[{ type: 'break-off' }]])
    expect(await engine.conversation('c1').run('Hi')).toMatchObject({
      outcome: 'failed',
      reason: 'The provider broke off before the end of its answer.',
    })
  })
})
