import { setImmediate } from 'node:timers/promises'
import { DamagedLogError, overview, StoreWriteError } from '@holdfast/conversation'
import { conversationCreated } from '@holdfast/conversation/testing'
import type { WrittenFiles } from '@holdfast/engine'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'
import { calls, testTool } from './support/tools.ts'

const LEASE_MS = 10_000

describe('recovery', () => {
  it('[RUN4] closes what a killed process left open, with the text that was durable', async () => {
    const first = await openHarness([[...begins('One ', 'two ', 'three'), { type: 'wait' }]])
    await first.send('Count', 'send-1')
    await first.untilPublished('three')
    await first.clock.advance(200)
    const second = await first.restart([says('Four')])
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    expect(await second.log()).toContainEqual(
      expect.objectContaining({
        type: 'step-finished',
        cut: 'interrupted',
        blocks: [{ type: 'text', text: 'One two three' }],
      }),
    )
    expect((await second.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' })
    await second.send('Go on', 'send-2')
    await second.until('run-finished', 2)
    expect(second.model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('[COST15] prices what a kill cut as it was known when it was asked, where who closes it does not know the model', async () => {
    const first = await openHarness([[...begins('One ', 'two ', 'three'), { type: 'wait' }]])
    await first.send('Count', 'send-1')
    await first.untilPublished('three')
    await first.clock.advance(200)
    expect((await first.log()).find(({ type }) => type === 'step-started')).toMatchObject({
      price: { input: 0, output: 0, reference: 'local' },
    })
    const second = await first.restart([], { ports: { models: () => [] } })
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    expect((await second.log()).find(({ type }) => type === 'usage-recorded')).toMatchObject({
      outcome: 'interrupted',
      costUsd: 0,
      priceReference: 'local',
    })
  })

  it('[LOG8, RUN4] answers an input that is durable though the store never acknowledged it, also where the next look fails', async () => {
    let lostAnswers = 0
    let refusedLeases = 0
    const harness = await openHarness([says('One')], [], null, {
      lineTo: (store) => ({
        ...store,
        async append(asked) {
          const appended = await store.append(asked)
          if (appended.entries.some(({ type }) => type === 'input-admitted') && lostAnswers++ === 0)
            throw new StoreWriteError('unreachable', 'The answer was lost')
          return appended
        },
        async acquireLease(asked) {
          if (refusedLeases++ === 0) throw new StoreWriteError('unreachable', 'The store was away')
          return store.acquireLease(asked)
        },
      }),
    })
    await expect(harness.send('Count', 'send-1')).rejects.toThrow('The answer was lost')
    expect(await harness.types()).toContain('input-admitted')
    await harness.engine.recover()
    await vi.waitFor(() => expect(harness.faults).toHaveLength(1))
    await harness.engine.recover()
    await harness.until('run-finished', 1)
    await harness.engine.close()
  })

  it.each([
    [8, {}],
    [32, { isAlone: true as const }],
  ])('[RUN4, SCALE3] takes over %i conversations at a time', async (most, ports) => {
    let underWay = 0
    let atOnce = 0
    let taken = 0
    const harness = await openHarness([], [], null, {
      ports,
      lineTo: (store) => ({
        ...store,
        async acquireLease(asked) {
          taken += 1
          underWay += 1
          atOnce = Math.max(atOnce, underWay)
          await setImmediate()
          underWay -= 1
          return store.acquireLease(asked)
        },
      }),
    })
    for (let number = 0; number < 40; number++) {
      const conversationId = `left_${number}`
      const entries = [conversationCreated('user_1')]
      await harness.store.append({ conversationId, after: 0, at: harness.clock.now(), entries })
      await harness.store.acquireLease({ conversationId, holder: 'gone', ttlMs: LEASE_MS })
    }
    taken = 0
    atOnce = 0
    await harness.clock.advance(2 * LEASE_MS)
    await harness.engine.recover()
    expect({ taken, atOnce }).toEqual({ taken: 40, atOnce: most })
    await harness.engine.close()
  })

  it('[WS1, RUN4] writes down what a call changed in which the process was killed, once, before the call is settled', async () => {
    const change = { path: 'a.txt', kind: 'changed', seen: 'with-others' } as const
    const asked: unknown[] = []
    const noted: WrittenFiles[] = []
    const { tool, started } = testTool({ name: 'read', category: 'read', waits: true })
    const read = { callId: 'c1', name: 'read', input: { path: 'a' } }
    const first = await openHarness([calls(read)], [tool], null, {
      ports: {
        changesLeftBy: async (left) => {
          asked.push(left)
          return [change]
        },
        strangersFiles: {
          note: async (written) => void noted.push(written),
        },
      },
    })
    await first.send('Hi', 'send-1')
    await vi.waitFor(() => expect(started).toEqual(['a']))
    const second = await first.restart([says('Done')])
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    await second.until('run-finished', 1)
    const { conversationId } = first
    expect(asked).toEqual([expect.objectContaining({ conversationId, ownerId: 'user_1', callIds: ['c1'] })])
    const changed = (await second.log()).filter(({ type }) => type === 'files-changed' || type === 'tool-call-settled')
    expect(changed).toMatchObject([
      { type: 'files-changed', callId: 'c1', changes: [change] },
      { type: 'tool-call-settled', callId: 'c1', outcome: 'unknown' },
    ])
    expect(noted).toMatchObject([{ how: 'brought', by: 'read', changes: [change] }])
    await second.engine.recover()
    expect(asked).toHaveLength(1)
  })

  it('[LOG7, RUN4] recovers the others where one log cannot be read', async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }]])
    const actor = { type: 'person', userId: 'user_1' } as const
    const content = [{ type: 'text', text: 'Count' } as const]
    const base = { ownerId: 'user_1', title: null, modelId: null }
    const other = await first.engine.createConversation({ ...base, commandId: 'other', actor })
    await first.engine.sendMessage({ commandId: 'send-0', actor, ...other, content, lane: 'turn' })
    await first.untilRequests(1)
    await first.clock.advance(10)
    await first.send('Count', 'send-1')
    await first.untilRequests(2)
    const damaged = other.conversationId
    const second = await first.restart([says('Two')], {
      lineTo: (store) => ({
        ...store,
        async read(query) {
          if (query.conversationId !== damaged) return store.read(query)
          throw new DamagedLogError({ conversationId: damaged, firstBadSeq: 2, what: 'row' })
        },
      }),
    })
    await second.store.endLeases()
    await second.engine.recover()
    expect((await second.log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' })
    expect(second.faults).toMatchObject([{ name: 'DamagedLogError' }])
    await second.engine.close()
  })

  it('[RUN4] leaves no draft of a title behind', async () => {
    const cut = [...begins('A gree'), { type: 'wait' } as const]
    const first = await openHarness([says('Hello'), cut], [], null, { autoTitles: true })
    await first.send('Hi', 'send-1')
    await first.untilRequests(2)
    await first.clock.advance(1_000)
    const second = await first.restart([says('Again')])
    await second.store.endLeases()
    await second.engine.recover()
    expect((await second.log()).filter(({ type }) => type === 'run-finished')).toHaveLength(2)
    expect(await second.store.readDrafts(second.conversationId)).toEqual([])
    await second.engine.close()
  })

  it('[RUN4] changes nothing the second time', async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }]])
    await first.send('Count', 'send-1')
    await first.untilPublished('One')
    const second = await first.restart([says('Two')])
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    const closed = await second.log()
    await second.clock.advance(10 * LEASE_MS)
    await second.engine.recover()
    expect(await second.log()).toEqual(closed)
    expect(overview.reduce(overview.initial, closed).runState.exclusive).toBeNull()
  })

  it('[LOG10] keeps the old owner from writing once another has taken over', async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }]])
    await first.send('Count', 'send-1')
    await first.untilPublished('One')
    const second = await first.restart([says('Two')])
    await second.clock.advance(LEASE_MS)
    await second.engine.recover()
    const closed = await second.log()
    first.model.proceed()
    await first.clock.advance(100)
    expect(await second.log()).toEqual(closed)
  })

  it('[LOG10] refuses the entries of an owner that was only paused', async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }, { type: 'finish', finish: 'end' }]])
    await first.send('Count', 'send-1')
    await first.untilPublished('One')
    const second = first.beside([says('Two')])
    const { conversationId } = first
    await first.store.releaseLease({ conversationId, epoch: 1 })
    const taken = await first.store.acquireLease({ conversationId, holder: 'process_2', ttlMs: 0 })
    expect(taken?.epoch).toBe(2)
    await second.engine.recover()
    const closed = await second.log()
    expect(closed.at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' })
    first.model.proceed()
    await first.clock.advance(100)
    await vi.waitFor(() => expect(first.faults).toHaveLength(1))
    expect(first.faults[0]).toMatchObject({ code: 'stale-epoch' })
    expect(await second.log()).toEqual(closed)
  })

  it('[RUN4, LOG8] answers an input that was acknowledged while the process ended', async () => {
    const first = await openHarness([says('Never asked')])
    await first.engine.close()
    await first.send('Count', 'send-1')
    expect(await first.types()).toEqual(['conversation-created', 'input-admitted'])
    const second = await first.restart([says('One')])
    await second.engine.recover()
    await second.engine.resume(second.conversationId)
    await second.until('run-finished', 1)
    expect(second.model.requests).toHaveLength(1)
  })

  it('[RUN14] leaves no timer behind', async () => {
    const { engine, clock } = await openHarness([says('One')])
    await engine.recover()
    expect(clock.waitingCount()).toBe(1)
    await engine.close()
    expect(clock.waitingCount()).toBe(0)
  })

  it('[RUN14] seals what runs when the process shuts down', async () => {
    const { send, engine, log, untilPublished, clock } = await openHarness([[...begins('One'), { type: 'wait' }]])
    await engine.recover()
    await send('Count', 'send-1')
    await untilPublished('One')
    const closed = engine.close()
    await clock.advance(5_000)
    await closed
    expect((await log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' })
    expect(clock.waitingCount()).toBe(0)
  })

  it('[RUN14] begins no title that is asked for while the process ends, and says so', async () => {
    const { send, engine, untilPublished, clock, model, conversationId } = await openHarness([
      [...begins('One'), { type: 'wait' }],
      says('A title'),
    ])
    await send('Count', 'send-1')
    await untilPublished('One')
    const closed = engine.close()
    const actor = { type: 'person', userId: 'user_1' } as const
    const titled = engine.makeTitle({ commandId: 'title', actor, conversationId }).catch((error: unknown) => error)
    await clock.advance(5_000)
    await closed
    expect(await titled).toMatchObject({ name: 'RunActiveError' })
    expect(model.requests).toHaveLength(1)
    expect(clock.waitingCount()).toBe(0)
  })

  it('[RUN14] begins no title after an answer that is whole while the process ends', async () => {
    const closed: Promise<void>[] = []
    const { send, until, engine, model, clock } = await openHarness([says('One'), says('A title')], [], null, {
      autoTitles: true,
      lineTo: (store) => ({
        ...store,
        async append(asked) {
          if (asked.entries.some(({ type }) => type === 'run-finished')) closed.push(engine.close())
          return store.append(asked)
        },
      }),
    })
    await send('Count', 'send-1')
    await until('run-finished', 1)
    await clock.advance(5_000)
    await Promise.all(closed)
    expect(model.requests).toHaveLength(1)
    expect(clock.waitingCount()).toBe(0)
  })
})
