import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { openHarness } from './support/harness.ts'

describe('the draft of an open step', () => {
  it('[RUN3] is durable from its first delta on, without waiting for a tick', async () => {
    const { send, store, conversationId, clock } = await openHarness([[...begins('One'), { type: 'wait' }]])
    await send('Count', 'send-1')
    await vi.waitFor(async () => expect(await store.readDrafts(conversationId)).toHaveLength(1))
    expect(clock.now()).toBe(1_000)
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
