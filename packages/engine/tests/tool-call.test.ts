import { type Entry, type EntryStore, StoreWriteError } from '@holdfast/conversation'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const read = (callId: string, path: string) => ({ callId, name: 'read', input: { path } })
const edit = (callId: string, path: string) => ({ callId, name: 'edit', input: { path } })

/** A store that refuses the first settlement of a call. */
function refusingOneSettlement(store: EntryStore): EntryStore {
  let refusedCount = 0
  return {
    ...store,
    async append(asked) {
      if (asked.entries.some(({ type }) => type === 'tool-call-settled') && refusedCount++ === 0)
        throw new StoreWriteError('unreachable', 'The store was away')
      return store.append(asked)
    },
  }
}

async function settled(log: () => Promise<readonly Entry[]>) {
  return (await log()).flatMap((entry) => {
    if (entry.type !== 'tool-call-settled') return []
    const [part] = entry.content
    return [{ ...entry, text: part?.type === 'text' ? part.text : '' }]
  })
}

describe('a step with tool calls', () => {
  it('[TOOL2] runs the calls and goes on with their results, in one run', async () => {
    const { tool } = testTool({ name: 'read', category: 'read' })
    const { send, until, types, model } = await openHarness([calls(read('c1', 'a')), says('Done')], [tool])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(await types()).toEqual([
      'conversation-created',
      'input-admitted',
      'run-started',
      'user-message-sent',
      'tools-changed',
      'step-started',
      'step-finished',
      'usage-recorded',
      'tool-call-started',
      'tool-call-settled',
      'step-started',
      'step-finished',
      'usage-recorded',
      'run-finished',
    ])
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(['read'])
  })

  it('[TOOL6] writes down the intent before the tool starts', async () => {
    const { tool, started, finish } = testTool({ name: 'read', category: 'read', waits: true })
    const { send, until, types, log } = await openHarness([calls(read('c1', 'a')), says('Done')], [tool])
    await send('Hi', 'send-1')
    await until('tool-call-started', 1)
    await vi.waitFor(() => expect(started).toEqual(['a']))
    expect(await types()).not.toContain('tool-call-settled')
    const intent = (await log()).find((entry) => entry.type === 'tool-call-started')
    expect(intent).toMatchObject({ effects: false, input: { path: 'a' }, decision: { mode: 'ask' } })
    finish('text')
    await until('run-finished', 1)
  })

  it('[TOOL7] runs reads side by side, and a call with effects only when all before it have settled', async () => {
    const reading = testTool({ name: 'read', category: 'read', waits: true })
    const editing = testTool({ name: 'edit', category: 'edit', waits: true })
    const harness = await openHarness(
      [calls(read('c1', 'a'), read('c2', 'b'), edit('c3', 'c'), read('c4', 'd')), says('Done')],
      [reading.tool, editing.tool],
    )
    await harness.engine.changeSettings({
      commandId: 'mode',
      actor: { type: 'person', userId: 'user_1' },
      conversationId: harness.conversationId,
      changes: { permissionMode: 'accept-edits' },
    })
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(reading.started).toEqual(['a', 'b']))
    expect(editing.started).toEqual([])
    reading.finish('text')
    await vi.waitFor(() => expect(editing.started).toEqual(['c']))
    expect(reading.started).toEqual(['a', 'b'])
    editing.finish('edited')
    await vi.waitFor(() => expect(reading.started).toEqual(['a', 'b', 'd']))
    reading.finish('text')
    await harness.until('run-finished', 1)
    expect((await settled(harness.log)).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('[RUN10] answers an input that is not whole JSON as an error, and runs nothing', async () => {
    const { tool, started } = testTool({ name: 'read', category: 'read' })
    const call = { callId: 'c1', name: 'read', input: '{"path": "a' }
    const { send, until, log } = await openHarness([calls(call), says('Sorry')], [tool])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(started).toEqual([])
    expect(await settled(log)).toMatchObject([{ outcome: 'error', text: expect.stringContaining('not JSON') }])
  })

  it('[TOOL1] answers an input that does not fit, and an unknown tool, without asking anybody', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const { send, until, log, types } = await openHarness(
      [
        calls({ callId: 'c1', name: 'edit', input: { path: 7 } }, { callId: 'c2', name: 'nothing', input: {} }),
        says('Oh'),
      ],
      [tool],
    )
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(started).toEqual([])
    expect(await settled(log)).toMatchObject([
      { callId: 'c1', outcome: 'error', text: expect.stringContaining('path') },
      { callId: 'c2', outcome: 'error', text: expect.stringContaining('no tool named nothing') },
    ])
    expect(await types()).not.toContain('permission-requested')
  })

  it('[RUN12] does not run a call in which the answer reached its length, and tells the model', async () => {
    const { tool, started } = testTool({ name: 'read', category: 'read' })
    const whole = calls(read('c1', 'a'), read('c2', 'b')).slice(0, -1)
    const { send, until, log } = await openHarness(
      [[...whole, { type: 'finish', finish: 'length' }], says('Shorter')],
      [tool],
    )
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(started).toEqual(['a'])
    expect(await settled(log)).toMatchObject([
      { callId: 'c2', outcome: 'not-started' },
      { callId: 'c1', outcome: 'ok' },
    ])
  })

  it('[RUN8] leaves out the calls over the limit of a step, and ends the run with that reason', async () => {
    const { tool, started } = testTool({ name: 'read', category: 'read' })
    const many = Array.from({ length: 34 }, (_, index) => read(`c${index}`, `file-${index}`))
    const { send, until, log } = await openHarness([calls(...many)], [tool])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(started).toHaveLength(32)
    expect((await settled(log)).filter(({ outcome }) => outcome === 'not-started')).toHaveLength(2)
    expect((await log()).at(-1)).toMatchObject({ outcome: 'limit', reason: expect.stringContaining('34 calls') })
  })

  it('[RUN8] ends a run that has taken as many steps as it may', async () => {
    const { tool } = testTool({ name: 'read', category: 'read' })
    const scripts = Array.from({ length: 60 }, (_, index) => calls(read(`c${index}`, `file-${index}`)))
    const { send, until, log, model } = await openHarness(scripts, [tool])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(model.requests).toHaveLength(50)
    expect((await log()).at(-1)).toMatchObject({ outcome: 'limit', reason: expect.stringContaining('50 steps') })
  })

  it('[RUN8] ends a run whose calls come back and cannot be run: nobody can be asked about them', async () => {
    const { tool } = testTool({ name: 'read', category: 'read' })
    const unfit: readonly { readonly name: string; readonly input: string }[] = [
      { name: 'no_such_tool', input: '{"path":"a"}' },
      { name: 'read', input: '{"a":' },
      { name: 'read', input: '{"other":1}' },
    ]
    for (const { name, input } of unfit) {
      const scripts = Array.from({ length: 60 }, (_, index) => calls({ callId: `c${index}`, name, input }))
      const { send, until, log, model } = await openHarness(scripts, [tool])
      await send('Hi', 'send-1')
      await until('run-finished', 1)
      expect(model.requests).toHaveLength(3)
      expect((await settled(log)).map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error'])
      expect((await log()).at(-1)).toMatchObject({ outcome: 'limit', reason: expect.stringContaining('3 in a row') })
    }
  })

  it('[COST7] asks nothing more when the budget is used up', async () => {
    const { send, until, log, model, engine, conversationId } = await openHarness([says('One')])
    const actor = { type: 'person', userId: 'user_1' } as const
    await engine.changeSettings({ commandId: 'budget', actor, conversationId, changes: { budgetUsd: 0 } })
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    expect(model.requests).toHaveLength(0)
    expect((await log()).at(-1)).toMatchObject({ outcome: 'limit', reason: expect.stringContaining('budget') })
  })

  it('[STOP5] settles every call of a stopped step: running ones as aborted, the others as not started', async () => {
    const editing = testTool({ name: 'edit', category: 'edit', waits: true })
    const harness = await openHarness([calls(edit('c1', 'a'), edit('c2', 'b'))], [editing.tool])
    const actor = { type: 'person', userId: 'user_1' } as const
    const { conversationId, clock } = harness
    await harness.engine.changeSettings({
      commandId: 'mode',
      actor,
      conversationId,
      changes: { permissionMode: 'accept-edits' },
    })
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(editing.started).toEqual(['a']))
    await harness.stop('stop-1')
    expect(editing.contexts[0]?.signal.aborted).toBe(true)
    await clock.advance(2_000)
    await harness.until('run-finished', 1)
    expect(await settled(harness.log)).toMatchObject([
      { callId: 'c1', outcome: 'aborted', text: expect.stringContaining('may still be running') },
      { callId: 'c2', outcome: 'not-started', text: expect.not.stringContaining('denied') },
    ])
    expect((await harness.types()).slice(-2)).toEqual(['stop-noted', 'run-finished'])
  })

  it('[STOP5] aborts the calls beside one whose settlement failed', async () => {
    const fast = testTool({ name: 'fast', category: 'read' })
    const slow = testTool({ name: 'read', category: 'read', waits: true })
    const call = { callId: 'c1', name: 'fast', input: { path: 'a' } }
    const tools = [fast.tool, slow.tool]
    const harness = await openHarness([calls(call, read('c2', 'b'))], tools, null, { lineTo: refusingOneSettlement })
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(slow.contexts[0]?.signal.aborted).toBe(true))
    await harness.clock.advance(2_000)
    await vi.waitFor(() => expect(harness.faults).toHaveLength(1))
    await harness.engine.close()
  })

  it('[TOOL2] settles each call once, also where one settlement could not be written', async () => {
    const fast = testTool({ name: 'fast', category: 'read' })
    const slow = testTool({ name: 'read', category: 'read', waits: true })
    const call = { callId: 'c1', name: 'fast', input: { path: 'a' } }
    const tools = [fast.tool, slow.tool]
    const harness = await openHarness([calls(call, read('c2', 'b'))], tools, null, { lineTo: refusingOneSettlement })
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(slow.started).toEqual(['b']))
    await harness.clock.advance(2_000)
    await vi.waitFor(() => expect(harness.faults).toHaveLength(1))
    await harness.engine.recover()
    slow.finish('late')
    await harness.until('run-finished', 1)
    await harness.engine.close()
    const outcomes = (await settled(harness.log)).map(({ callId, outcome }) => `${callId} ${outcome}`)
    expect(outcomes.sort()).toEqual(['c1 unknown', 'c2 aborted'])
    expect((await harness.types()).filter((type) => type === 'tool-result-late')).toHaveLength(1)
  })

  it('[TOOL4] records what a tool returns after its end, and does not use it', async () => {
    const editing = testTool({ name: 'read', category: 'read', waits: true })
    const harness = await openHarness([calls(read('c1', 'a')), says('On')], [editing.tool])
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(editing.started).toEqual(['a']))
    await harness.stop('stop-1')
    await harness.clock.advance(2_000)
    await harness.until('run-finished', 1)
    editing.finish('too late')
    await harness.until('tool-result-late', 1)
    await harness.send('And now', 'send-2')
    await harness.until('run-finished', 2)
    expect(JSON.stringify(harness.model.requests[1])).not.toContain('too late')
  })

  it('[TOOL4] records what a tool returns when the next run has begun', async () => {
    const editing = testTool({ name: 'read', category: 'read', waits: true })
    const harness = await openHarness([calls(read('c1', 'a')), says('On')], [editing.tool])
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(editing.started).toEqual(['a']))
    await harness.stop('stop-1')
    await harness.clock.advance(2_000)
    await harness.until('run-finished', 1)
    await harness.send('And now', 'send-2')
    await harness.until('run-finished', 2)
    editing.finish('too late')
    await harness.until('tool-result-late', 1)
    expect(harness.faults).toEqual([])
  })

  it('[STOP4] never runs a call of an answer that was stopped', async () => {
    const { tool, started } = testTool({ name: 'read', category: 'read' })
    const [first, delta, end] = calls(read('c1', 'a'))
    const harness = await openHarness(
      [
        [
          ...(first && delta && end ? [first, delta, end] : []),
          { type: 'wait' },
          { type: 'finish', finish: 'tool-calls' },
        ],
      ],
      [tool],
    )
    await harness.send('Hi', 'send-1')
    await harness.untilPublished('path')
    await harness.stop('stop-1')
    await harness.clock.advance(5_000)
    await harness.until('run-finished', 1)
    expect(started).toEqual([])
    expect(await settled(harness.log)).toMatchObject([{ outcome: 'not-started' }])
  })

  it('[STOP7] tells the model of a call whose input was cut by the stop', async () => {
    const { tool, started } = testTool({ name: 'read', category: 'read' })
    const half = calls(read('c1', 'a')).slice(0, 2)
    const harness = await openHarness([[...half, { type: 'wait' }], says('Next')], [tool])
    await harness.send('Hi', 'send-1')
    await harness.untilPublished('path')
    await harness.stop('stop-1')
    await harness.clock.advance(5_000)
    await harness.send('And', 'send-2')
    await harness.until('run-finished', 2)
    expect(started).toEqual([])
    expect(JSON.stringify(harness.model.requests[1]?.messages)).toContain('a call of read; its input was not complete')
  })

  it('[RUN2] lets an input that steers join after the calls of a step, before the next one', async () => {
    const reading = testTool({ name: 'read', category: 'read', waits: true })
    const harness = await openHarness([calls(read('c1', 'a')), says('Done')], [reading.tool])
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(reading.started).toEqual(['a']))
    await harness.engine.sendMessage({
      commandId: 'steer-1',
      actor: { type: 'person', userId: 'user_1' },
      conversationId: harness.conversationId,
      content: [{ type: 'text', text: 'Look at b instead' }],
      lane: 'steer',
    })
    reading.finish('text')
    await harness.until('run-finished', 1)
    expect(harness.model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect((await harness.types()).filter((type) => type === 'run-started')).toHaveLength(1)
  })

  it('[RUN1] keeps text that was said beside a call', async () => {
    const { tool } = testTool({ name: 'read', category: 'read' })
    const withText = [
      ...begins('Let me look.'),
      { type: 'block-ended' as const, block: 0 },
      { type: 'block-started' as const, block: 1, start: { type: 'tool-call' as const, callId: 'c1', name: 'read' } },
      { type: 'block-delta' as const, block: 1, text: '{"path":"a"}' },
      { type: 'block-ended' as const, block: 1 },
      { type: 'finish' as const, finish: 'tool-calls' as const },
    ]
    const { send, until, model } = await openHarness([withText, says('Done')], [tool])
    await send('Hi', 'send-1')
    await until('run-finished', 1)
    const answer = model.requests[1]?.messages[1]
    expect(answer?.role === 'assistant' && answer.blocks.map(({ type }) => type)).toEqual(['text', 'tool-call'])
  })
})
