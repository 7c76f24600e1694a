import { expect, test } from 'vitest'
import { endsInRow, restartPauseMs } from '../src/workers/restart-pause.ts'

test('[SCALE22] the pause before another worker doubles with each that ends too soon, up to half a minute', () => {
  const pauses: number[] = []
  let inRow = 0
  for (let count = 0; count < 9; count += 1) {
    inRow = endsInRow(inRow, 1_000)
    pauses.push(restartPauseMs(inRow))
  }
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('[SCALE22] a worker that served for half a minute is replaced at once, however often others ended', () => {
  expect(endsInRow(7, 30_000)).toBe(1)
})
