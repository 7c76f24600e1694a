import { beforeAll, expect, test } from 'vitest'
import { loadTheRest } from '../src/shared/language/load-words.ts'
import { sayingsOf } from '../src/voice/spoken-text.ts'

beforeAll(async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } })
  await loadTheRest()
})

const said = (text: string) => sayingsOf(text, 0, true).map(({ words }) => words)

test('[VOICE6] sentences are said one by one, without the marks that only the eye needs', () => {
  expect(said('# Result\n\nIt **works**, see `main.ts`. Is it _fast_? 3.5 times!')).toEqual([
    'Result',
    'It works, see main.ts.',
    'Is it fast?',
    '3.5 times!',
  ])
  expect(said('- one\n- [x] two\n1. three\n> quoted')).toEqual(['one', 'two', 'three', 'quoted'])
})

test('[VOICE6] code, tables, formulas and addresses are named, not spelled out', () => {
  expect(said('Look:\n\n```ts\nconst a = 1\nconst b = 2\n```\n\nDone.')).toEqual([
    'Look:',
    'A block of ts, 2 lines.',
    'Done.',
  ])
  expect(said('~~~\nplain\n~~~')).toEqual(['A block of code, 1 line.'])
  expect(said('| Name | Price |\n|---|---:|\n| Tea | 3 |\n| Milk | 1 |\n\nCheap.')).toEqual([
    'A table of Name, Price, 2 rows.',
    'Cheap.',
  ])
  expect(said('$$\nx^2\n$$')).toEqual(['A formula.'])
  expect(said('See https://www.example.org/a/very/long?path=1 and [the guide](https://example.org).')).toEqual([
    'See link to example.org and the guide.',
  ])
})

test('[VOICE6] of a text that is being written only what is whole is said, and nothing of it twice, wherever it is cut', () => {
  const text = 'One is here. Two comes!\n\n```js\nlet x\n```\n\n| A |\n|---|\n| 1 |\n\nThree is the last.'
  const whole = said(text)
  expect(whole).toHaveLength(5)
  for (let step = 1; step < 12; step++) {
    const heard: string[] = []
    let at = 0
    for (let length = 0; length < text.length + step; length += step) {
      const isComplete = length >= text.length
      for (const { words, end } of sayingsOf(text.slice(0, length), at, isComplete)) {
        heard.push(words)
        at = end
      }
    }
    expect(heard).toEqual(whole)
  }
})
