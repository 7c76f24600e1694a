import { expect, test } from 'vitest'
import { shownName } from '../src/shared/language/shown-name.ts'

test('[UI31] a name of a file stands on one line, and nothing in it turns others around unseen', () => {
  expect(shownName('two\nlines\t.txt')).toBe('two␊lines␉.txt')
  expect(shownName('photo\u202egpj.exe')).toBe('photo‹U+202E›gpj.exe')
  expect(shownName('a\u200bb.ts')).toBe('a‹U+200B›b.ts')
  expect(shownName('ünïcode 🐻.md')).toBe('ünïcode 🐻.md')
})
