import { expect, test } from 'vitest'
import { askedAct, diffOfAct } from '../src/tools/asked-act.ts'
import { diffOfInput } from '../src/tools/lines/diff-of.ts'

test('[UI17] reads what a call would do out of its input', () => {
  expect(askedAct({ command: 'npm test', folder: 'web', timeout_ms: 1 })).toEqual({
    type: 'command',
    line: 'npm test',
    folder: 'web',
    isBackground: false,
  })
  expect(askedAct({ url: 'https://example.org/a?b=c' })).toMatchObject({ type: 'page', host: 'example.org' })
  expect(askedAct({ path: 'a.txt', content: 'x' })).toMatchObject({ type: 'write', path: 'a.txt' })
  expect(askedAct({ path: 'a.txt', old_text: 'x', new_text: 'y' })).toMatchObject({ type: 'edit' })
  expect(askedAct({ title: 'A task', depth: 2, list: [1] })).toEqual({
    type: 'other',
    values: [
      { name: 'title', value: 'A task' },
      { name: 'depth', value: '2' },
    ],
  })
  expect(askedAct('not an object')).toEqual({ type: 'other', values: [] })
})

test('[UI17] an edit has the numbers of the lines that it changes in the file', () => {
  const { lines } = diffOfAct(
    { type: 'edit', path: 'a', before: 'two\nthree', after: 'two\n3' },
    'one\ntwo\nthree\nfour',
  )
  expect(lines).toEqual([
    { type: 'same', text: 'two', number: 2 },
    { type: 'removed', text: 'three', number: 3 },
    { type: 'added', text: '3', number: 3 },
  ])
})

test('[UI17] what is written over a file is shown as a change of it, with the lines around', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
  const after = before.with(9, 'another line')
  const { lines } = diffOfAct({ type: 'write', path: 'a', content: after.join('\n') }, before.join('\n'))
  expect(lines.map(({ type, number }) => `${type} ${number}`)).toEqual([
    'place null',
    'same 7',
    'same 8',
    'same 9',
    'removed 10',
    'added 10',
    'same 11',
    'same 12',
    'same 13',
    'place null',
  ])
})

test('[UI17] what is written to a new file is all added', () => {
  const { lines } = diffOfAct({ type: 'write', path: 'a', content: 'one\ntwo' }, null)
  expect(lines.map(({ type, text }) => [type, text])).toEqual([
    ['added', 'one'],
    ['added', 'two'],
  ])
})

test('[AGENT68] the edits of one call are shown as one change, each below the name of its file', () => {
  const changes = [
    { path: 'a.txt', oldText: 'one', newText: 'two' },
    { path: 'b.txt', oldText: '', newText: 'new' },
  ]
  const lines = [
    { type: 'place', text: 'a.txt', number: null },
    { type: 'removed', text: 'one', number: null },
    { type: 'added', text: 'two', number: null },
    { type: 'place', text: 'b.txt', number: null },
    { type: 'added', text: 'new', number: null },
  ]
  expect(askedAct({ title: 'x', path: 'a.txt', changes })).toEqual({
    type: 'edits',
    count: 2,
    diff: { lines, isAtMost: false },
  })
  expect(diffOfInput({ title: 'x', path: 'a.txt', changes })).toEqual({ lines, isAtMost: false })
})
