import { createTurns } from '@holdfast/conversation'
import { expect, it } from 'vitest'
import { piecesInTurn } from '../src/parts/pieces-in-turn.ts'

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
    for await (const piece of piecesInTurn(pieces(), inTurn)) text += piece
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
  const slow = piecesInTurn(pieces('slow', false), inTurn)
  expect(await slow.next()).toEqual({ done: false, value: 'slow1' })
  const failing = piecesInTurn(pieces('failing', true), inTurn)
  await failing.next()
  await expect(failing.next()).rejects.toThrow('The log is gone')
  const whole: string[] = []
  for await (const piece of piecesInTurn(pieces('other', false), inTurn)) whole.push(piece)
  expect(whole).toEqual(['other1', 'other2'])
  await slow.return(undefined)
  expect(ended).toEqual(['failing', 'other', 'slow'])
})
