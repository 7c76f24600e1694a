import type { Actor, Entry, EntryStore } from '@holdfast/conversation'
import { createInProcessBus } from '@holdfast/engine'
import { begins, says } from '@holdfast/engine/testing'
import type { Tool } from '@holdfast/tool'
import { describe, expect, it, vi } from 'vitest'
import { type Harness, openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const person = { type: 'person', userId: 'user_1' } as const
const agent = { type: 'agent', agentId: 'agent' } as const

const CHILD = 'child'

/** A conversation whose call has begun another one and waits for it, and a task that was sent there. */
async function openParent(scripts: Parameters<typeof openHarness>[0]) {
  const { tool } = testTool({ name: 'delegate', category: 'read', waits: true })
  const delegating = { ...tool, childConversationOf: async () => CHILD }
  const call = calls({ callId: 'c1', name: 'delegate', input: { path: 'a' } })
  const parent = await openHarness([call, ...scripts], [delegating])
  await parent.send('Hi', 'send-1')
  await parent.until('tool-call-started', 1)
  const { conversationId } = parent
  const origin = { type: 'sub-agent', conversationId, callId: 'c1', depth: 1 } as const
  const created = { commandId: 'child', actor: person, ownerId: 'user_1', title: null, modelId: null }
  await parent.engine.createConversation({ ...created, conversationId: CHILD, origin })
  return parent
}

/** Sends as the caller does, or as a person. */
async function sendTo(
  { engine }: Harness,
  conversationId: string,
  { text, actor = agent }: { readonly text: string; readonly actor?: Actor },
): Promise<void> {
  const content = [{ type: 'text', text } as const]
  await engine.sendMessage({ commandId: text, actor, conversationId, content, lane: 'turn', origin: 'api' })
}

const taskToChild = (harness: Harness) => sendTo(harness, CHILD, { text: 'task' })

async function logOf({ store }: Harness, conversationId: string): Promise<readonly Entry[]> {
  return (await store.read({ conversationId, after: 0, limit: 100 })).entries
}

const logOfChild = (harness: Harness) => logOf(harness, CHILD)

async function untilChildEnded(harness: Harness, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const ended = (await logOfChild(harness)).filter(({ type }) => type === 'run-finished')
    expect(ended).toHaveLength(count)
  })
}

describe('two replicas on one store', () => {
  it('[AGENT3, RUN4] leaves a child alone that works for somebody else', async () => {
    const first = await openParent([says('The task is done')])
    await taskToChild(first)
    await untilChildEnded(first, 1)
    const ends = [{ type: 'block-ended', block: 0 } as const, { type: 'finish', finish: 'end' } as const]
    const second = await first.restart([[...begins('For a person'), { type: 'wait' }, ...ends]])
    await second.store.endLeases()
    await sendTo(second, CHILD, { text: 'something else', actor: person })
    await second.untilRequests(1)
    await second.engine.recover()
    await second.until('run-finished', 1)
    expect((await logOfChild(second)).filter(({ type }) => type === 'stop-requested')).toEqual([])
    second.model.proceed()
    await untilChildEnded(second, 2)
    expect((await logOfChild(second)).findLast(({ type }) => type === 'run-finished')).toMatchObject({
      outcome: 'completed',
    })
    await second.engine.close()
    expect(second.faults).toEqual([])
  })

  it('[AGENT3] leaves a child alone that was never given its task, and does what a person asked', async () => {
    const first = await openParent([])
    const ends = [{ type: 'block-ended', block: 0 } as const, { type: 'finish', finish: 'end' } as const]
    const second = await first.restart([[...begins('For a person'), { type: 'wait' }, ...ends]])
    await second.store.endLeases()
    await sendTo(second, CHILD, { text: 'something else', actor: person })
    await second.untilRequests(1)
    await second.engine.recover()
    await second.until('run-finished', 1)
    second.model.proceed()
    await untilChildEnded(second, 1)
    expect((await logOfChild(second)).filter(({ type }) => type === 'stop-requested')).toEqual([])
    expect((await logOfChild(second)).at(-1)).toMatchObject({ outcome: 'completed' })
    await second.engine.close()
    expect(second.faults).toEqual([])
  })

  it('[AGENT3] takes a task back that waits when its caller is gone, before it closes that', async () => {
    const first = await openParent([])
    // Others work on the child's conversation, so that the task waits there.
    const elsewhere = { conversationId: CHILD, holder: 'process_9', ttlMs: 600_000 }
    await first.store.acquireLease(elsewhere)
    await taskToChild(first)
    const second = await first.restart([])
    await second.store.endLeases()
    await second.store.acquireLease(elsewhere)
    await second.engine.recover()
    await second.until('run-finished', 1)
    const log = (await logOfChild(second)).map(({ type, actor }) => `${type} by ${actor.type}`)
    expect(log.slice(1)).toEqual(['input-admitted by agent', 'input-removed by engine'])
    await second.engine.close()
    expect(second.faults).toEqual([])
  })

  it('[AGENT3, AGENT77, LOG10] interrupts a child that works here for a caller that is gone, and keeps its lease until it has ended', async () => {
    const first = await openParent([])
    const second = first.beside([[...begins('At it'), { type: 'wait' }]])
    await taskToChild(second)
    await second.untilRequests(1)
    const { conversationId, store } = first
    await store.releaseLease({ conversationId, epoch: 1 })
    await store.acquireLease({ conversationId, holder: 'process_2', ttlMs: 0 })
    await second.engine.recover()
    await second.until('run-finished', 1)
    await second.clock.advance(5_000)
    await untilChildEnded(second, 1)
    const closed = Promise.all([first.engine.close(), second.engine.close()])
    await second.clock.advance(5_000)
    await closed
    expect((await logOfChild(second)).findLast(({ type }) => type === 'run-finished')).toMatchObject({
      outcome: 'interrupted',
    })
    const answers = (await logOfChild(second)).filter(({ type }) => type === 'step-finished')
    expect(answers).toMatchObject([{ cut: 'interrupted', blocks: [{ text: 'At it' }] }])
    expect(second.faults).toEqual([])
  })

  it('[AGENT3, AGENT77, RUN4] closes every child before its caller, also where each is taken over by itself', async () => {
    const tasks = { c1: 'child-1', c2: 'child-2' }
    const { tool } = testTool({ name: 'delegate', category: 'read', waits: true })
    const delegating: Tool = {
      ...tool,
      childConversationOf: async ({ callId }) => (callId === 'c1' ? tasks.c1 : tasks.c2),
      runsApart: async () => true,
    }
    const call = (callId: string) => ({ callId, name: 'delegate', input: { path: callId } })
    const waiting = [...begins('At it'), { type: 'wait' } as const]
    const first = await openHarness([calls(call('c1'), call('c2')), waiting, waiting], [delegating])
    const { conversationId } = first
    await first.send('Hi', 'send-1')
    await first.until('tool-call-started', 2)
    for (const [callId, childId] of Object.entries(tasks)) {
      const origin = { type: 'sub-agent', conversationId, callId, depth: 1 } as const
      const created = { commandId: childId, actor: person, ownerId: 'user_1', title: null, modelId: null }
      await first.engine.createConversation({ ...created, conversationId: childId, origin })
      await sendTo(first, childId, { text: 'task' })
    }
    await first.untilRequests(3)

    const gate = Promise.withResolvers<void>()
    const [asked, ended]: [string[], string[]] = [[], []]
    const lineTo = (store: EntryStore): EntryStore => ({
      ...store,
      async acquireLease(wanted) {
        // The line of the children is slow: both are being taken over for as long as the test wants.
        if (wanted.conversationId !== conversationId) {
          asked.push(wanted.conversationId)
          await gate.promise
        }
        return store.acquireLease(wanted)
      },
      async append(batch) {
        const appended = await store.append(batch)
        if (batch.entries.some(({ type }) => type === 'run-finished')) ended.push(batch.conversationId)
        return appended
      },
    })
    const second = await first.restart([], { lineTo })
    await second.store.endLeases()
    const recovered = second.engine.recover()
    await vi.waitFor(async () => {
      expect(new Set(asked)).toEqual(new Set(Object.values(tasks)))
      expect((await logOf(second, tasks.c1)).at(-1)).toMatchObject({ type: 'stop-requested' })
    })
    expect(ended).toEqual([])
    gate.resolve()
    await recovered
    expect(ended).toHaveLength(3)
    expect(ended.at(-1)).toBe(conversationId)
    // Nobody chose that, and their logs do not say that somebody did. [AGENT77]
    for (const id of Object.values(tasks))
      expect((await logOf(second, id)).at(-1)).toMatchObject({
        outcome: 'interrupted',
        reason: expect.stringContaining('The server stopped'),
      })
    for (const id of Object.values(tasks)) expect(JSON.stringify(await logOf(second, id))).not.toContain('The person')
    await second.engine.close()
    expect(second.faults).toEqual([])
  })

  it('[AGENT3, RUN4] closes both of two whose logs call each other a sub-agent, which wait for each other never', async () => {
    const { tool } = testTool({ name: 'delegate', category: 'read', waits: true })
    // As no engine would write it: what it says of the second call is the conversation of the first.
    const named: string[] = [CHILD]
    const delegating: Tool = { ...tool, childConversationOf: async () => named.pop() ?? null }
    const call = (callId: string) => calls({ callId, name: 'delegate', input: { path: callId } })
    const first = await openHarness([call('c1'), call('c2')], [delegating])
    const { conversationId } = first
    await first.send('Hi', 'send-1')
    await first.until('tool-call-started', 1)
    named.push(conversationId)
    const origin = { type: 'sub-agent', conversationId, callId: 'c1', depth: 1 } as const
    const created = { commandId: 'child', actor: person, ownerId: 'user_1', title: null, modelId: null }
    await first.engine.createConversation({ ...created, conversationId: CHILD, origin })
    await taskToChild(first)
    await vi.waitFor(async () => {
      const started = (await logOfChild(first)).find(({ type }) => type === 'tool-call-started')
      expect(started).toMatchObject({ childConversationId: conversationId })
    })
    const second = await first.restart([])
    await second.store.endLeases()
    await second.engine.recover()
    await second.until('run-finished', 1)
    await untilChildEnded(second, 1)
    await second.engine.close()
    expect(second.faults).toEqual([])
  })

  it('[STOP2] a stop that another replica took reaches the owner within half a second', async () => {
    const owner = await openHarness([[...begins('Once upon'), { type: 'wait' }]])
    const other = owner.beside([says('Never')])
    await owner.send('Hi', 'send-1')
    await owner.untilPublished('Once upon')
    expect(await other.stop('stop-1')).toMatchObject({ accepted: true })
    expect(owner.model.abortedCount()).toBe(0)
    await owner.clock.advance(500)
    expect(owner.model.abortedCount()).toBe(1)
    await owner.clock.advance(5_000)
    await owner.until('run-finished', 1)
    expect((await owner.log()).at(-1)).toMatchObject({ outcome: 'stopped' })
    expect(other.model.requests).toHaveLength(0)
  })

  it('[STOP2, SCALE10] a stop that another replica took reaches the owner at once where the bus tells of it', async () => {
    const ports = { bus: { ...createInProcessBus(), tellsOfOthers: () => true } }
    const owner = await openHarness([[...begins('Once upon'), { type: 'wait' }]], [], null, { ports })
    const other = owner.beside([says('Never')])
    await owner.send('Hi', 'send-1')
    await owner.untilRequests(1)
    await other.stop('stop-1')
    await vi.waitFor(() => expect(owner.model.abortedCount()).toBe(1))
    await owner.clock.advance(5_000)
    await owner.until('run-finished', 1)
    expect((await owner.log()).at(-1)).toMatchObject({ outcome: 'stopped' })
  })

  it('[STOP2, SCALE11] where the bus tells of others the log of a run is looked at every five seconds all the same', async () => {
    const told = () => ({ bus: { ...createInProcessBus(), tellsOfOthers: () => true } })
    const options: { ports: ReturnType<typeof told> } = { ports: told() }
    const owner = await openHarness([[...begins('Once upon'), { type: 'wait' }]], [], null, options)
    options.ports = told()
    const other = owner.beside([says('Never')])
    await owner.send('Hi', 'send-1')
    await owner.untilRequests(1)
    await other.stop('stop-1')
    await owner.clock.advance(4_000)
    expect(owner.model.abortedCount()).toBe(0)
    await owner.clock.advance(2_000)
    expect(owner.model.abortedCount()).toBe(1)
    await owner.clock.advance(5_000)
    await owner.until('run-finished', 1)
  })

  it('[RUN2] an input that another replica took is answered by the owner, after its run', async () => {
    const owner = await openHarness([
      [...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }],
      says('Two'),
    ])
    const other = owner.beside([says('Never')])
    await owner.send('First', 'send-1')
    await owner.untilPublished('One')
    await other.send('Second', 'send-2')
    owner.model.proceed()
    await owner.until('run-finished', 2)
    expect(owner.model.requests).toHaveLength(2)
    expect(other.model.requests).toHaveLength(0)
  })

  it('[RUN2, SCALE3] an input that another replica took is answered by the owner at its next look, while it makes a title', async () => {
    const owner = await openHarness(
      [says('One'), [...begins('A gree'), { type: 'wait' }, { type: 'finish', finish: 'end' }], says('Two')],
      [],
      null,
      { autoTitles: true },
    )
    const other = owner.beside([says('Never')])
    await owner.send('First', 'send-1')
    await owner.untilRequests(2)
    await other.send('Second', 'send-2')
    await owner.clock.advance(500)
    await owner.until('run-finished', 2)
    expect(owner.model.requests).toHaveLength(3)
    expect(other.model.requests).toHaveLength(0)
    owner.model.proceed()
    await owner.until('title-changed', 1)
  })

  it('[PERM3] a question that one asked is answered through the other, which goes on', async () => {
    const { tool, started } = testTool({ name: 'edit', category: 'edit' })
    const owner = await openHarness([calls({ callId: 'c1', name: 'edit', input: { path: 'a' } })], [tool])
    const other = owner.beside([says('Done')])
    await owner.send('Hi', 'send-1')
    await owner.until('permission-requested', 1)
    const asked = (await owner.log()).find((entry) => entry.type === 'permission-requested')
    await owner.clock.advance(1_000)
    await other.engine.answerPermission({
      commandId: 'yes',
      actor: person,
      conversationId: owner.conversationId,
      decision: 'allow',
      scope: 'call',
      requestId: asked?.type === 'permission-requested' ? asked.requestId : '',
    })
    await owner.until('run-finished', 1)
    expect(started).toEqual(['a'])
    expect(other.model.requests).toHaveLength(1)
  })

  it('[RUN4] a message to a replica that has nothing left to close is answered by another, untouched', async () => {
    const closing = await openHarness([says('Never')])
    const other = closing.beside([says('Answered')])
    await other.engine.recover()
    await closing.engine.close()
    await closing.send('Hi', 'send-1')
    await other.clock.advance(10_000)
    await other.until('run-finished', 1)
    expect(closing.model.requests).toHaveLength(0)
    expect(other.model.requests).toHaveLength(1)
  })

  it('[LOG10] what the owner writes after another has taken over is refused, and nothing is doubled', async () => {
    const owner = await openHarness([[...begins('Once'), { type: 'wait' }, { type: 'finish', finish: 'end' }]])
    const other = owner.beside([says('Next')])
    await owner.send('Hi', 'send-1')
    await owner.untilPublished('Once')
    const { store, conversationId } = owner
    await store.endLeases()
    await other.engine.recover()
    await other.until('run-finished', 1)
    owner.model.proceed()
    await vi.waitFor(() => expect(owner.faults.length).toBeGreaterThan(0))
    const ends = (await other.log()).filter(({ type }) => type === 'run-finished' || type === 'step-finished')
    expect(ends.map(({ type }) => type)).toEqual(['step-finished', 'run-finished'])
    expect(conversationId).toBe(other.conversationId)
  })

  it('[RUN4] a message finds what an owner that is gone left open: that is closed first, and the message is held like all that waited', async () => {
    const gone = await openHarness([[...begins('Once'), { type: 'wait' }]])
    await gone.send('Hi', 'send-1')
    await gone.untilPublished('Once')
    const next = await gone.restart([says('Next')])
    await next.store.endLeases()
    await next.send('Still there?', 'send-2')
    await next.until('queue-held', 1)
    expect(next.model.requests).toHaveLength(0)
    await next.engine.releaseQueue({ commandId: 'go', actor: person, conversationId: next.conversationId })
    await next.until('run-finished', 2)
    const ends = (await next.log()).flatMap((entry) => (entry.type === 'run-finished' ? [entry.outcome] : []))
    expect(ends).toEqual(['interrupted', 'completed'])
    expect(JSON.stringify(next.model.requests[0]?.messages)).toContain('Still there?')
  })
})
