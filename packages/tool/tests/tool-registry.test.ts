import {
  type CallEffect,
  createPermissionRules,
  createToolRegistry,
  type ToolContext,
  type ToolRegistryOptions,
} from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { createManualClock, settlePromises } from './support/manual-clock.ts'

const never = () => new Promise<string>(() => {})
const allowAll = createPermissionRules({ defaultPolicy: 'allow', rules: [] })

function openRegistry(rest: Partial<ToolRegistryOptions> = {}) {
  const clock = createManualClock()
  const registry = createToolRegistry({ defaultToolTimeoutMs: 1_000, permissions: allowAll, clock, ...rest })
  const register = (name: string, run: () => unknown, timeoutMs?: number) =>
    registry.register(
      { name, description: name, parameters: { type: 'object' }, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      run,
    )
  return { clock, registry, register }
}

describe('a registry of tools', () => {
  it.each([50, 5_000])(
    '[TOOL3] the time limit of a tool (%d ms) wins over the default, in both directions',
    async (timeoutMs) => {
      const { clock, registry, register } = openRegistry()
      register('slow', never, timeoutMs)
      let isSettled = false
      const result = registry.execute({ name: 'slow', input: {} }).finally(() => {
        isSettled = true
      })
      await clock.advance(timeoutMs + 1_999)
      expect(isSettled).toBe(false)
      await clock.advance(1)
      expect(await result).toMatchObject({
        outcome: 'timed-out',
        isError: true,
        output: expect.stringContaining('timed out'),
      })
    },
  )

  it('[TOOL2] gives the output of a fast tool verbatim', async () => {
    const { registry, register } = openRegistry()
    register('echo', () => 'as it is')
    expect(await registry.execute({ name: 'echo', input: {} })).toEqual({
      outcome: 'ok',
      isError: false,
      output: 'as it is',
    })
  })

  it('[TOOL4] tells what a tool reported, with its call and after its end', async () => {
    const told: [string, CallEffect][] = []
    const { registry } = openRegistry({ onEffect: (callId, effect) => told.push([callId, effect]) })
    const effect: CallEffect = { type: 'strangers-read', files: ['page.html'] }
    const contexts: ToolContext[] = []
    registry.register({ name: 'read', description: 'read', parameters: { type: 'object' } }, (_, context) => {
      contexts.push(context)
      context.report(effect)
    })
    await registry.execute({ callId: 'c1', name: 'read', input: {} })
    expect(told).toEqual([['c1', effect]])
    contexts[0]?.report(effect)
    expect(told).toHaveLength(2)
  })

  it('[TOOL8] has no metrics for an unknown tool, also after it was called, and two for two', async () => {
    const { registry, register } = openRegistry()
    expect(await registry.execute({ name: 'nobody', input: {} })).toMatchObject({ outcome: 'error', isError: true })
    expect(registry.getToolMetrics('nobody')).toBeUndefined()
    register('a', () => 'a')
    register('b', () => 'b')
    await registry.execute({ name: 'a', input: {} })
    await registry.execute({ name: 'b', input: {} })
    expect(registry.getAllToolMetrics().map(({ name, callCount }) => [name, callCount])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  it('[TOOL8] counts every outcome', async () => {
    const { clock, registry } = openRegistry({
      permissions: createPermissionRules({
        defaultPolicy: 'allow',
        rules: [{ effect: 'deny', tool: 'x', pattern: '={"do":"denied"}' }],
      }),
    })
    const stop = new AbortController()
    registry.register({ name: 'x', description: '', parameters: { type: 'object', required: ['do'] } }, (input) => {
      const text = JSON.stringify(input)
      if (text.includes('error')) throw new Error('broken')
      return text.includes('hang') ? never() : 'fine'
    })
    const call = (what: string, signal?: AbortSignal) =>
      registry.execute({ name: 'x', input: { do: what } }, signal ? { signal } : {})
    await call('ok')
    await call('error')
    await call('denied')
    await registry.execute({ name: 'x', input: {} })
    const hanging = call('hang')
    await settlePromises()
    expect(registry.getToolMetrics('x')).toMatchObject({ running: 1, callCount: 4 })
    await clock.advance(3_000)
    await hanging
    const stopped = call('hang 2', stop.signal)
    await settlePromises()
    stop.abort()
    await clock.advance(2_000)
    expect((await stopped).outcome).toBe('aborted')
    expect(registry.getToolMetrics('x')).toEqual({
      name: 'x',
      callCount: 6,
      errorCount: 3,
      deniedCount: 1,
      timeoutCount: 1,
      abortedCount: 1,
      running: 0,
      totalDurationMs: 5_000,
      avgDurationMs: 1_250,
      p95DurationMs: 3_000,
      lastCalledAt: 4_000,
    })
  })

  it('[TOOL8] waiting for a permission is no duration', async () => {
    const answer = Promise.withResolvers<'allowed'>()
    const { clock, registry, register } = openRegistry({
      permissions: createPermissionRules({ defaultPolicy: 'ask', rules: [] }),
      ask: () => answer.promise,
    })
    register('x', () => 'ran')
    const result = registry.execute({ name: 'x', input: {} })
    await clock.advance(60_000)
    answer.resolve('allowed')
    expect((await result).output).toBe('ran')
    expect(registry.getToolMetrics('x')).toMatchObject({ totalDurationMs: 0, callCount: 1, avgDurationMs: 0 })
  })

  it('[PERM6] denies what would ask where nobody is there', async () => {
    const { registry, register } = openRegistry({
      permissions: createPermissionRules({ defaultPolicy: 'ask', rules: [] }),
    })
    register('x', () => 'ran')
    expect(await registry.execute({ name: 'x', input: {} })).toMatchObject({
      outcome: 'denied',
      isError: true,
      output: expect.stringContaining('nobody is there'),
    })
  })

  it('[PERM4] a decision or an answer that throws denies', async () => {
    const { registry, register } = openRegistry({
      permissions: {
        policy: createPermissionRules({ defaultPolicy: 'ask', rules: [] }).policy,
        decide: () => {
          throw new Error('broke')
        },
      },
    })
    register('x', () => 'ran')
    expect(await registry.execute({ name: 'x', input: {} })).toMatchObject({ outcome: 'denied' })
  })

  it('[TOOL2] refuses a second tool of one name', () => {
    const { register } = openRegistry()
    register('x', () => '')
    expect(() => register('x', () => '')).toThrow('A tool named x is registered already')
  })

  it('[TOOL8] has no durations before the first call', () => {
    const { registry, register } = openRegistry()
    register('x', () => '')
    expect(registry.getToolMetrics('x')).toMatchObject({
      callCount: 0,
      avgDurationMs: null,
      p95DurationMs: null,
      lastCalledAt: null,
    })
  })
})
