import { createInProcessBus } from '@holdfast/engine'
import { begins, createManualClock, says } from '@holdfast/engine/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import { describe, expect, it } from 'vitest'
import { createDraftWriter } from '../src/live/draft-writer.ts'
import { openHarness } from './support/harness.ts'

describe('the draft of an open step', () => {
  it('[RUN3] is durable within 100 ms of its first delta', async () => {
    const { send, store, conversationId, clock, untilPublished } = await openHarness([
      [...begins('One'), { type: 'wait' }],
    ])
    await send('Count', 'send-1')
    await untilPublished('One')
    await clock.advance(100)
    expect(await store.readDrafts(conversationId)).toHaveLength(1)
  })

  it('[RUN30] writes nothing of an answer that ends before the tick but its end', async () => {
    let writeCount = 0
    const { send, until, log } = await openHarness([says('One', ' two')], [], null, {
      lineTo: (store) => ({
        ...store,
        appendDrafts(chunks) {
          writeCount += 1
          return store.appendDrafts(chunks)
        },
      }),
    })
    await send('Count', 'send-1')
    await until('run-finished', 1)
    expect(writeCount).toBe(0)
    expect((await log()).map(({ type }) => type)).toContain('step-finished')
  })

  it('[RUN3] leaves no more than 4 KiB to a tick, however fast the model is', async () => {
    const pieces = Array.from({ length: 100 }, (_, number) => `${String(number).padStart(99, '.')} `)
    const { send, store, conversationId, untilPublished } = await openHarness([
      [...begins(...pieces), { type: 'wait' }],
    ])
    await send('Count', 'send-1')
    await untilPublished(pieces.at(-1) ?? '')
    const [draft] = await store.readDrafts(conversationId)
    const durable = draft?.deltas.reduce((size, { text }) => size + text.length, 0) ?? 0
    expect(10_000 - durable).toBeLessThanOrEqual(4_096)
  })

  it('[RUN3] is whole in the store after a tick', async () => {
    const { send, store, conversationId, untilPublished, clock } = await openHarness([
      [...begins('One ', 'two ', 'three'), { type: 'wait' }],
    ])
    await send('Count', 'send-1')
    await untilPublished('three')
    await clock.advance(250)
    const [draft] = await store.readDrafts(conversationId)
    expect(draft?.deltas.map(({ text }) => text).join('')).toBe('One two three')
  })

  it('[RUN3] is told as kept only as far as it is durable', async () => {
    const { send, untilPublished, clock, messages } = await openHarness([
      [...begins('One ', 'two ', 'three'), { type: 'wait' }],
    ])
    const kept = (): string =>
      messages
        .flatMap((message) => (message.type === 'kept-deltas' ? message.deltas : []))
        .map(({ text }) => text)
        .join('')
    await send('Count', 'send-1')
    await untilPublished('three')
    expect('One two three'.startsWith(kept())).toBe(true)
    expect(kept()).not.toBe('One two three')
    await clock.advance(250)
    expect(kept()).toBe('One two three')
  })

  it('[LOG3] is gone in the append that closes the step', async () => {
    const { send, until, store, conversationId } = await openHarness([says('One')])
    await send('Count', 'send-1')
    await until('run-finished', 1)
    expect(await store.readDrafts(conversationId)).toEqual([])
  })
})

describe('the writer of drafts', () => {
  const step = (stepId: string) => ({ conversationId: `c_${stepId}`, runId: 'run', stepId, startedSeq: 1, epoch: 1 })
  const delta = (stepId: string, offset: number) => ({ stepId, block: 0, offset, text: 'x' })

  it('[RUN3] ends no step where a listener throws, and says so', async () => {
    const clock = createManualClock()
    const { store } = createMemoryStore({ clock })
    const faults: unknown[] = []
    const bus = createInProcessBus()
    bus.subscribe('c_one', ({ type }) => {
      if (type === 'kept-deltas') throw new Error('It is gone')
    })
    const kept: string[] = []
    bus.subscribe('c_two', ({ type }) => kept.push(type))
    const appendDrafts: typeof store.appendDrafts = async () => []
    const writer = createDraftWriter({ store: { ...store, appendDrafts }, clock, bus }, ({ error }) =>
      faults.push(error),
    )
    for (const stepId of ['one', 'two']) await writer.add(step(stepId), delta(stepId, 0))
    await clock.advance(200)
    for (const stepId of ['one', 'two']) await writer.add(step(stepId), delta(stepId, 1))
    await clock.advance(200)
    expect(faults.length).toBeGreaterThan(0)
    expect(kept.filter((type) => type === 'kept-deltas')).toHaveLength(2)
    for (const stepId of ['one', 'two']) await writer.close(stepId)
    expect(clock.waitingCount()).toBe(0)
  })

  it('[LOG3] leaves nothing behind of a step that ends while its deltas are on their way to the store', async () => {
    const gate = Promise.withResolvers<void>()
    const harness = await openHarness([says('One')], [], null, {
      lineTo: (store) => ({
        ...store,
        async appendDrafts(chunks) {
          await gate.promise
          return store.appendDrafts(chunks)
        },
      }),
    })
    await harness.send('Count', 'send-1')
    await harness.untilPublished('One')
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    gate.resolve()
    await harness.until('run-finished', 1)
    await harness.clock.advance(200)
    await harness.engine.close()
    expect(await harness.store.readDrafts(harness.conversationId)).toEqual([])
  })
})

describe('two processes on one store', () => {
  it('[LOG2, LOG10] append commands to the same log, each reading again when the other was faster', async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }]])
    const second = first.beside([says('Never asked')])
    await first.send('Count', 'send-1')
    await first.untilPublished('One')
    await Promise.all(
      [1, 2, 3].flatMap((number) => [
        first.send(`a${number}`, `a-${number}`),
        second.send(`b${number}`, `b-${number}`),
      ]),
    )
    const admitted = (await first.log()).filter(({ type }) => type === 'input-admitted')
    expect(admitted).toHaveLength(7)
    expect(second.model.requests).toEqual([])
    expect(first.faults).toEqual([])
    expect(second.faults).toEqual([])
  })

  it('[LOG4] give the same answer to the same command', async () => {
    const first = await openHarness([[...begins('One'), { type: 'wait' }]])
    const second = first.beside([says('Never asked')])
    const [one, two] = await Promise.all([first.send('Count', 'send-1'), second.send('Count', 'send-1')])
    expect(two).toEqual(one)
  })
})
