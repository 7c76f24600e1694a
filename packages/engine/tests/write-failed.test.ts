import { type EntryStore, StoreWriteError } from '@holdfast/conversation'
import { begins, says } from '@holdfast/engine/testing'
import { describe, expect, it, vi } from 'vitest'
import { LIMITS } from '../src/api/ports.ts'
import { openHarness } from './support/harness.ts'

/** A disk that can be filled and freed: nothing is appended to it meanwhile. */
function createDisk() {
  let isFull = false
  const refuse = <Value>(work: () => Promise<Value>): Promise<Value> =>
    isFull
      ? Promise.reject(
          new StoreWriteError('disk-full', 'The disk at 192.0.2.1 is full.', { told: 'The disk is full.' }),
        )
      : work()
  return {
    fill() {
      isFull = true
    },
    free() {
      isFull = false
    },
    lineTo: (store: EntryStore): EntryStore => ({
      ...store,
      append: (request) => refuse(() => store.append(request)),
      appendDrafts: (rows) => refuse(() => store.appendDrafts(rows)),
    }),
  }
}

describe('a disk that refuses to write', () => {
  it('[LOG8] is told to whoever looks, with what it says but for its place', async () => {
    const disk = createDisk()
    const { send, messages, model, untilPublished, faults } = await openHarness(
      [[...begins('Once'), { type: 'wait' }, { type: 'block-delta', block: 0, text: ' upon' }]],
      [],
      null,
      { lineTo: disk.lineTo },
    )
    await send('Tell me', 'send-1')
    await untilPublished('Once')
    disk.fill()
    model.proceed()
    await vi.waitFor(() =>
      expect(messages).toContainEqual(expect.objectContaining({ type: 'write-failed', message: 'The disk is full.' })),
    )
    expect(faults).not.toEqual([])
  })

  it('[STOP14] does not keep a stop from ending what runs, and the end is written down when it can be', async () => {
    const disk = createDisk()
    const { send, stop, model, untilPublished, clock, until, log } = await openHarness(
      [[...begins('Once'), { type: 'wait' }], says('Again')],
      [],
      null,
      { lineTo: disk.lineTo },
    )
    await send('Tell me', 'send-1')
    await untilPublished('Once')
    disk.fill()
    await expect(stop('stop-1')).rejects.toThrow('The disk at 192.0.2.1 is full.')
    await vi.waitFor(() => expect(model.abortedCount()).toBe(1))
    disk.free()
    await clock.advance(LIMITS.leaseTtlMs)
    await until('run-finished', 1)
    expect((await log()).at(-1)).toMatchObject({ type: 'run-finished', outcome: 'interrupted' })
    expect(model.requests).toHaveLength(1)
  })
})
