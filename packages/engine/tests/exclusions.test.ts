import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const

/** A conversation in which a tool was called once. */
async function withResult(...answers: readonly string[]) {
  const read = testTool({ name: 'read', category: 'read' })
  const call = { callId: 'c1', name: 'read', input: { path: 'notes.txt' } }
  const harness = await openHarness([calls(call), says('Read'), ...answers.map((words) => says(words))], [read.tool])
  await harness.send('Look', 'send-1')
  await harness.until('run-finished', 1)
  const settled = (await harness.log()).find(({ type }) => type === 'tool-call-settled')
  return { ...harness, resultSeq: settled?.seq ?? 0 }
}

async function exclude(harness: Harness, resultSeq: number, isExcluded: boolean, commandId = `e-${isExcluded}`) {
  const { engine, conversationId } = harness
  await engine.excludeResult({ commandId, actor, conversationId, resultSeq, isExcluded })
}

function lastSent({ model }: Harness): string {
  return JSON.stringify(model.requests.at(-1)?.messages)
}

describe('a result that a person leaves out', () => {
  it('[TOOL10] is a mark in the next request and itself again once taken back, and every receipt is exact', async () => {
    const harness = await withResult('Without', 'With')
    const { engine, conversationId, resultSeq } = harness
    await exclude(harness, resultSeq, true)
    await harness.send('And now?', 'send-2')
    await harness.until('run-finished', 2)
    expect(lastSent(harness)).toContain('left this result out')
    expect(lastSent(harness)).toContain('notes.txt')
    expect(lastSent(harness)).not.toContain('read of notes.txt')
    await exclude(harness, resultSeq, false)
    await harness.send('And now?', 'send-3')
    await harness.until('run-finished', 3)
    expect(lastSent(harness)).toContain('read of notes.txt')
    const steps = (await harness.log()).flatMap((entry) => (entry.type === 'step-started' ? [entry.stepId] : []))
    expect(steps).toHaveLength(4)
    for (const stepId of steps)
      expect(await engine.receiptOf({ conversationId, stepId })).toMatchObject({ isExact: true })
  })

  it('[TOOL10] is told with what the next request leaves out, and priced as a break before', async () => {
    const harness = await withResult()
    const { engine, conversationId, resultSeq } = harness
    const asked = { conversationId, content: [], exclusion: { resultSeq, isExcluded: true } }
    expect((await engine.priceOf(asked))?.change?.breaks).toEqual([{ reason: 'exclusion', brokenFrom: 'messages' }])
    expect((await engine.nextRequest({ conversationId, content: [] }))?.leftOut).toEqual([])
    await exclude(harness, resultSeq, true)
    expect((await engine.priceOf(asked))?.change).toBeNull()
    expect((await engine.nextRequest({ conversationId, content: [] }))?.leftOut).toEqual([
      { reason: 'excluded', seqs: [resultSeq] },
    ])
    await expect(engine.priceOf({ ...asked, exclusion: { resultSeq: 1, isExcluded: true } })).rejects.toThrow(
      'Entry 1 is no result of a tool call',
    )
  })

  it('[TOOL10] is left out once, survives a restart, and goes with a branch', async () => {
    const harness = await withResult()
    const { resultSeq } = harness
    await exclude(harness, resultSeq, true)
    await exclude(harness, resultSeq, true)
    await exclude(harness, resultSeq, true, 'again')
    expect((await harness.types()).filter((type) => type === 'exclusion-changed')).toHaveLength(1)
    const later = await harness.restart([])
    const { engine, conversationId } = later
    expect(JSON.stringify(await engine.nextRequest({ conversationId, content: [] }))).not.toContain('read of notes.txt')
    const ended = (await later.log()).find(({ type }) => type === 'run-finished')?.seq ?? 0
    const forked = await engine.fork({ commandId: 'fork', actor, conversationId, atSeq: ended })
    const sent = await engine.nextRequest({ conversationId: forked.conversationId, content: [] })
    expect(JSON.stringify(sent)).toContain('left this result out')
    expect(JSON.stringify(sent)).not.toContain('read of notes.txt')
  })

  it('[TOOL10] must be a result, and nothing changes under a running turn', async () => {
    const waiting = testTool({ name: 'read', category: 'read', waits: true })
    const call = { callId: 'c1', name: 'read', input: { path: 'notes.txt' } }
    const harness = await openHarness([calls(call), calls({ ...call, callId: 'c2' }), says('Done')], [waiting.tool])
    await harness.send('Look', 'send-1')
    await harness.until('tool-call-started', 1)
    waiting.finish('one')
    await harness.until('tool-call-started', 2)
    const resultSeq = (await harness.log()).find(({ type }) => type === 'tool-call-settled')?.seq ?? 0
    await expect(exclude(harness, resultSeq, true)).rejects.toThrow('has not ended; stop it first')
    await expect(exclude(harness, 1, true, 'none')).rejects.toThrow('Entry 1 is no result of a tool call')
    waiting.finish('two')
    await harness.until('run-finished', 1)
    expect(await harness.types()).not.toContain('exclusion-changed')
    await exclude(harness, resultSeq, true)
    expect(await harness.types()).toContain('exclusion-changed')
  })
})
