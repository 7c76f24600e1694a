import { createTurns } from '@holdfast/conversation'
import { createManualClock } from '@holdfast/engine/testing'
import { expect, it } from 'vitest'
import { piecesInTurn } from '../src/parts/pieces-in-turn.ts'

const clock = createManualClock()

it('[LOG18] makes one piece at a time of all exports together', async () => {
  const inTurn = createTurns()
  let open = 0
  let most = 0
  async function* pieces(): AsyncGenerator<string> {
    for (const piece of ['a', 'b', 'c']) {
      open += 1
      most = Math.max(most, open)
      await Promise.resolve()
      open -= 1
      yield piece
    }
  }
  const read = async () => {
    let text = ''
    for await (const piece of piecesInTurn(pieces(), { inTurn, clock })) text += piece
    return text
  }
  expect(await Promise.all([read(), read(), read()])).toEqual(['abc', 'abc', 'abc'])
  expect(most).toBe(1)
})

it('[LOG18] lets others go on while a reader takes its time, after one that failed and after one that broke off', async () => {
  const inTurn = createTurns()
  const ended: string[] = []
  async function* pieces(name: string, fails: boolean): AsyncGenerator<string> {
    try {
      yield `${name}1`
      if (fails) throw new Error('The log is gone')
      yield `${name}2`
    } finally {
      ended.push(name)
    }
  }
  const slow = piecesInTurn(pieces('slow', false), { inTurn, clock })
  expect(await slow.next()).toEqual({ done: false, value: 'slow1' })
  const failing = piecesInTurn(pieces('failing', true), { inTurn, clock })
  await failing.next()
  await expect(failing.next()).rejects.toThrow('The log is gone')
  const whole: string[] = []
  for await (const piece of piecesInTurn(pieces('other', false), { inTurn, clock })) whole.push(piece)
  expect(whole).toEqual(['other1', 'other2'])
  await slow.return(undefined)
  expect(ended).toEqual(['failing', 'other', 'slow'])
})

it('[SEC31] has others go on between pieces that take long', async () => {
  let now = 0
  let turns = 0
  const slow = {
    monotonicMs: () => now,
    after(_: number, run: () => void) {
      turns += 1
      setImmediate(run)
      return () => {}
    },
  }
  async function* pieces(): AsyncGenerator<string> {
    for (let piece = 0; piece < 100; piece++) {
      now += 1
      yield 'a'
    }
  }
  let text = ''
  for await (const piece of piecesInTurn(pieces(), { inTurn: createTurns(), clock: slow })) text += piece
  expect(text).toBe('a'.repeat(100))
  expect(turns).toBeGreaterThanOrEqual(19)
})
