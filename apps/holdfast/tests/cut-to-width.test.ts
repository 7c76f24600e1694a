import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToWidth } from '../src/cli/terminal/cut-to-width.ts'

test('[CLI6] a line ends where the terminal does, and no mark is torn off its letter', () => {
  expect(cutToWidth('c1  A title', 20)).toBe('c1  A title')
  expect(cutToWidth('c1  A title that is long', 12)).toBe('c1  A title…')
  expect(cutToWidth('日本語の題', 6)).toBe('日本…')
  expect(cutToWidth('ee\u0301ee', 3)).toBe('ee\u0301…')
})

test('[CLI6] whatever a line is, what is shown of it begins it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (line, columns) => {
      const shown = cutToWidth(line, columns)
      expect(shown === line || (shown.endsWith('…') && line.startsWith(shown.slice(0, -1)))).toBe(true)
    }),
  )
})
