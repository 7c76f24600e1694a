import { expect, test } from 'vitest'
import { readMention } from '../src/cli/acts/mentioned.ts'

test('[UI20, CLI2] what goes along is named on the line, and what is none is said with what would be one', () => {
  expect(
    ['file:src/a.ts', 'file:src/a.ts:3-9', 'file:c:/a b.ts', 'tool:read', 'conversation:last'].map(readMention),
  ).toEqual([
    { kind: 'file', id: 'src/a.ts' },
    { kind: 'file', id: 'src/a.ts', lines: { from: 3, to: 9 } },
    { kind: 'file', id: 'c:/a b.ts' },
    { kind: 'tool', id: 'read' },
    { kind: 'conversation', id: 'last' },
  ])
  for (const wrong of ['src/a.ts', 'planet:mars', 'file:', ':a', ''])
    expect(() => readMention(wrong)).toThrow(/names nothing: give file:PATH/)
  for (const wrong of ['file:a.ts:0-3', 'file:a.ts:9-3']) expect(() => readMention(wrong)).toThrow(/no such lines/)
})
