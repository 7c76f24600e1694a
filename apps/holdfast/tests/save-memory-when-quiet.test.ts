import { createManualClock } from '@holdfast/engine/testing'
import { expect, test } from 'vitest'
import { saveMemoryWhenQuiet } from '../src/save-memory-when-quiet.ts'

test('[ARCH13] saves memory while there is little to do, and no longer', async () => {
  const clock = createManualClock()
  const told: boolean[] = []
  let share = 0.6
  const collector = { busyShare: () => share, saveMemory: (saves: boolean) => void told.push(saves) }
  const end = saveMemoryWhenQuiet({ clock, collector })
  await clock.advance(30_000)
  expect(told).toEqual([])
  share = 0.01
  await clock.advance(10_000)
  expect(told).toEqual([true])
  share = 0.3
  await clock.advance(500)
  expect(told).toEqual([true, false])
  end()
  expect(clock.waitingCount()).toBe(0)
})
