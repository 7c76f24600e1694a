import { createInProcessBus, followTurn } from '@holdfast/engine'
import { says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'

describe('following a turn', () => {
  it('[RUN1] comes to its end for one who is told of nothing on the way', async () => {
    const { send, until, store, clock, conversationId } = await openHarness([says('Hello')])
    const { inputId, seq } = await send('Say hello', 'send-1')
    await until('run-finished', 1)
    const { signal } = new AbortController()
    const bus = createInProcessBus()
    const end = await followTurn({ store, bus, clock }, { conversationId, inputId, admittedSeq: seq, signal })
    expect(end).toMatchObject({ outcome: 'completed', text: 'Hello' })
  })
})
