import { afterEach, expect, test, vi } from 'vitest'
import { tellAt } from '../src/tools/use-armed.ts'

afterEach(() => vi.unstubAllGlobals())

test('[UI32] what waits for its time is told when it has come, however early a timer fires', () => {
  let now = 1_000
  const waiting: { readonly run: () => void; readonly afterMs: number }[] = []
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('setTimeout', (run: () => void, afterMs: number) => waiting.push({ run, afterMs }))
  const told = vi.fn()
  tellAt(1_600, told)
  now = 1_599.4
  waiting.shift()?.run()
  expect(told).not.toHaveBeenCalled()
  expect(waiting).toMatchObject([{ afterMs: 1 }])
  now = 1_600.4
  waiting.shift()?.run()
  expect(told).toHaveBeenCalledOnce()
  expect(waiting).toEqual([])
})
