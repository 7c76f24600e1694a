import { systemClock } from '@holdfast/engine/system'
import { createMemoryStore } from '@holdfast/store/memory'
import { expect, test } from 'vitest'
import { createLearntWindows } from '../src/providers/learnt-windows.ts'

test('[WIN8] keeps a learnt window for every conversation and over a restart, until another one is told', async () => {
  const { records } = createMemoryStore({ clock: systemClock })
  const warned: string[] = []
  const open = () => createLearntWindows({ records, clock: systemClock, warn: (message) => warned.push(message) })
  const windows = open()
  expect(windows.countingFor('local/m', null)).toBeNull()
  windows.learn({ modelId: 'local/m', windowTokens: 8_192, isNamed: true }, null)
  expect(windows.countingFor('local/m', null)).toBe(8_192)
  expect(windows.countingFor('local/m', 32_000)).toBe(32_000)
  expect(windows.countingFor('local/other', null)).toBeNull()
  await expect
    .poll(async () => {
      const again = open()
      await again.refresh()
      return again.countingFor('local/m', null)
    })
    .toBe(8_192)
  expect(warned).toEqual([])
})
