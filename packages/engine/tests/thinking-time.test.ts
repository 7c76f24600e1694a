import { createManualClock } from '@holdfast/engine/testing'
import { expect, test } from 'vitest'
import { createThinkingTime } from '../src/request/thinking-time.ts'

const started = (block: number, type: 'thinking' | 'text') =>
  ({ type: 'block-started', block, start: { type } }) as const

test('[UI19] how long a model thought is the time of its blocks of thinking, and of nothing beside them', async () => {
  const clock = createManualClock()
  const time = createThinkingTime(clock)
  expect(time.elapsedMs()).toBeNull()
  await clock.advance(500)
  time.heard(started(0, 'thinking'))
  await clock.advance(2_000)
  time.heard({ type: 'block-ended', block: 0 })
  await clock.advance(300)
  time.heard(started(1, 'text'))
  await clock.advance(4_000)
  time.heard(started(2, 'thinking'))
  await clock.advance(1_000)
  // A provider that does not say that a block has ended goes on in the next.
  time.heard(started(3, 'text'))
  await clock.advance(9_000)
  expect(time.elapsedMs()).toBe(3_000)
})

test('[UI19] thinking that was cut counts up to the cut', async () => {
  const clock = createManualClock()
  const time = createThinkingTime(clock)
  time.heard(started(0, 'thinking'))
  await clock.advance(700)
  expect(time.elapsedMs()).toBe(700)
})
