import { unlessAborted, untilAborted, waitFor, waitUntil } from '@holdfast/conversation'
import { createManualClock } from '@holdfast/engine/testing'
import { describe, expect, it } from 'vitest'

describe('a wait ends with its signal', () => {
  it('[STOP3] lasts until its time, and not a millisecond less', async () => {
    const clock = createManualClock()
    let isOver = false
    const waited = waitUntil(clock, clock.now() + 100, new AbortController().signal).then(() => {
      isOver = true
    })
    await clock.advance(99)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await waited
  })

  it('[STOP3] ends at once when the signal fires, and leaves no timer', async () => {
    const clock = createManualClock()
    const controller = new AbortController()
    const waited = waitFor(clock, 100, controller.signal)
    controller.abort()
    await waited
    await waitFor(clock, 100, controller.signal)
    await untilAborted(controller.signal)
    expect(clock.waitingCount()).toBe(0)
  })

  it('[STOP3] lasts for as long as the signal is silent', async () => {
    const controller = new AbortController()
    const waited = untilAborted(controller.signal)
    controller.abort()
    await waited
  })
})

describe('work that may not hear the signal', () => {
  it('[STOP3] gives its value, or throws what it throws', async () => {
    const { signal } = new AbortController()
    expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7)
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  })

  it('[STOP3] is left behind when the signal fires, and what it throws then is nobody’s', async () => {
    const controller = new AbortController()
    const work = Promise.withResolvers<never>()
    const waited = unlessAborted(work.promise, controller.signal)
    controller.abort(new Error('stop'))
    await expect(waited).rejects.toThrow('stop')
    await expect(unlessAborted(work.promise, controller.signal)).rejects.toThrow('stop')
    work.reject(new Error('too late'))
  })
})
