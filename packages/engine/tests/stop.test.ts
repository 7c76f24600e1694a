import { overview } from '@holdfast/conversation'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'

/** A conversation in which one names the run that one wants stopped. */
async function openStoppable(scripts: readonly (readonly ScriptLine[])[]) {
  const harness = await openHarness(scripts)
  const { engine, conversationId, log } = harness
  return {
    ...harness,
    state: async () => overview.reduce(overview.initial, await log()),
    stopNamed: (commandId: string, runId: string) =>
      engine.stopRun({ commandId, actor: { type: 'person', userId: 'user_1' }, conversationId, runId, force: false }),
  }
}

describe('a stop', () => {
  it('[STOP1, STOP4] is in the log before it is answered, and keeps exactly what was published', async () => {
    const { send, stop, until, log, model, untilPublished } = await openHarness([
      [...begins('Once upon'), { type: 'wait' }, { type: 'block-delta', block: 0, text: ' a time' }],
    ])
    await send('Tell me', 'send-1')
    await untilPublished('Once upon')
    const answer = await stop('stop-1')
    expect(answer.accepted).toBe(true)
    expect((await log()).some((entry) => entry.type === 'stop-requested' && entry.runId === answer.runId)).toBe(true)
    await vi.waitFor(() => expect(model.abortedCount()).toBe(1))
    model.proceed()
    await until('run-finished', 1)
    expect(await log()).toContainEqual(
      expect.objectContaining({
        type: 'step-finished',
        finish: 'cut',
        cut: 'stopped',
        blocks: [{ type: 'text', text: 'Once upon' }],
      }),
    )
    expect((await log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'stopped' })
  })

  it('[STOP7] is told to the model with the next message', async () => {
    const { send, stop, until, model, untilPublished } = await openHarness([
      [...begins('Once upon'), { type: 'wait' }],
      says('Right'),
    ])
    await send('Tell me', 'send-1')
    await untilPublished('Once upon')
    await stop('stop-1')
    model.proceed()
    await until('run-finished', 1)
    await send('Go on', 'send-2')
    await until('run-finished', 2)
    const last = model.requests[1]?.messages.at(-1)
    expect(last?.role === 'user' ? last.parts.map((part) => (part.type === 'text' ? part.text : '')) : []).toEqual([
      expect.stringContaining('stopped your reply'),
      'Go on',
    ])
  })

  it('[STOP3] does not wait for a source that never ends longer than the drain', async () => {
    const { send, stop, until, clock, log, untilPublished } = await openHarness([[...begins('On'), { type: 'wait' }]])
    await send('Tell me', 'send-1')
    await untilPublished('On')
    await stop('stop-1')
    await clock.advance(4_999)
    expect((await log()).at(-1)?.type).toBe('stop-requested')
    await clock.advance(1)
    await until('run-finished', 1)
    expect((await log()).at(-1)).toMatchObject({ outcome: 'stopped' })
  })

  it('[STOP8, COST1] records what the stopped request cost, by estimate and marked where nothing was said', async () => {
    const { send, stop, until, log, model, untilPublished } = await openHarness([
      [...begins('Once upon'), { type: 'wait' }],
    ])
    await send('Tell me', 'send-1')
    await untilPublished('Once upon')
    await stop('stop-1')
    model.proceed()
    await until('run-finished', 1)
    expect(await log()).toContainEqual(
      expect.objectContaining({ type: 'usage-recorded', outcome: 'stopped', measured: false, outputTokens: 4 }),
    )
  })

  it('[STOP8] takes figures that came early for what they are: the output goes on after them', async () => {
    const figures = {
      inputTokens: 12,
      cacheReadTokens: 0,
      cacheCreation5mTokens: 0,
      cacheCreation1hTokens: 0,
      outputTokens: 1,
      thinkingTokens: 0,
    }
    const early = { type: 'usage' as const, usage: figures }
    const { send, stop, until, log, model, untilPublished } = await openHarness([
      [early, ...begins('Once upon'), { type: 'wait' }],
    ])
    await send('Tell me', 'send-1')
    await untilPublished('Once upon')
    await stop('stop-1')
    model.proceed()
    await until('run-finished', 1)
    expect(await log()).toContainEqual(
      expect.objectContaining({ type: 'usage-recorded', measured: false, inputTokens: 12, outputTokens: 4 }),
    )
  })

  it('[STOP13] that meets the end of its turn holds what waits, and stops what has begun in between', async () => {
    for (const hasBegun of [false, true]) {
      const { send, stopNamed, until, log, model, untilPublished, state } = await openStoppable([
        [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }],
        [...begins('Two'), { type: 'wait' }, { type: 'finish', finish: 'end' }],
        says('Never'),
      ])
      await send('First', 'send-1')
      await untilPublished('One')
      const [runId] = (await log()).flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : []))
      await send('Second', 'send-2')
      await send('Third', 'send-3')
      model.proceed()
      await (hasBegun ? untilPublished('Two') : until('run-finished', 1))
      const answer = await stopNamed('stop-1', runId ?? '')
      expect(answer.accepted).toBe(true)
      model.proceed()
      await vi.waitFor(async () => expect((await state()).runState.exclusive).toBeNull())
      expect((await state()).queue.held).toBe('stopped')
      const sent = (await log()).flatMap((entry) => (entry.type === 'user-message-sent' ? entry.content : []))
      expect(JSON.stringify(sent)).not.toContain('Third')
      expect(await stopNamed('stop-1', runId ?? '')).toEqual(answer)
    }
  })

  it('[STOP13, STOP1] of a turn that has ended does nothing to what is sent after it', async () => {
    const { send, stopNamed, until, log, model, untilPublished } = await openStoppable([
      says('One'),
      [...begins('Two'), { type: 'wait' }, { type: 'block-ended', block: 0 }, { type: 'finish', finish: 'end' }],
    ])
    await send('First', 'send-1')
    await until('run-finished', 1)
    const [runId] = (await log()).flatMap((entry) => (entry.type === 'run-started' ? [entry.runId] : []))
    expect(await stopNamed('stop-1', runId ?? '')).toEqual({ runId: null, accepted: false })
    await send('Second', 'send-2')
    await untilPublished('Two')
    expect(await stopNamed('stop-2', runId ?? '')).toEqual({ runId: null, accepted: false })
    model.proceed()
    await until('run-finished', 2)
    expect((await log()).at(-1)).toMatchObject({ outcome: 'completed' })
  })

  it('[STOP10] is harmless the second time, and when nothing runs', async () => {
    const { send, stop, until, types, model, untilPublished } = await openHarness([
      [...begins('Once upon'), { type: 'wait' }],
    ])
    expect(await stop('stop-0')).toEqual({ runId: null, accepted: false })
    await send('Tell me', 'send-1')
    await untilPublished('Once upon')
    const [first, second] = await Promise.all([stop('stop-1'), stop('stop-2')])
    expect(second).toEqual(first)
    model.proceed()
    await until('run-finished', 1)
    expect((await types()).filter((type) => type === 'run-finished')).toHaveLength(1)
    expect(await stop('stop-3')).toEqual({ runId: null, accepted: false })
  })
})
