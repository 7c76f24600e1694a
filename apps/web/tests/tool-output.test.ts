import { expect, test } from 'vitest'
import { lineCount } from '../src/shared/format.ts'
import { changeCount, diffOfInput, diffOfTexts, parseDiff } from '../src/tools/lines/diff-of.ts'
import { shownText } from '../src/tools/output-of.ts'

test('[TOOL5] what a tool returns is shown as what it is, and anything at all as text', () => {
  expect(shownText('{"a": 1}')).toEqual({ type: 'json', value: { a: 1 } })
  expect(shownText('[{"a": 1, "b": "x"}, {"a": 2}]')).toEqual({
    type: 'table',
    columns: ['a', 'b'],
    rows: [{ a: 1, b: 'x' }, { a: 2 }],
  })
  expect(shownText('[{"a": {}}, {"a": 2}]')).toMatchObject({ type: 'json' })
  expect(shownText('{"a": 1')).toEqual({ type: 'terminal', text: '{"a": 1' })
  expect(shownText('\u001b[31mred\u001b[0m \u001b]0;title\u0007end\n10 %\r 90 %\rdone')).toEqual({
    type: 'terminal',
    text: 'red end\ndone',
  })
  expect(shownText('@@ -1,2 +1,2 @@\n-a\n+b\n c')).toMatchObject({ type: 'diff' })
  expect(shownText('')).toEqual({ type: 'terminal', text: '' })
})

test('[PRJ4] an edit is shown as the lines that come and go', () => {
  const diff = diffOfInput({ path: 'a', old_string: 'one\ntwo\nthree', new_string: 'one\n2\n2b\nthree' })
  expect(diff?.lines.map(({ type, text }) => `${type} ${text}`)).toEqual([
    'same one',
    'removed two',
    'added 2',
    'added 2b',
    'same three',
  ])
  expect(diff && changeCount(diff)).toEqual({ added: 2, removed: 1, isAtMost: false })
  expect(diffOfInput({ old_string: '', new_string: 'a' })?.lines).toEqual([{ type: 'added', text: 'a', number: null }])
  expect(diffOfInput({ path: 'a', content: 'b' })).toBeNull()
  expect(diffOfInput('words')).toBeNull()
  const long = 'x\n'.repeat(5_000)
  expect(diffOfInput({ oldText: long, newText: `${long}y` })?.lines.map(({ type }) => type)).toEqual([
    'place',
    'same',
    'same',
    'same',
    'removed',
    'added',
  ])
})

test('[CLI26] the end of the last line is no line of its own, and is seen where it is what changes', () => {
  expect(changeCount(diffOfTexts('', 'one\ntwo\n'))).toMatchObject({ added: 2, removed: 0 })
  expect(changeCount(diffOfTexts('one\n', 'one\ntwo\n'))).toMatchObject({ added: 1, removed: 0 })
  expect(changeCount(diffOfTexts('one\n', ''))).toMatchObject({ added: 0, removed: 1 })
  expect(changeCount(diffOfTexts('', '\n'))).toMatchObject({ added: 1, removed: 0 })
  expect(changeCount(diffOfTexts('one', 'one\n'))).toMatchObject({ added: 1, removed: 0 })
  expect(['', 'one', 'one\n', 'one\ntwo', '\n', 'one\n\n'].map(lineCount)).toEqual([0, 1, 1, 2, 1, 2])
})

test('[PRJ4] a unified diff keeps the numbers of its lines', () => {
  const lines = parseDiff('--- a/x\n+++ b/x\n@@ -41,3 +41,3 @@\n same\n-old\n+new\n end')
  expect(lines?.slice(3)).toEqual([
    { type: 'same', text: 'same', number: 41 },
    { type: 'removed', text: 'old', number: 42 },
    { type: 'added', text: 'new', number: 42 },
    { type: 'same', text: 'end', number: 43 },
  ])
  expect(parseDiff('- a list\n- of things')).toBeNull()
})
