import { readStack, signatureOf } from '@holdfast/preview-source'
import { expect, it } from 'vitest'

const thrown = {
  kind: 'thrown',
  name: 'TypeError',
  message: 'Item 17 of https://shop.example/api/items?page=2 has no price (id 3f9c21aa04)',
  place: { file: 'src/cart.ts', line: 12 },
}

it('[PREV5] errors are the same where only numbers, addresses, hashes, spaces and the line differ', () => {
  const same = {
    ...thrown,
    message: 'Item 4 of  http://localhost:5173/api/items?page=93 has no price (id 00aa11bb22cc)',
    place: { file: 'src/cart.ts', line: 900 },
  }
  expect(signatureOf(same)).toBe(signatureOf(thrown))
})

it.each([
  ['class', { name: 'RangeError' }],
  ['kind', { kind: 'rejected' }],
  ['words', { message: 'Item 17 has no name' }],
  ['file', { place: { file: 'src/shop.ts', line: 12 } }],
  ['place at all', { place: null }],
])('[PREV5] errors of another %s are others', (_, change) => {
  expect(signatureOf({ ...thrown, ...change })).not.toBe(signatureOf(thrown))
})

it('[PREV5] a stack is read as Chromium, Firefox and Safari write it, and what is no place is left out', () => {
  const stack = [
    'TypeError: at first glance (no place:here)',
    '    at total (http://shop.localhost:4748/src/cart.ts?t=1:12:7)',
    '    at http://shop.localhost:4748/src/main.ts:3:1',
    '    at new Promise (<anonymous>)',
    'total@http://shop.localhost:4748/src/cart.ts:12:7',
    '@http://shop.localhost:4748/src/main.ts:3:1',
    `at long (http://shop.localhost:4748/${'a'.repeat(3_000)}:1:1)`,
  ].join('\n')
  const [cart, main] = ['http://shop.localhost:4748/src/cart.ts', 'http://shop.localhost:4748/src/main.ts']
  expect(readStack(stack)).toEqual([
    { name: 'total', address: `${cart}?t=1`, line: 12, column: 7 },
    { name: null, address: main, line: 3, column: 1 },
    { name: 'total', address: cart, line: 12, column: 7 },
    { name: null, address: main, line: 3, column: 1 },
  ])
  expect(readStack('    at a (http://x/a.js:1:1)\n'.repeat(1_000))).toHaveLength(40)
})
