import { afterEach, expect, test, vi } from 'vitest'
import { untilSignal } from '../src/serving/until-signal.ts'

afterEach(() => void vi.restoreAllMocks())

/** Listens, and says what was asked by then. */
function listening() {
  const heard = new Map<string | symbol, (signal: NodeJS.Signals) => void>()
  vi.spyOn(process, 'on').mockImplementation((signal: string | symbol, listener: (signal: NodeJS.Signals) => void) => {
    heard.set(signal, listener)
    return process
  })
  const { first, second } = untilSignal()
  const told: string[] = []
  void first.then(() => told.push('first'))
  void second.then(() => told.push('second'))
  return {
    async send(signal: NodeJS.Signals) {
      heard.get(signal)?.(signal)
      await Promise.resolve()
      return told
    },
  }
}

test('[LOG8] a SIGTERM that comes twice at once, as from `timeout`, asks; one that comes later insists', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const { send } = listening()
  expect(await send('SIGTERM')).toEqual(['first'])
  expect(await send('SIGTERM')).toEqual(['first'])
  clock.mockReturnValue(1_500)
  expect(await send('SIGTERM')).toEqual(['first', 'second'])
})

test('[LOG8] a second Ctrl+C insists, however soon, and so does one after a SIGTERM', async () => {
  for (const signals of [
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGINT'],
  ] as const) {
    const { send } = listening()
    expect(await send(signals[0])).toEqual(['first'])
    expect(await send(signals[1])).toEqual(['first', 'second'])
    vi.restoreAllMocks()
  }
})
