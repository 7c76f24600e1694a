import { doInParts } from '@holdfast/conversation'
import { expect, test } from 'vitest'

test('[PERM9] long work lets others work between its parts, and comes to its result', async () => {
  let now = 0
  const others: number[] = []
  const waiting: (() => void)[] = []
  const clock = {
    monotonicMs: () => now,
    after(_: number, run: () => void) {
      waiting.push(run)
      return () => {}
    },
  }
  function* work(): Generator<undefined, string, undefined> {
    for (let part = 0; part < 100; part += 1) {
      now += 1
      yield
    }
    return 'done'
  }
  let result: string | null = null
  const working = doInParts(work(), clock).then((value) => {
    result = value
  })
  while (result === null) {
    others.push(now)
    for (const run of waiting.splice(0)) run()
    await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await working
  expect(result).toBe('done')
  expect(others.length).toBeGreaterThanOrEqual(20)
  expect(Math.max(...others.slice(1).map((at, index) => at - (others[index] ?? 0)))).toBeLessThanOrEqual(6)
})
