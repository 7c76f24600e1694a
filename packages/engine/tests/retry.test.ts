import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { type ModelPort, ProviderError, UNKNOWN_MODEL } from '@holdfast/provider'
import { describe, expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'

const throws = (error: Error): ScriptLine => ({ type: 'throw', error })
const overloaded = new ProviderError('overloaded', 'Overloaded', { status: 529 })

describe('a request that fails', () => {
  it('[RUN7] is made again after a wait that the log shows, and answers', async () => {
    const harness = await openHarness([[throws(overloaded)], says('Hello')])
    await harness.send('Hi', 'send-1')
    await harness.until('step-failed', 1)
    const failed = (await harness.log()).find((entry) => entry.type === 'step-failed')
    expect(failed).toMatchObject({ attempt: 1, error: { code: 'overloaded', status: 529 }, retryAt: 1_000 + 5_625 })
    await harness.clock.advance(5_000)
    expect(harness.model.requests).toHaveLength(1)
    await harness.clock.advance(625)
    await harness.until('run-finished', 1)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'completed' })
    expect((await harness.types()).filter((type) => type === 'usage-recorded')).toHaveLength(2)
  })

  it('[RUN7] waits as long as the server asks, and ends when it has failed too often', async () => {
    const limited = new ProviderError('rate-limit', 'Slow down', { status: 429, retryAfterMs: 60_000 })
    const harness = await openHarness([[throws(limited)]])
    await harness.send('Hi', 'send-1')
    for (let attempt = 1; attempt < 8; attempt++) {
      await harness.until('step-failed', attempt)
      await harness.clock.advance(67_499)
      expect(harness.model.requests).toHaveLength(attempt)
      await harness.clock.advance(1)
    }
    await harness.until('run-finished', 1)
    expect(harness.model.requests).toHaveLength(8)
    expect((await harness.log()).find((entry) => entry.type === 'run-finished')).toMatchObject({
      outcome: 'failed',
      reason: 'Slow down',
    })
  })

  it('[COST14] costs nothing where no line to the provider came about, and is estimated where one broke', async () => {
    const unsent = new ProviderError('network', 'Nothing listens there', { isUnsent: true })
    const broken = new ProviderError('network', 'The connection was reset', {})
    const harness = await openHarness([[throws(unsent)], [throws(broken)], says('Hello')])
    await harness.send('Hi', 'send-1')
    for (let attempt = 1; attempt < 3; attempt++) {
      await harness.until('step-failed', attempt)
      await harness.clock.advance(60_000)
    }
    await harness.until('run-finished', 1)
    const usage = (await harness.log()).filter((entry) => entry.type === 'usage-recorded')
    expect(usage).toMatchObject([
      { inputTokens: 0, outputTokens: 0, measured: true },
      { inputTokens: expect.toSatisfy((tokens: number) => tokens > 0), measured: false },
      { outcome: 'completed' },
    ])
  })

  it('[STOP6] stops at once while it waits', async () => {
    const harness = await openHarness([[throws(overloaded)], says('Hello')])
    await harness.send('Hi', 'send-1')
    await harness.until('step-failed', 1)
    await harness.stop('stop-1')
    await harness.until('run-finished', 1)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'stopped' })
    expect(harness.model.requests).toHaveLength(1)
    await vi.waitFor(() => expect(harness.clock.waitingCount()).toBe(0))
  })

  it('[RUN5] is not made again once something of its answer was shown', async () => {
    const harness = await openHarness([[...begins('Half'), throws(overloaded)], says('Hello')])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    expect(harness.model.requests).toHaveLength(1)
    expect((await harness.log()).slice(-4).map(({ type }) => type)).toEqual([
      'step-failed',
      'usage-recorded',
      'stop-noted',
      'run-finished',
    ])
  })

  it('[RUN9] that cannot get better ends the run with its class, and the ledger says that nothing was used', async () => {
    const harness = await openHarness([[throws(new ProviderError('auth', 'The key is not valid', { status: 401 }))]])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    const log = await harness.log()
    expect(log.find((entry) => entry.type === 'step-failed')).toMatchObject({ error: { code: 'auth', status: 401 } })
    expect(log.find((entry) => entry.type === 'usage-recorded')).toMatchObject({
      inputTokens: 0,
      outputTokens: 0,
      measured: true,
      outcome: 'failed',
    })
    expect(log.at(-1)).toMatchObject({ outcome: 'failed', reason: 'The key is not valid' })
  })

  it('[RUN6] gives up a source that says nothing, counted by events, and tries again', async () => {
    const harness = await openHarness([[{ type: 'wait' }], says('Hello')])
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(harness.model.requests).toHaveLength(1))
    await harness.clock.advance(119_000)
    expect(await harness.types()).not.toContain('step-failed')
    await harness.clock.advance(1_000 + 5_000)
    await harness.until('step-failed', 1)
    expect((await harness.log()).find((entry) => entry.type === 'step-failed')).toMatchObject({
      error: { code: 'network', message: 'The provider sent nothing for 120 seconds.' },
    })
    await harness.clock.advance(2_000)
    await harness.until('run-finished', 1)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'completed' })
  })

  it('[RUN6] allows a longer silence between two events than before the first', async () => {
    const harness = await openHarness([[...begins('Half'), { type: 'wait' }]])
    await harness.send('Hi', 'send-1')
    await harness.untilPublished('Half')
    await harness.clock.advance(299_000)
    expect(await harness.types()).not.toContain('step-finished')
    await harness.clock.advance(1_000 + 5_000)
    await harness.until('run-finished', 1)
    expect((await harness.log()).at(-1)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('300 seconds'),
    })
  })

  it('[RUN6] counts the silence from the last event on', async () => {
    const harness = await openHarness([
      [...begins('Half'), { type: 'wait' }, { type: 'block-delta', block: 0, text: ' and' }, { type: 'wait' }],
    ])
    await harness.send('Hi', 'send-1')
    await harness.untilPublished('Half')
    await harness.clock.advance(200_000)
    harness.model.proceed()
    await harness.untilPublished('Half and')
    await harness.clock.advance(299_000)
    expect(await harness.types()).not.toContain('step-finished')
    await harness.clock.advance(6_000)
    await harness.until('run-finished', 1)
  })

  it('[RUN13] is made again without thinking when the provider refuses to think, and so is all that follows until it is set anew', async () => {
    const refused = new ProviderError('bad-request', 'No thinking', { status: 400, detail: 'thinking-parameters' })
    const harness = await openHarness([[throws(refused)], says('Hello'), says('Again'), says('More')])
    await harness.engine.changeSettings({
      commandId: 'think',
      actor: { type: 'person', userId: 'user_1' },
      conversationId: harness.conversationId,
      changes: { parameters: { thinkingBudgetTokens: 2_000 } },
    })
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    const budgets = () => harness.model.requests.map(({ thinkingBudgetTokens }) => thinkingBudgetTokens)
    expect(budgets()).toEqual([2_000, null])
    expect((await harness.log()).find((entry) => entry.type === 'notice-raised')).toMatchObject({
      code: 'thinking-off',
    })
    await harness.send('And', 'send-2')
    await harness.until('run-finished', 2)
    expect(budgets()).toEqual([2_000, null, null])
    await harness.engine.changeSettings({
      commandId: 'think-more',
      actor: { type: 'person', userId: 'user_1' },
      conversationId: harness.conversationId,
      changes: { parameters: { thinkingBudgetTokens: 4_000 } },
    })
    await harness.send('More', 'send-3')
    await harness.until('run-finished', 3)
    expect(budgets()).toEqual([2_000, null, null, 4_000])
  })

  it('[REQ4] is made again without earlier thinking when its signature is refused, once', async () => {
    const refused = new ProviderError('bad-request', 'Bad signature', { status: 400, detail: 'thinking-signature' })
    const thought: readonly ScriptLine[] = [
      { type: 'block-started', block: 0, start: { type: 'thinking' } },
      { type: 'block-delta', block: 0, text: 'Hm' },
      { type: 'block-ended', block: 0, providerState: { signature: 's' } },
      { type: 'block-started', block: 1, start: { type: 'text' } },
      { type: 'block-delta', block: 1, text: 'Hello' },
      { type: 'block-ended', block: 1 },
      { type: 'finish', finish: 'end' },
    ]
    const harness = await openHarness([thought, [throws(refused)], says('Again'), [throws(refused)]])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    await harness.send('And', 'send-2')
    await harness.until('run-finished', 2)
    const sent = harness.model.requests.map((request) => JSON.stringify(request.messages).includes('thinking'))
    expect(sent).toEqual([false, true, false])
    const thoughtSeq = (await harness.log()).find(({ type }) => type === 'step-finished')?.seq
    const report = await harness.engine.contextOf(harness.conversationId)
    expect(report?.thinkingLeftOutSeqs).toEqual([thoughtSeq])
    await harness.send('More', 'send-3')
    await harness.until('run-finished', 3)
    expect((await harness.log()).at(-1)).toMatchObject({ outcome: 'failed', reason: 'Bad signature' })
  })
})

it('[RUN14] a model that throws before it streams leaves no timer behind', async () => {
  const port: ModelPort = {
    providerId: 'broken',
    stream() {
      throw new Error('It cannot begin')
    },
  }
  const models = () => [{ modelId: 'm', providerModelId: 'm', name: 'M', port, facts: UNKNOWN_MODEL }]
  const harness = await openHarness([], [], null, { ports: { models } })
  await harness.send('Hi', 'send-1')
  await expect.poll(() => harness.faults.length).toBe(1)
  await harness.engine.close()
  expect(harness.clock.waitingCount()).toBe(0)
})
