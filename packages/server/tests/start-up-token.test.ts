import { createManualClock } from '@holdfast/engine/testing'
import { expect, test } from 'vitest'
import { createStartUpToken } from '../src/door/start-up-token.ts'

test('[SEC20, SCALE4] a code that one process has made opens at another once, and at none of them afterwards', () => {
  const clock = createManualClock()
  const [one, other] = [1, 2].map(() => createStartUpToken({ token: 'a'.repeat(32), clock, run: 'run' }))
  if (!one || !other) throw new Error('There are two')
  const code = one.makeCode()
  other.keepCode(code)
  expect(other.takeCode(code)).toBe(true)
  one.dropCode(code)
  expect(one.takeCode(code)).toBe(false)
  expect(other.takeCode(code)).toBe(false)
})
