import type { EntryStore } from '@holdfast/conversation'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { type Harness, type HarnessOptions, openHarness } from './support/harness.ts'

const END = { type: 'finish', finish: 'end' } as const

/** Two replicas that beat, on one store; the first is in the middle of an answer that says `Once`. */
async function openTwo(
  ofOther: Parameters<Harness['beside']>[0],
  options: HarnessOptions = {},
): Promise<{ owner: Harness; other: Harness }> {
  const script = [...begins('Once'), { type: 'wait' } as const, END]
  const owner = await openHarness([script, says('Second')], [], null, { ...options, beats: true })
  const other = owner.beside(ofOther)
  for (const { replica, engine } of [owner, other]) {
    await replica.start()
    await engine.recover()
  }
  await owner.send('Hi', 'send-1')
  await owner.untilPublished('Once')
  return { owner, other }
}

async function endsOf(harness: Harness) {
  const log = await harness.log()
  return log.flatMap((entry) => (entry.type === 'run-finished' ? [entry.outcome] : []))
}

describe('replicas that beat', () => {
  it('[SCALE3] closes the run of a replica whose beats have ended within five seconds, once', async () => {
    const { owner, other } = await openTwo([])
    // Behind a sweep, and seen by a beat before the next one.
    await owner.clock.advance(5_100)
    owner.cutOff(true)
    await owner.clock.advance(4_400)
    await other.until('run-finished', 1)
    const closed = (await other.log()).find(({ type }) => type === 'step-finished')
    expect(closed).toMatchObject({ cut: 'interrupted', blocks: [{ text: 'Once' }] })
    expect(await endsOf(other)).toEqual(['interrupted'])
  })

  it('[SCALE5] stops what it runs when it comes back and another has the lease, before that one has written a word', async () => {
    const owner = await openHarness([[...begins('Once'), { type: 'wait' }, END]], [], null, { beats: true })
    const { store, conversationId } = owner
    await owner.replica.start()
    await owner.send('Hi', 'send-1')
    await owner.untilPublished('Once')
    owner.cutOff(true)
    await owner.clock.advance(5_000)
    const taken = await store.acquireLease({ conversationId, holder: 'another', ttlMs: 60_000 })
    expect(taken).toMatchObject({ epoch: 2 })
    const before = await owner.log()
    await owner.clock.advance(1_000)
    expect(owner.model.abortedCount()).toBe(0)
    owner.cutOff(false)
    await owner.clock.advance(1_000)
    await vi.waitFor(() => expect(owner.model.abortedCount()).toBe(1))
    await owner.clock.advance(20_000)
    expect(await owner.log()).toEqual(before)
  })

  it('[SCALE5] goes on when it comes back late and nobody has taken what it holds', async () => {
    const owner = await openHarness([[...begins('Once'), { type: 'wait' }, END]], [], null, { beats: true })
    await owner.replica.start()
    await owner.send('Hi', 'send-1')
    await owner.untilPublished('Once')
    owner.cutOff(true)
    await owner.clock.advance(10_000)
    owner.cutOff(false)
    await owner.clock.advance(1_000)
    expect(owner.model.abortedCount()).toBe(0)
    owner.model.proceed()
    await owner.until('run-finished', 1)
    expect(await endsOf(owner)).toEqual(['completed'])
    expect(owner.faults).toMatchObject([{ message: 'The line is cut' }])
  })

  it('[SCALE1] asks for the lease of a conversation once, however long its run lasts', async () => {
    let asked = 0
    const counting = (store: EntryStore): EntryStore => ({
      ...store,
      acquireLease: (request) => {
        asked += 1
        return store.acquireLease(request)
      },
    })
    const { owner } = await openTwo([], { lineTo: counting })
    await owner.clock.advance(60_000)
    owner.model.proceed()
    await owner.until('run-finished', 1)
    expect(asked).toBe(1)
    expect(await endsOf(owner)).toEqual(['completed'])
  })

  it('[SCALE6] lets an answer end while it drains, and leaves what waits behind it to another', async () => {
    const { owner, other } = await openTwo([says('From elsewhere')])
    await owner.send('And then?', 'send-2')
    await owner.replica.drain(20_000)
    const drained = owner.engine.drain()
    await owner.clock.advance(4_000)
    expect(await endsOf(other)).toEqual([])
    owner.model.proceed()
    await drained
    await owner.clock.advance(2_000)
    await other.until('run-finished', 2)
    expect(await endsOf(other)).toEqual(['completed', 'completed'])
    expect(owner.model.requests).toHaveLength(1)
    expect(other.model.requests).toHaveLength(1)
  })

  it('[SCALE6] says how far an answer came that lasts longer than the drain, and another goes on at once', async () => {
    const { owner, other } = await openTwo([says('Next')])
    await owner.replica.drain(20_000)
    void owner.engine.drain()
    const closed = owner.engine.close()
    await owner.clock.advance(5_000)
    await closed
    await owner.replica.leave()
    expect(await endsOf(other)).toEqual(['interrupted'])
    await other.send('Go on', 'send-2')
    await other.until('run-finished', 2)
    expect(await endsOf(other)).toEqual(['interrupted', 'completed'])
  })
})
