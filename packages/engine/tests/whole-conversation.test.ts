import { requestFacts } from '@holdfast/context'
import { type Entry, ledger, overview } from '@holdfast/conversation'
import { begins, type ScriptLine, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { testTool } from './support/tools.ts'

const actor = { type: 'person', userId: 'user_1' } as const
const waits: readonly ScriptLine[] = [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }]
const text = (words: string) => [{ type: 'text' as const, text: words }]

async function readLog({ store }: Harness, conversationId: string): Promise<readonly Entry[]> {
  return (await store.read({ conversationId, after: 0, limit: 1_000 })).entries
}

function stateOf(entries: readonly Entry[]) {
  return overview.reduce(overview.initial, entries)
}

function withoutPlace({ conversationId, seq, at, ...fact }: Entry): unknown {
  return fact
}

describe('fork', () => {
  async function forked() {
    const harness = await openHarness([says('One'), says('Two'), says('Other'), says('Three')])
    const { engine, conversationId, send, until, log } = harness
    await engine.changeConversation({
      commandId: 'name',
      actor,
      conversationId,
      title: 'Mine',
      changes: { instructions: 'Be brief.' },
    })
    await send('First', 'send-1')
    await until('run-finished', 1)
    await send('Second', 'send-2')
    await until('run-finished', 2)
    await engine.resume(conversationId)
    const atSeq = (await log()).at(-1)?.seq ?? 0
    const fork = { commandId: 'fork', actor, conversationId, atSeq }
    return { ...harness, fork, forkId: (await engine.fork(fork)).conversationId }
  }

  it('[PRJ6] holds the path up to there, with the same settings and title, and changes nothing where it came from', async () => {
    const harness = await forked()
    const { forkId, fork, log, store } = harness
    const source = await log()
    const entries = await readLog(harness, forkId)
    expect(entries[0]).toMatchObject({ type: 'conversation-created', ownerId: 'user_1' })
    expect(entries[0]).toMatchObject({
      origin: { type: 'fork', conversationId: harness.conversationId, seq: fork.atSeq },
    })
    expect(stateOf(entries)).toMatchObject({
      settings: { instructions: 'Be brief.' },
      title: { text: 'Mine', source: 'user' },
      queue: { inputs: [], held: null },
      runState: { exclusive: null, side: [] },
    })
    const sent = (log: readonly Entry[]) =>
      log.filter(({ type }) => type === 'user-message-sent' || type === 'step-finished').map(withoutPlace)
    expect(sent(entries)).toEqual(sent(source))
    expect(entries.at(-1)).toMatchObject({
      type: 'notice-raised',
      code: 'forked',
      text: expect.stringContaining('4 messages'),
    })
    expect(source.at(-1)?.seq).toBe(fork.atSeq)
    expect((await store.readListing(forkId))?.messageCount).toBe(4)
  })

  it('[COST8] carries the records, marked, so that they count once', async () => {
    const harness = await forked()
    const { forkId, log, engine, until } = harness
    const entries = await readLog(harness, forkId)
    const carried = stateOf(entries).ledger
    expect(carried.total).toEqual(stateOf(await log()).ledger.total)
    expect(carried.own).toEqual(ledger.initial.own)
    await engine.sendMessage({
      commandId: 'go-on',
      actor,
      conversationId: forkId,
      content: text('Third'),
      lane: 'turn',
    })
    await expect.poll(async () => stateOf(await readLog(harness, forkId)).ledger.own.requestCount).toBe(1)
    await until('run-finished', 2)
  })

  it('[REQ1] goes on with the request that the conversation it came from would have made', async () => {
    const harness = await forked()
    const { forkId, engine, model, conversationId } = harness
    await engine.sendMessage({
      commandId: 'go-on',
      actor,
      conversationId: forkId,
      content: text('Third'),
      lane: 'turn',
    })
    await expect.poll(() => model.requests.length).toBe(3)
    await engine.sendMessage({ commandId: 'go-on', actor, conversationId, content: text('Third'), lane: 'turn' })
    await expect.poll(() => model.requests.length).toBe(4)
    expect(model.requests[2]).toEqual(model.requests[3])
  })

  it('[REQ4] keeps the tool definitions before its messages, so that its first request breaks nothing', async () => {
    const { tool } = testTool({ name: 'read', category: 'read' })
    const harness = await openHarness([says('One'), says('Two')], [tool])
    const { engine, conversationId, send, until, log } = harness
    await send('First', 'send-1')
    await until('run-finished', 1)
    const atSeq = (await log()).at(-1)?.seq ?? 0
    const { conversationId: forkId } = await engine.fork({ commandId: 'fork', actor, conversationId, atSeq })
    await engine.sendMessage({ commandId: 'go-on', actor, conversationId: forkId, content: text('Next'), lane: 'turn' })
    await expect
      .poll(async () => (await readLog(harness, forkId)).filter(({ type }) => type === 'run-finished').length)
      .toBe(2)
    const entries = await readLog(harness, forkId)
    expect(entries.filter(({ type }) => type === 'tools-changed')).toMatchObject([{ seq: 2 }])
    const [step] = entries.filter(({ type }) => type === 'step-started')
    expect(step?.seq).toBeGreaterThan(requestFacts.reduce(requestFacts.initial, entries).unboundBeforeSeq)
  })

  it('[LOG4] made twice by one command is one conversation', async () => {
    const harness = await forked()
    const { engine, fork, forkId } = harness
    const before = await readLog(harness, forkId)
    expect(await engine.fork(fork)).toEqual({ conversationId: forkId })
    expect(await readLog(harness, forkId)).toEqual(before)
  })

  it('[PRJ6] is refused inside an exchange', async () => {
    const { engine, fork, log } = await forked()
    const step = (await log()).find(({ type }) => type === 'step-started')?.seq ?? 0
    for (const atSeq of [0, 1, step, 9_999])
      await expect(engine.fork({ ...fork, commandId: `fork-${atSeq}`, atSeq })).rejects.toMatchObject({
        code: 'path-refused',
      })
  })
})

describe('reset', () => {
  it('[LOG12] stops the run, archives with an accounting line, and opens another with the same settings', async () => {
    const harness = await openHarness([waits, says('Fresh')])
    const { engine, conversationId, send, untilPublished, model, until, log, clock } = harness
    await engine.changeSettings({ commandId: 'set', actor, conversationId, changes: { instructions: 'Be brief.' } })
    await send('First', 'send-1')
    await untilPublished('One')
    await send('Waits', 'send-2')
    const { conversationId: next } = await engine.reset({ commandId: 'reset', actor, conversationId })
    model.proceed()
    await until('run-finished', 1)
    await clock.advance(20_000)
    const old = await log()
    const state = stateOf(old)
    expect(old.find(({ type }) => type === 'run-finished')).toMatchObject({ outcome: 'stopped' })
    expect(old.find(({ type }) => type === 'conversation-archived')).toMatchObject({
      reason: 'reset',
      nextConversationId: next,
      totals: { requestCount: 0 },
    })
    expect(state.queue.inputs).toHaveLength(1)
    expect(model.requests).toHaveLength(1)
    const fresh = stateOf(await readLog(harness, next))
    expect(fresh).toMatchObject({
      settings: { instructions: 'Be brief.' },
      queue: { inputs: [] },
      permissionRules: [],
      title: { text: null },
    })
    expect((await readLog(harness, next))[0]).toMatchObject({ origin: { type: 'reset', conversationId } })
  })

  it('[LOG12] asked twice, by two tabs, leads to one conversation', async () => {
    const { engine, conversationId, log } = await openHarness([says('One')])
    const reset = { commandId: 'reset', actor, conversationId }
    const first = await engine.reset(reset)
    expect(await engine.reset(reset)).toEqual(first)
    expect(await engine.reset({ ...reset, commandId: 'other-tab' })).toEqual(first)
    expect((await log()).filter(({ type }) => type === 'conversation-archived')).toHaveLength(1)
  })

  it('[LOG12] can be undone for 8 s: the old one is back, and the empty one is put away', async () => {
    for (const { afterMs, isPutAway } of [
      { afterMs: 8_000, isPutAway: true },
      { afterMs: 8_001, isPutAway: false },
    ]) {
      const harness = await openHarness([says('One')])
      const { engine, conversationId, clock, log } = harness
      const { conversationId: next } = await engine.reset({ commandId: 'reset', actor, conversationId })
      await clock.advance(afterMs)
      await engine.changeConversation({ commandId: 'undo', actor, conversationId, archived: false })
      expect(stateOf(await log()).archived).toBeNull()
      expect(stateOf(await readLog(harness, next)).archived !== null).toBe(isPutAway)
    }
  })

  it('[LOG12] undone keeps the new conversation when something was asked in it', async () => {
    const harness = await openHarness([says('One')])
    const { engine, conversationId } = harness
    const { conversationId: next } = await engine.reset({ commandId: 'reset', actor, conversationId })
    await engine.sendMessage({ commandId: 'send', actor, conversationId: next, content: text('Hello'), lane: 'turn' })
    await engine.changeConversation({ commandId: 'undo', actor, conversationId, archived: false })
    expect(stateOf(await readLog(harness, next)).archived).toBeNull()
  })
})

describe('changing a conversation', () => {
  it('[LOG3] changes title, place and settings in one append, once', async () => {
    const { engine, conversationId, log, store } = await openHarness([says('One')])
    const before = (await log()).length
    const change = { commandId: 'all', actor, conversationId, title: 'Mine', archived: true }
    await engine.changeConversation({ ...change, changes: { permissionMode: 'plan' } })
    await engine.changeConversation({ ...change, changes: { permissionMode: 'plan' } })
    expect((await log()).slice(before)).toMatchObject([
      { type: 'title-changed', title: 'Mine', source: 'user' },
      { type: 'conversation-archived', reason: 'person', totals: { requestCount: 0 } },
      { type: 'settings-changed' },
    ])
    expect(await store.readListing(conversationId)).toMatchObject({ archived: true, title: 'Mine' })
    await engine.changeConversation({ commandId: 'same', actor, conversationId, title: 'Mine', archived: true })
    expect(await log()).toHaveLength(before + 3)
  })

  it('[RUN2] answers nothing in an archived conversation until it is brought back, or written to', async () => {
    const harness = await openHarness([waits, says('Two'), says('Three')])
    const { engine, conversationId, send, until, untilPublished, clock, log, model } = harness
    await send('First', 'send-1')
    await untilPublished('One')
    await send('Second', 'send-2')
    await engine.changeConversation({ commandId: 'archive', actor, conversationId, archived: true })
    model.proceed()
    await until('run-finished', 1)
    await clock.advance(1_000)
    expect(model.requests).toHaveLength(1)
    await engine.changeConversation({ commandId: 'restore', actor, conversationId, archived: false })
    await until('run-finished', 2)
    await engine.changeConversation({ commandId: 'archive-2', actor, conversationId, archived: true })
    await send('Third', 'send-3')
    await until('run-finished', 3)
    expect(stateOf(await log()).archived).toBeNull()
  })
})

describe('deleting', () => {
  it('[LOG9] deletes a conversation and keeps what it cost', async () => {
    const harness = await openHarness([says('One')])
    const { engine, conversationId, send, until, store, log } = harness
    await send('First', 'send-1')
    await until('run-finished', 1)
    await expect
      .poll(() =>
        engine.deleteConversation(conversationId).then(
          () => 'deleted',
          () => 'refused',
        ),
      )
      .toBe('deleted')
    expect(await log()).toEqual([])
    const usage = await store.readUsage({ ownerId: 'user_1', from: 0, to: 1e15, limit: 10 })
    expect(usage).toMatchObject([{ conversationId }])
    await expect(engine.deleteConversation(conversationId)).rejects.toMatchObject({ code: 'unknown-conversation' })
    await expect(send('Again', 'send-2')).rejects.toMatchObject({ code: 'unknown-conversation' })
  })

  it('[LOG9] erases what entries say, and what holds the same words', async () => {
    const harness = await openHarness([says('One')])
    const { engine, conversationId, send, until, log } = harness
    const { seq } = await send('A secret', 'send-1')
    await until('run-finished', 1)
    const erase = { conversationId, seqs: [seq], reason: 'asked for' }
    await expect
      .poll(() =>
        engine.eraseEntries(erase).then(
          (stones) => stones.length,
          () => 0,
        ),
      )
      .toBe(2)
    expect(JSON.stringify(await log())).not.toContain('A secret')
    await expect(engine.eraseEntries({ ...erase, seqs: [1] })).rejects.toMatchObject({ code: 'erasure-refused' })
  })

  it('[LOG9] erases what tools returned to an answer where that is asked, and says so before', async () => {
    const harness = await openHarness([says('One')])
    const { engine, conversationId, send, until, log, store } = harness
    await send('A question', 'send-1')
    await until('run-finished', 1)
    const ids = { actor: { type: 'engine' as const }, runId: 'run_x', stepId: 'step_x' }
    const call = { ...ids, callId: 'call_1', name: 'look' }
    const head = (await log()).length
    const content = [{ type: 'text' as const, text: 'a secret result' }]
    const asking = { requestId: 'p', userId: 'u', callId: 'call_1', tool: 'look', input: {}, reason: '' }
    const block = { type: 'tool-call' as const, callId: 'call_1', name: 'look', inputText: '{}', complete: true }
    await store.append({
      conversationId,
      after: head,
      at: 5,
      entries: [
        { ...ids, type: 'step-finished', finish: 'tool-calls', blocks: [block] },
        { ...ids, ...asking, type: 'permission-requested', source: 'default-policy' },
        {
          type: 'permission-settled',
          actor,
          requestId: 'p',
          outcome: 'denied',
          by: 'person',
          reason: 'a secret reason',
        },
        { ...call, type: 'tool-call-settled', outcome: 'denied', content, durationMs: 1 },
      ],
    })
    const named = { conversationId, seqs: [head + 1] }
    const kindsOf = (entries: readonly { readonly type: string }[]) => entries.map(({ type }) => type)
    expect(kindsOf(await engine.previewErasure(named))).toEqual(['step-finished', 'permission-requested'])
    const whole = await engine.previewErasure({ ...named, withResults: true })
    expect(kindsOf(whole)).toEqual([
      ...['step-finished', 'permission-requested', 'permission-settled', 'tool-call-settled'],
    ])
    await expect
      .poll(() =>
        engine.eraseEntries({ ...named, withResults: true, reason: 'asked for', actor }).then(
          (stones) => stones.map(({ seq }) => seq),
          () => [],
        ),
      )
      .toEqual(whole.map(({ seq }) => seq))
    expect(JSON.stringify(await log())).not.toMatch(/a secret/)
    await expect(engine.previewErasure({ conversationId: 'unknown', seqs: [1] })).rejects.toMatchObject({
      code: 'unknown-conversation',
    })
  })

  it('[LOG9] leaves nothing behind of what is asked at the same time, and answers all of it', async () => {
    for (const turnsBefore of [0, 1, 2, 3, 5, 8, 13, 21]) {
      const harness = await openHarness([says('One')])
      const { engine, conversationId, send, log, faults } = harness
      const deleted = engine.deleteConversation(conversationId)
      for (let turns = 0; turns < turnsBefore; turns++) await Promise.resolve()
      const asked = Array.from({ length: 4 }, (_, index) => send(`Words ${index}`, `send-${index}`))
      const results = await Promise.allSettled([deleted, ...asked])
      const [first] = results
      if (first?.status === 'fulfilled') {
        expect(await log()).toEqual([])
        const again = { commandId: 'name', actor, conversationId, title: 'Still?' }
        await expect(engine.changeConversation(again)).rejects.toMatchObject({ code: 'unknown-conversation' })
      } else expect(first?.reason).toMatchObject({ code: 'run-active' })
      await engine.close()
      expect(faults).toEqual([])
    }
  })

  it('[LOG9] neither deletes nor erases while something runs', async () => {
    const harness = await openHarness([waits])
    const { engine, conversationId, send, untilPublished, model, until, log } = harness
    const { seq } = await send('First', 'send-1')
    await untilPublished('One')
    await expect(engine.deleteConversation(conversationId)).rejects.toMatchObject({ code: 'run-active' })
    const erase = { conversationId, seqs: [seq], reason: 'asked for' }
    await expect(engine.eraseEntries(erase)).rejects.toMatchObject({ code: 'run-active' })
    const beside = harness.beside([])
    await expect(beside.engine.deleteConversation(conversationId)).rejects.toMatchObject({ code: 'run-active' })
    model.proceed()
    await until('run-finished', 1)
    expect((await log()).length).toBeGreaterThan(0)
  })
})
