import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonLines } from '../src/tools/lines/common-lines.ts'
import { changeCount, type Diff, diffOfInput, diffOfTexts } from '../src/tools/lines/diff-of.ts'
import { extentOf, partsOf } from '../src/tools/lines/parts.ts'

const lineTexts = (length: number, text: (index: number) => string) => Array.from({ length }, (_, at) => text(at))

/** The most lines in common, by the table that everybody knows. */
function mostInCommon(old: readonly string[], now: readonly string[]): number {
  let above = lineTexts(now.length + 1, () => '').map(() => 0)
  for (const line of old) {
    const row = [0]
    for (const [at, other] of now.entries())
      row.push(line === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0))
    above = row
  }
  return above.at(-1) ?? 0
}

/** One side of a change, as text. */
function side(diff: Diff | null, other: 'added' | 'removed'): string {
  const lines = diff?.lines.filter(({ type }) => type !== other) ?? []
  return lines.map(({ text }) => text).join('\n')
}

test('[AGENT79] an edit of 50,000 lines of which every second differs is counted truly, in a moment', () => {
  const old = lineTexts(50_000, (at) => `old ${at}`)
  const now = lineTexts(50_000, (at) => (at % 2 === 0 ? 'new ' : 'old ') + at)
  const begun = performance.now()
  const diff = diffOfInput({ oldText: old.join('\n'), newText: now.join('\n') })
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(diff && changeCount(diff)).toEqual({ added: 25_000, removed: 25_000, isAtMost: false })
})

test('[AGENT79] where few lines repeat without end, the counts say that they are at most so many', () => {
  const old = lineTexts(40_000, (at) => ['', '}', `a ${at}`][at % 3] ?? '')
  const now = lineTexts(40_000, (at) => ['', '}', at % 2 === 0 ? `a ${at}` : `b ${at}`][at % 3] ?? '')
  const diff = diffOfInput({ oldText: old.join('\n'), newText: now.join('\n') })
  const changed = now.filter((text, at) => text !== old[at]).length
  expect(diff && changeCount(diff)).toEqual({ added: changed, removed: changed, isAtMost: true })

  const [zeros, ones] = [(at: number) => String((at * at) % 7), (at: number) => String((at * 3) % 11)]
  const repeated = diffOfInput({
    oldText: lineTexts(20_000, zeros).join('\n'),
    newText: lineTexts(20_000, ones).join('\n'),
  })
  expect(repeated && changeCount(repeated)).toEqual({ added: 20_000, removed: 20_000, isAtMost: true })
})

test('[AGENT79] what is counted is the least that differs, and what is shown makes the one text of the other', () => {
  const text = fc.constantFrom('a', 'b', 'c', 'd', '')
  const texts = fc.array(text, { maxLength: 24 })
  fc.assert(
    fc.property(texts, texts, (old, now) => {
      const most = mostInCommon(old, now)
      const { kept, mayBeMore } = commonLines(old, now)
      expect(kept.every(({ old: from, now: to }) => old[from] === now[to])).toBe(true)
      expect(kept.every((line, at) => at === 0 || isBehind(line, kept[at - 1]))).toBe(true)
      if (!mayBeMore) expect(kept.length).toBe(most)
      expect(kept.length).toBeLessThanOrEqual(most)

      const [before, after] = [[...old, 'x'].join('\n'), [...now, 'x'].join('\n')]
      expect(changeCount(diffOfTexts(before, after))).toEqual({
        added: now.length - most,
        removed: old.length - most,
        isAtMost: false,
      })
    }),
    { numRuns: 400 },
  )
})

test('[AGENT79] texts that differ in many lines are compared as truly as small ones', () => {
  const numbers = fc.array(fc.nat(3_000), { minLength: 450, maxLength: 700 })
  fc.assert(
    fc.property(numbers, numbers, (from, to) => {
      const [old, now] = [
        [...from.map(String), 'x'],
        [...to.map(String), 'x'],
      ]
      const diff = diffOfInput({ oldText: old.join('\n'), newText: now.join('\n') })
      const most = mostInCommon(old, now)
      expect(diff && changeCount(diff)).toEqual({
        added: now.length - most,
        removed: old.length - most,
        isAtMost: false,
      })
    }),
    { numRuns: 20 },
  )
})

const isBehind = (line: { old: number; now: number }, before: { old: number; now: number } | undefined) =>
  before !== undefined && before.old < line.old && before.now < line.now

test('[AGENT79] lines far from every change are left out, and both texts can be read in what is shown', () => {
  const old = lineTexts(30, (at) => `line ${at}`)
  const now = old.with(4, 'four').with(25, 'more')
  const diff = diffOfInput({ oldText: old.join('\n'), newText: now.join('\n') })
  expect(side(diff, 'removed')).toBe(['⋯', ...now.slice(1, 8), '⋯', ...now.slice(22, 29), '⋯'].join('\n'))
  expect(side(diff, 'added')).toBe(['⋯', ...old.slice(1, 8), '⋯', ...old.slice(22, 29), '⋯'].join('\n'))
})

test('[UI122] what is long is shown in small parts, however long its lines are, and nothing of it is lost', () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.nat(9_000).map((length) => '🧵x'.repeat(length)),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(texts, (all) => {
      const parts = partsOf(all.map((text) => ({ text })))
      const rows = parts.flatMap((part) => part.rows)
      expect(rows.map(({ text, isContinued }) => (isContinued ? '' : '\n') + text).join('')).toBe(
        all.map((text) => `\n${text}`).join(''),
      )
      expect(Math.max(0, ...rows.map(({ text }) => text.length))).toBeLessThanOrEqual(2_000)
      expect(rows.every(({ text }) => text.isWellFormed())).toBe(true)
      expect(Math.max(...parts.map((part) => part.characters))).toBeLessThanOrEqual(42_001)
      expect(extentOf(parts)).toEqual({
        lines: all.length,
        characters: all.reduce((sum, text) => sum + text.length + 1, 0),
      })
    }),
    { numRuns: 60 },
  )
  const many = partsOf(lineTexts(1_000, String).map((text) => ({ text })))
  expect(many.map(({ rows }) => rows.length)).toEqual([400, 400, 200])
  expect(extentOf(many.slice(1)).lines).toBe(600)
})
