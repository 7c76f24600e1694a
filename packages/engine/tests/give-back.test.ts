import type { EntryStore } from '@holdfast/conversation'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'
import { openHarness } from './support/harness.ts'

/** Hears what becomes of leases, and holds back the append that gives one back, where a test says so. */
function watched() {
  const told: string[] = []
  const asked = Promise.withResolvers<void>()
  let held: Promise<void> | null = null
  const lineTo = (store: EntryStore): EntryStore => ({
    ...store,
    async acquireLease(request) {
      const lease = await store.acquireLease(request)
      told.push(`acquired ${lease?.epoch}`)
      return lease
    },
    releaseLease(lease) {
      told.push(`released ${lease.epoch}`)
      return store.releaseLease(lease)
    },
    async append(append) {
      if (append.entries.at(-1)?.type !== 'run-finished') return store.append(append)
      told.push(append.release ? `ended and released ${append.epoch}` : `ended ${append.epoch}`)
      asked.resolve()
      if (append.release) await held
      return store.append(append)
    },
  })
  return {
    told,
    lineTo,
    asked: asked.promise,
    hold() {
      const gate = Promise.withResolvers<void>()
      held = gate.promise
      return gate.resolve
    },
  }
}

describe('the lease of a conversation', () => {
  it('[RUN32] goes back in the append that ends its turn', async () => {
    const { told, lineTo } = watched()
    const harness = await openHarness([says('One')], [], null, { lineTo })
    await harness.send('Count', 'send-1')
    await harness.until('run-finished', 1)
    await harness.engine.close()
    expect(told).toEqual(['acquired 1', 'ended and released 1'])
    const next = await harness.store.acquireLease({
      conversationId: harness.conversationId,
      holder: 'another',
      ttlMs: 1_000,
    })
    expect(next?.epoch).toBe(2)
  })

  it('[RUN32] stays for the input that waits, and goes back with the end of that', async () => {
    const { told, lineTo } = watched()
    const harness = await openHarness(
      [[...begins('One'), { type: 'wait' }, ...says('').slice(2)], says('Two')],
      [],
      null,
      {
        lineTo,
      },
    )
    await harness.send('Count', 'send-1')
    await harness.untilPublished('One')
    await harness.send('Go on', 'send-2')
    harness.model.proceed()
    await harness.until('run-finished', 2)
    await harness.engine.close()
    expect(told).toEqual(['acquired 1', 'ended 1', 'ended and released 1'])
  })

  it('[RUN32] stays for a title that is due', async () => {
    const { told, lineTo } = watched()
    const harness = await openHarness([says('One'), says('A title')], [], null, { lineTo, autoTitles: true })
    await harness.send('Count', 'send-1')
    await harness.until('run-finished', 2)
    await harness.engine.close()
    expect(told[0]).toBe('acquired 1')
    expect(told.at(-1)).toBe('released 1')
    expect(await harness.types()).toContain('title-changed')
  })

  it('[RUN32] is taken again for what comes while it goes back: nothing of that begins under the old one', async () => {
    const { told, lineTo, asked, hold } = watched()
    const letGo = hold()
    const harness = await openHarness([says('One'), says('Two')], [], null, { lineTo })
    await harness.send('Count', 'send-1')
    await asked
    const sent = harness.send('Go on', 'send-2')
    const titled = harness.engine.makeTitle({
      commandId: 'title-1',
      actor: { type: 'person', userId: 'user_1' },
      conversationId: harness.conversationId,
    })
    // A lease that goes back is not renewed: that would take it anew, for nobody.
    await harness.clock.advance(8_000)
    letGo()
    await sent
    await titled
    await harness.until('run-finished', 3)
    await harness.engine.close()
    expect(told.slice(0, 3)).toEqual(['acquired 1', 'ended and released 1', 'acquired 2'])
    expect(harness.faults).toEqual([])
    expect(await harness.store.expiredLeases(10)).toEqual([])
  })
})
