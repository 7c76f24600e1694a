import { createKeyedTurns, createTurns } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'

/** Work that ends when it is told to, and writes down when it begins. */
function workOf(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const run = (): Promise<string> => {
    begun.push(name)
    return promise
  }
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) }
}

/** All that could go on by itself has gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('work that is done one after the other', () => {
  it('begins when the one before it has ended', async () => {
    const begun: string[] = []
    const inTurn = createTurns()
    const first = workOf(begun, 'first')
    const second = workOf(begun, 'second')
    const told = [inTurn(first.run), inTurn(second.run)]
    await settled()
    expect(begun).toEqual(['first'])
    first.end()
    second.end()
    expect(await Promise.all(told)).toEqual(['first', 'second'])
    expect(begun).toEqual(['first', 'second'])
  })

  it('goes on after one that failed, and tells only who asked for that', async () => {
    const begun: string[] = []
    const inTurn = createTurns()
    const first = workOf(begun, 'first')
    const failed = inTurn(first.run)
    const second = inTurn(async () => 'second')
    first.fail()
    await expect(failed).rejects.toThrow('first')
    expect(await second).toBe('second')
  })

  it('never begins when its signal fires while it waits, and the next one still waits for the first', async () => {
    const begun: string[] = []
    const inTurn = createTurns()
    const first = workOf(begun, 'first')
    const second = workOf(begun, 'second')
    const third = workOf(begun, 'third')
    const controller = new AbortController()
    const told = inTurn(first.run)
    const left = inTurn(second.run, controller.signal)
    const last = inTurn(third.run)
    controller.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await settled()
    expect(begun).toEqual(['first'])
    first.end()
    third.end()
    expect(await Promise.all([told, last])).toEqual(['first', 'third'])
    expect(begun).toEqual(['first', 'third'])
  })

  it('is not ended by its signal once it has begun', async () => {
    const inTurn = createTurns()
    const controller = new AbortController()
    const work = workOf([], 'work')
    const told = inTurn(work.run, controller.signal)
    await settled()
    controller.abort()
    work.end()
    expect(await told).toBe('work')
  })

  it('waits under its own key alone', async () => {
    const begun: string[] = []
    const inTurn = createKeyedTurns()
    const first = workOf(begun, 'first')
    const second = workOf(begun, 'second')
    const other = workOf(begun, 'other')
    const told = [inTurn('a', first.run), inTurn('a', second.run), inTurn('b', other.run)]
    await settled()
    expect(begun).toEqual(['first', 'other'])
    first.fail()
    await expect(told[0]).rejects.toThrow('first')
    await settled()
    expect(begun).toEqual(['first', 'other', 'second'])
    second.end()
    other.end()
    expect(await Promise.all(told.slice(1))).toEqual(['second', 'other'])
  })
})
