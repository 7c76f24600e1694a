import { createManualClock } from '@holdfast/engine/testing'
import { expect, test } from 'vitest'
import { createProcessCollector, watchMemory } from '../src/save-memory.ts'

const MIB = 1_024 * 1_024

/** A process of which a test says what it does. */
function playedProcess() {
  const told: boolean[] = []
  const now = { share: 0.6, largeBytes: 10 * MIB }
  const collector = {
    busyShare: () => now.share,
    largeBytes: () => now.largeBytes,
    saveMemory: (saves: boolean) => void told.push(saves),
  }
  return { told, now, collector }
}

test('[ARCH13] saves memory while there is little to do, and no longer', async () => {
  const clock = createManualClock()
  const { told, now, collector } = playedProcess()
  const end = watchMemory({ clock, collector })
  await clock.advance(30_000)
  expect(told).toEqual([])
  now.share = 0.01
  await clock.advance(10_000)
  expect(told).toEqual([true])
  now.share = 0.3
  await clock.advance(500)
  expect(told).toEqual([true, false])
  end()
  expect(clock.waitingCount()).toBe(0)
})

test('[LOG18] saves memory when large texts have come together, until they are collected, whatever lives on', async () => {
  const clock = createManualClock()
  const { told, now, collector } = playedProcess()
  const end = watchMemory({ clock, collector })
  now.largeBytes = 30 * MIB
  await clock.advance(50)
  expect(told).toEqual([])
  now.largeBytes = 40 * MIB
  await clock.advance(50)
  expect(told).toEqual([true])
  // What is left after a collection is in use.
  now.largeBytes = 38 * MIB
  await clock.advance(50)
  expect(told).toEqual([true, false])
  now.largeBytes = 60 * MIB
  await clock.advance(50)
  expect(told).toEqual([true, false])
  now.largeBytes = 70 * MIB
  await clock.advance(50)
  expect(told).toEqual([true, false, true])
  end()
})

test('[LOG18] saves on where a quiet process gets large texts to read', async () => {
  const clock = createManualClock()
  const { told, now, collector } = playedProcess()
  now.share = 0.01
  const end = watchMemory({ clock, collector })
  await clock.advance(6_000)
  now.share = 0.9
  now.largeBytes = 60 * MIB
  await clock.advance(3_000)
  expect(told).toEqual([true])
  end()
})

test('[LOG18] sees long texts in the heap of the process', () => {
  const { largeBytes } = createProcessCollector()
  const before = largeBytes()
  const stored = JSON.stringify('word '.repeat(MIB / 5))
  const texts = Array.from({ length: 20 }, () => JSON.parse(stored))
  expect(largeBytes() - before).toBeGreaterThan(8 * MIB)
  expect(texts).toHaveLength(20)
})
