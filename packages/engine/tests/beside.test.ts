import { type Entry, overview } from '@holdfast/conversation'
import { RunActiveError } from '@holdfast/engine'
import { begins, says } from '@holdfast/engine/testing'
import { ProviderError } from '@holdfast/provider'
import { describe, expect, it, vi } from 'vitest'
import { cleanTitle } from '../src/run/run-title.ts'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const titled: HarnessOptions = { autoTitles: true }

async function stateOf({ log }: Harness) {
  return overview.reduce(overview.initial, await log())
}

function purposes(log: readonly Entry[]) {
  return log.flatMap((entry) => (entry.type === 'usage-recorded' ? [entry.purpose] : []))
}

describe('a title', () => {
  it('[REQ3] is made once after the first answer, is paid for, and never sent', async () => {
    const harness = await openHarness([says('Hello'), says('"A greeting"'), says('Again')], [], null, titled)
    await harness.send('Hi', 'send-1')
    await harness.until('title-changed', 1)
    expect((await stateOf(harness)).title).toEqual({ text: 'A greeting', source: 'auto' })
    await harness.send('And', 'send-2')
    await harness.until('run-finished', 3)
    expect(purposes(await harness.log())).toEqual(['turn', 'title', 'turn'])
    expect(JSON.stringify(harness.model.requests[2]?.messages)).not.toContain('greeting')
    expect(JSON.stringify(harness.model.requests[2]?.messages)).not.toContain('title-request')
  })

  it('[RUN2] begins while a turn runs where it is asked for then', async () => {
    const scripts = [[...begins('One'), { type: 'wait' } as const], says('A greeting')]
    const harness = await openHarness(scripts)
    const { engine, conversationId } = harness
    await harness.send('Hi', 'send-1')
    await harness.untilPublished('One')
    const { runId } = await engine.makeTitle({ commandId: 'title', actor, conversationId })
    await harness.until('title-changed', 1)
    expect((await harness.log()).find((entry) => entry.type === 'run-finished')).toMatchObject({ runId })
    expect((await stateOf(harness)).runState.exclusive).not.toBeNull()
    const closed = engine.close()
    await harness.clock.advance(5_000)
    await closed
  })

  it('[LOG10] ends where the lease is lost, like the turn', async () => {
    const scripts = [says('Hello'), [...begins('A gree'), { type: 'wait' } as const]]
    const harness = await openHarness(scripts, [], null, titled)
    await harness.send('Hi', 'send-1')
    await harness.untilRequests(2)
    const { conversationId, store } = harness
    await store.endLeases()
    await store.acquireLease({ conversationId, holder: 'process_2', ttlMs: 60_000 })
    await harness.clock.advance(4_000)
    await vi.waitFor(() => expect(harness.model.abortedCount()).toBe(1))
    await harness.clock.advance(5_000)
    await harness.engine.close()
  })

  it('[RUN14] that the end of the process cuts is interrupted in its answer and its usage too', async () => {
    const scripts = [says('Hello'), [...begins('A gree'), { type: 'wait' } as const]]
    const harness = await openHarness(scripts, [], null, titled)
    await harness.send('Hi', 'send-1')
    await harness.untilRequests(2)
    const closed = harness.engine.close()
    await harness.clock.advance(5_000)
    await closed
    expect((await harness.log()).slice(-3)).toMatchObject([
      { type: 'step-finished', purpose: 'title', cut: 'interrupted' },
      { type: 'usage-recorded', outcome: 'interrupted' },
      { type: 'run-finished', outcome: 'interrupted' },
    ])
  })

  it('[COST5] weighs the words of its excerpt by their script', async () => {
    const estimates = await Promise.all(
      ['a word or two'.repeat(100), '一二三四五六七八九十百千万'.repeat(100)].map(async (words) => {
        const harness = await openHarness([[...begins('One'), { type: 'wait' } as const], says('A greeting')])
        const { engine, conversationId } = harness
        await harness.send(words, 'send-1')
        await harness.untilPublished('One')
        await engine.makeTitle({ commandId: 'title', actor, conversationId })
        await harness.until('title-changed', 1)
        const started = (await harness.log()).find(
          (entry) => entry.type === 'step-started' && entry.purpose === 'title',
        )
        const closed = engine.close()
        await harness.clock.advance(5_000)
        await closed
        return started?.type === 'step-started' ? (started.estimatedInputTokens ?? 0) : 0
      }),
    )
    const [plain = 0, dense = 0] = estimates
    expect(dense).toBeGreaterThan(2 * plain)
  })

  it('[RUN3] keeps and tells nothing of its draft', async () => {
    const scripts = [says('Hello'), [...begins('A gree'), { type: 'wait' } as const]]
    const harness = await openHarness(scripts, [], null, titled)
    await harness.send('Hi', 'send-1')
    await harness.untilRequests(2)
    await harness.clock.advance(1_000)
    const step = (await harness.log()).find((entry) => entry.type === 'step-started' && entry.purpose === 'title')
    const stepId = step?.type === 'step-started' ? step.stepId : ''
    expect(stepId).not.toBe('')
    expect(JSON.stringify(harness.messages.filter(({ type }) => type !== 'entries'))).not.toContain(stepId)
    expect(await harness.store.readDrafts(harness.conversationId)).toEqual([])
  })

  it('[RUN2] is never in front of an input', async () => {
    const harness = await openHarness(
      [says('Hello'), [...begins('A gree'), { type: 'wait' }, { type: 'finish', finish: 'end' }], says('Again')],
      [],
      null,
      titled,
    )
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(harness.model.requests).toHaveLength(2))
    await harness.send('And', 'send-2')
    await vi.waitFor(async () => expect((await stateOf(harness)).runState.lastTurn?.runId).not.toBe('run_1_1'))
    await vi.waitFor(() => expect(harness.model.requests).toHaveLength(3))
    expect((await stateOf(harness)).title.text).toBeNull()
    harness.model.proceed()
    await harness.until('title-changed', 1)
  })

  it('[RUN2] that is asked for while one is being made by itself is made after it, however close they come', async () => {
    for (const turnsLater of Array.from({ length: 150 }, (_, index) => index)) {
      const harness = await openHarness([says('Hello'), says('A greeting')], [], null, titled)
      const { engine, conversationId, messages, faults } = harness
      await harness.send('Hi', 'send-1')
      while (!messages.some(({ type }) => type === 'delta')) await Promise.resolve()
      for (let turn = 0; turn < turnsLater; turn++) await Promise.resolve()
      try {
        await engine.makeTitle({ commandId: 'title', actor, conversationId })
      } catch (error) {
        expect(error).toBeInstanceOf(RunActiveError)
      }
      await engine.close()
      expect(faults).toEqual([])
    }
  })

  it('[LOG4] that is stopping already answers each further stop, also when it comes again', async () => {
    const harness = await openHarness([says('Hello'), [...begins('A gree'), { type: 'wait' }]], [], null, titled)
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(harness.model.requests).toHaveLength(2))
    const [first, second] = await Promise.all([harness.stop('stop-1'), harness.stop('stop-2')])
    expect(second).toEqual(first)
    await vi.waitFor(async () => {
      await harness.clock.advance(1_000)
      expect((await stateOf(harness)).runState.side).toEqual([])
    })
    expect(await harness.stop('stop-2')).toEqual(second)
    expect((await stateOf(harness)).queue.held).toBeNull()
  })

  it('[STOP2] is stopped when nothing else runs, and nothing is held', async () => {
    const harness = await openHarness([says('Hello'), [...begins('A gree'), { type: 'wait' }]], [], null, titled)
    await harness.send('Hi', 'send-1')
    await vi.waitFor(() => expect(harness.model.requests).toHaveLength(2))
    expect(await harness.stop('stop-1')).toMatchObject({ accepted: true })
    await vi.waitFor(async () => {
      await harness.clock.advance(1_000)
      const ends = (await harness.log()).flatMap((entry) => (entry.type === 'run-finished' ? [entry.outcome] : []))
      expect(ends).toEqual(['completed', 'stopped'])
    })
    expect((await stateOf(harness)).queue.held).toBeNull()
  })

  it('[REQ3, RUN4] that a crash cut is closed, and the model is never told of it', async () => {
    const cut = [
      ...begins('A gree'),
      { type: 'block-ended', block: 0 } as const,
      { type: 'block-started', block: 1, start: { type: 'tool-call', callId: 'c', name: 'write_file' } } as const,
      { type: 'block-delta', block: 1, text: '{"path":"/a' } as const,
      { type: 'wait' } as const,
    ]
    const before = await openHarness([says('Hello'), cut], [], null, titled)
    await before.send('Hi', 'send-1')
    await vi.waitFor(() => expect(before.model.requests).toHaveLength(2))
    await before.clock.advance(1_000)
    const harness = await before.restart([says('Again')])
    await harness.store.endLeases()
    await harness.engine.recover()
    await harness.send('And', 'send-2')
    await harness.until('run-finished', 3)
    const log = await harness.log()
    const types: readonly string[] = log.map(({ type }) => type)
    expect(types.filter((type) => type === 'stop-noted' || type === 'tool-call-settled')).toEqual([])
    expect(purposes(log).slice(0, 3)).toEqual(['turn', 'title', 'turn'])
    expect(JSON.stringify(harness.model.requests[0])).not.toContain('cut off')
  })

  it('[RUN15] that fails is tried again after the next turn, three times in all', async () => {
    const scripts = [1, 2, 3, 4].flatMap((turn) => [says(`Answer ${turn}`), ...(turn < 4 ? [says('   ')] : [])])
    const harness = await openHarness(scripts, [], null, titled)
    for (const turn of [1, 2, 3]) {
      await harness.send(`Question ${turn}`, `send-${turn}`)
      await harness.until('run-finished', 2 * turn)
    }
    await harness.send('Question 4', 'send-4')
    await harness.until('run-finished', 7)
    await harness.engine.close()
    expect(purposes(await harness.log())).toEqual(['turn', 'title', 'turn', 'title', 'turn', 'title', 'turn'])
  })

  it('[RUN15] waits and asks again where its provider is busy', async () => {
    const busy = new ProviderError('overloaded', 'Busy', { status: 529 })
    const harness = await openHarness(
      [says('Hello'), [{ type: 'throw', error: busy }], says('A greeting')],
      [],
      null,
      titled,
    )
    await harness.send('Hi', 'send-1')
    await harness.until('step-failed', 1)
    await harness.clock.advance(7_000)
    await harness.until('title-changed', 1)
    expect(purposes(await harness.log())).toEqual(['turn', 'title', 'title'])
  })

  it('[REQ3] that a person gave stays', async () => {
    const harness = await openHarness([says('Hello'), says('   '), says('Again'), says('   ')], [], null, titled)
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 2)
    await harness.engine.changeConversation({
      commandId: 'mine',
      actor,
      conversationId: harness.conversationId,
      title: 'My own',
    })
    await harness.engine.makeTitle({ commandId: 'ask', actor, conversationId: harness.conversationId })
    await harness.until('run-finished', 3)
    expect((await stateOf(harness)).title).toEqual({ text: 'My own', source: 'user' })
  })

  it('[REQ7] is one short line without marks, whatever the model says', () => {
    expect(cleanTitle('## "Bugs in line 7."\n\nMore', 65)).toBe('Bugs in line 7')
    expect(cleanTitle('Title: **Fehler**', 65)).toBe('Fehler')
    expect(cleanTitle('\n \n', 65)).toBeNull()
    expect(cleanTitle('x'.repeat(200), 65)).toHaveLength(65)
    expect(cleanTitle(`${'x'.repeat(63)}😀😀`, 65)?.isWellFormed()).toBe(true)
  })
})

describe('a checkpoint on request', () => {
  async function talked(): Promise<Harness> {
    const harness = await openHarness([says('One'), says('Two'), says('Three'), says('Goals: all'), says('Four')])
    for (const count of [1, 2, 3]) {
      await harness.send(`Question ${count}`, `send-${count}`)
      await harness.until('run-finished', count)
    }
    return harness
  }

  it('[CHK1] is a run of its own, and later requests hold its summary and what it keeps', async () => {
    const harness = await talked()
    const { conversationId, engine } = harness
    await engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: 'the tests' })
    await harness.until('run-finished', 4)
    expect(JSON.stringify(harness.model.requests[3]?.messages.at(-1))).toContain('the tests')
    await harness.send('Go on', 'send-4')
    await harness.until('run-finished', 5)
    const messages = JSON.stringify(harness.model.requests[4]?.messages)
    expect(messages).toContain('Goals: all')
    expect(messages).not.toContain('"One"')
    expect(messages).toContain('Question 1')
    expect(messages).toContain('"Three"')
  })

  it('[LOG4] is made once for a command, at once, later, and after a restart; so is a title', async () => {
    const harness = await talked()
    const { conversationId, engine } = harness
    const command = { commandId: 'cp', actor, conversationId, focus: null }
    const [first, second] = await Promise.all([engine.makeCheckpoint(command), engine.makeCheckpoint(command)])
    expect(second).toEqual(first)
    await harness.until('run-finished', 4)
    expect(await engine.makeCheckpoint(command)).toEqual(first)
    await expect(engine.makeCheckpoint({ ...command, focus: 'the tests' })).rejects.toMatchObject({
      name: 'CommandReusedError',
    })
    const again = await harness.restart([says('A title')])
    expect(await again.engine.makeCheckpoint(command)).toEqual(first)
    const title = { commandId: 'title', actor, conversationId }
    const made = await again.engine.makeTitle(title)
    await again.until('title-changed', 1)
    expect(await again.engine.makeTitle(title)).toEqual(made)
    const started = (await again.log()).filter(({ type }) => type === 'run-started')
    expect(started.map((entry) => entry.type === 'run-started' && entry.purpose)).toEqual([
      ...['turn', 'turn', 'turn'],
      ...['checkpoint', 'title'],
    ])
  })

  it('[CHK7] is edited and undone, and undoing brings back what it covered', async () => {
    const harness = await talked()
    const { conversationId, engine } = harness
    await engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: null })
    await harness.until('run-finished', 4)
    const seqOf = async () => (await harness.log()).findLast((entry) => entry.type === 'checkpoint-made')?.seq ?? 0
    await engine.editCheckpoint({
      commandId: 'edit',
      actor,
      conversationId,
      checkpointSeq: await seqOf(),
      summary: 'In my words',
    })
    expect(JSON.stringify((await engine.nextRequest({ conversationId, content: [] }))?.request.messages)).toContain(
      'In my words',
    )
    await engine.undoCheckpoint({ commandId: 'undo', actor, conversationId, checkpointSeq: await seqOf() })
    const first = (await harness.log()).find((entry) => entry.type === 'checkpoint-made')?.seq ?? 0
    expect(JSON.stringify((await engine.nextRequest({ conversationId, content: [] }))?.request.messages)).toContain(
      'Goals: all',
    )
    await engine.undoCheckpoint({ commandId: 'undo-2', actor, conversationId, checkpointSeq: first })
    expect(JSON.stringify((await engine.nextRequest({ conversationId, content: [] }))?.request.messages)).toContain(
      '"One"',
    )
    const gone = engine.undoCheckpoint({ commandId: 'undo-3', actor, conversationId, checkpointSeq: first })
    await expect(gone).rejects.toThrow('no checkpoint that counts')
  })

  it('[RUN2] is refused while a turn runs', async () => {
    const harness = await openHarness([[...begins('One'), { type: 'wait' }]])
    const { conversationId, engine } = harness
    await harness.send('Hi', 'send-1')
    await harness.untilPublished('One')
    const asked = engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: null })
    await expect(asked).rejects.toThrow('has not ended')
  })

  it('[CHK6] says that there is nothing to summarise, and asks nothing', async () => {
    const harness = await openHarness([says('One')])
    await harness.send('Hi', 'send-1')
    await harness.until('run-finished', 1)
    await harness.engine.makeCheckpoint({ commandId: 'cp', actor, conversationId: harness.conversationId, focus: null })
    await harness.until('run-finished', 2)
    expect(harness.model.requests).toHaveLength(1)
    expect((await harness.log()).at(-1)).toMatchObject({ reason: expect.stringContaining('nothing to summarise') })
  })
})

describe('the context', () => {
  it('[COST4] is told with its parts, which add up', async () => {
    const harness = await openHarness([says('One')], [], 4_000)
    await harness.send('Question', 'send-1')
    await harness.until('run-finished', 1)
    const report = await harness.engine.contextOf(harness.conversationId)
    const { breakdown, usedTokens } = report ?? { breakdown: null, usedTokens: 0 }
    const parts = Object.values(breakdown?.categories ?? {}).reduce(
      (sum, tokens) => sum + tokens,
      breakdown?.system ?? 0,
    )
    expect(parts).toBe(usedTokens)
    expect(report).toMatchObject({ windowTokens: 4_000, isOver: false })
  })

  it('[COST4, UI40] is what the last answer measured while its call waits for a person, and grows by the results that are there', async () => {
    const read = testTool({ name: 'read', category: 'read' })
    const edit = testTool({ name: 'edit', category: 'edit' })
    const asked = [
      { callId: 'c1', name: 'read', input: { path: 'a' } },
      { callId: 'c2', name: 'edit', input: { path: 'b' } },
    ]
    const figures = { cacheReadTokens: 0, cacheCreation5mTokens: 0, cacheCreation1hTokens: 0, thinkingTokens: 0 }
    const usage = (inputTokens: number) =>
      ({ type: 'usage', usage: { ...figures, inputTokens, outputTokens: 21 } }) as const
    const scripts = [
      [usage(300), ...calls(...asked.slice(1))],
      [usage(400), ...calls(...asked)],
    ]
    const harness = await openHarness(scripts, [read.tool, edit.tool], 4_000)
    const { engine, conversationId, log, send, until } = harness
    await send('Question', 'send-1')
    await until('permission-requested', 1)
    const report = await engine.contextOf(conversationId)
    expect(report).toMatchObject({ usedTokens: 321, measured: true, windowTokens: 4_000 })
    const { system, tools, categories } = report?.breakdown ?? { system: 0, tools: {}, categories: {} }
    const parts: readonly number[] = [system, ...Object.values(tools), ...Object.values(categories)]
    expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBe(321)
    const [request] = (await log()).filter((entry) => entry.type === 'permission-requested')
    const about = { commandId: 'allow', actor, conversationId, requestId: request?.requestId ?? '' }
    await engine.answerPermission({ ...about, decision: 'allow', scope: 'call' })
    await until('permission-requested', 2)
    const later = await engine.contextOf(conversationId)
    expect(later?.measured).toBe(false)
    expect(later?.usedTokens).toBeGreaterThan(421)
    expect(later?.usedTokens).toBeLessThan(440)
  })

  it('[WIN5] is made once for all who ask, until something is said or erased', async () => {
    const { engine, conversationId, send, until, log } = await openHarness([says('One'), says('Two')], [], 4_000)
    await send('Question', 'send-1')
    await until('run-finished', 1)
    const first = await engine.contextOf(conversationId)
    expect(await engine.contextOf(conversationId)).toBe(first)
    await send('And now?', 'send-2')
    await until('run-finished', 2)
    const second = await engine.contextOf(conversationId)
    expect(second?.usedTokens).toBeGreaterThan(first?.usedTokens ?? 0)
    const seq = (await log()).find(({ type }) => type === 'user-message-sent')?.seq ?? 0
    await engine.eraseEntries({ conversationId, seqs: [seq], reason: 'asked for' })
    expect(await engine.contextOf(conversationId)).not.toBe(second)
  })

  it('[REQ1] of every past request is built again to the same bytes, also after a rewind and a checkpoint', async () => {
    const harness = await openHarness(
      [says('One'), says('Two'), says('Three'), says('Goals: all'), says('Four')],
      [],
      4_000,
    )
    const { conversationId, engine } = harness
    const ask = async (count: number, runs: number) => {
      await harness.send(`Question ${count}`, `send-${count}`)
      await harness.until('run-finished', runs)
    }
    await ask(1, 1)
    await engine.changeSettings({ commandId: 'rules', actor, conversationId, changes: { instructions: 'Be brief' } })
    await ask(2, 2)
    const toSeq = (await harness.log()).find((entry) => entry.type === 'run-finished')?.seq ?? 0
    await engine.rewind({ commandId: 'back', actor, conversationId, toSeq, reason: 'rewind' })
    await ask(3, 3)
    await engine.makeCheckpoint({ commandId: 'cp', actor, conversationId, focus: null })
    await harness.until('run-finished', 4)
    await ask(4, 5)
    const steps = (await harness.log()).flatMap((entry) =>
      entry.type === 'step-started' && entry.purpose === 'turn' ? [entry.stepId] : [],
    )
    for (const [index, stepId] of steps.entries()) {
      const receipt = await engine.receiptOf({ conversationId, stepId })
      expect(receipt?.isExact, `step ${index}`).toBe(true)
    }
    expect(await engine.receiptOf({ conversationId, stepId: 'none' })).toBeNull()
  })
})
