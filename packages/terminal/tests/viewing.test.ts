import { expect, test } from 'vitest'
import { createViewing, VIEWING_LIMITS } from '../src/keeper/viewing.ts'

function open() {
  const sent: { text: string; end: number }[] = []
  const calls = { ready: 0, ahead: 0 }
  const viewing = createViewing({
    send: (output) => void sent.push(output),
    onReady: () => void calls.ready++,
    onAhead: () => void calls.ahead++,
  })
  const text = () => sent.map((one) => one.text).join('')
  return { viewing, sent, text, calls }
}

test('[WS28] a viewer is sent no more than it has drawn and a little, in pieces, in order', () => {
  const { viewing, sent, text, calls } = open()
  viewing.begin('')
  const whole = Array.from({ length: 400_000 }, (_, at) => String(at % 10)).join('')
  viewing.add(whole)
  expect(text().length).toBe(VIEWING_LIMITS.onTheWay)
  expect(viewing.isBehind()).toBe(true)
  viewing.read(sent[0]?.end ?? 0)
  expect(text().length).toBe(VIEWING_LIMITS.onTheWay + VIEWING_LIMITS.piece)
  for (let at = 1; at < sent.length; at++) viewing.read(sent[at]?.end ?? 0)
  expect(text()).toBe(whole)
  expect(sent.every((one) => one.text.length <= VIEWING_LIMITS.piece)).toBe(true)
  expect(calls.ahead).toBe(1)
})

test('[WS28] a viewer that falls far behind is told the whole screen when it has drawn what it was sent', () => {
  const { viewing, sent, calls } = open()
  viewing.begin('')
  viewing.add('x'.repeat(VIEWING_LIMITS.onTheWay + VIEWING_LIMITS.lost + 1))
  expect(viewing.isLost()).toBe(true)
  const before = sent.length
  viewing.add('more')
  expect(sent.length).toBe(before)
  expect(calls.ready).toBe(0)
  viewing.read(sent.at(-1)?.end ?? 0)
  expect(calls.ready).toBe(1)
  viewing.begin('the screen')
  viewing.add(' and what follows')
  expect(sent.slice(before).map(({ text }) => text)).toEqual(['the screen', ' and what follows'])
})

test('[WS29] no character is torn between two pieces', () => {
  const { viewing, sent } = open()
  viewing.begin('')
  viewing.add(`x${'😀'.repeat(VIEWING_LIMITS.piece)}`)
  for (let at = 0; at < sent.length; at++) viewing.read(sent[at]?.end ?? 0)
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.every(({ text }) => text.isWellFormed())).toBe(true)
})
