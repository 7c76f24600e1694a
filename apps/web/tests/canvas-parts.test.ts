import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelStep, placeOn, scaleFor } from '../src/canvas/chart-scale.ts'
import { drawingElements } from '../src/canvas/drawing-elements.ts'
import { type KeptWidths, withTable } from '../src/canvas/kept-widths.ts'
import { readPartialJson } from '../src/canvas/partial-json.ts'
import { filteredRows, nextSorting, sortedRows, toTabs } from '../src/canvas/sort-rows.ts'

describe('an element that is being written', () => {
  const written = JSON.stringify({
    title: 'Signups "a" \\ \u00e9',
    columns: ['Field', { name: 'Tests', kind: 'number' }],
    rows: [
      ['Name', 3],
      ['E-mail', -5.5e3],
    ],
  })

  it('[CANVAS1] is read as far as it has come, at every place where the stream may stand', () => {
    expect(readPartialJson(written)).toEqual(JSON.parse(written))
    for (let length = 0; length <= written.length; length++) {
      const value = readPartialJson(written.slice(0, length))
      if (value === null) continue
      expect(JSON.stringify(value).startsWith('{')).toBe(true)
    }
    expect(readPartialJson('{"title": "Sig')).toEqual({ title: 'Sig' })
    expect(readPartialJson('{"title": "A", "bo')).toEqual({ title: 'A' })
    expect(readPartialJson('{"title": "A", "rows": [[1, 2], [3')).toMatchObject({ title: 'A' })
    expect(readPartialJson('{"title": "A\\')).toEqual({ title: 'A' })
    expect(readPartialJson('')).toBeNull()
  })

  it('[CANVAS1] keeps what came before a name, a word, a number or a character that is half there', () => {
    expect(readPartialJson('{"a": 1, "b": tr')).toEqual({ a: 1 })
    expect(readPartialJson('{"a": 1, "b": -')).toEqual({ a: 1 })
    expect(readPartialJson('{"a": [1, 2], "b"')).toEqual({ a: [1, 2] })
    expect(readPartialJson('{"a": [{"b": "x, [y"}], ')).toEqual({ a: [{ b: 'x, [y' }] })
    expect(readPartialJson('{"a": "x\\u00')).toEqual({ a: 'x' })
    expect(readPartialJson('{"a": "x\\\\u00')).toEqual({ a: 'x\\u00' })
  })

  it.for([
    ['blanks', (length: number) => `{"title": "A",${' '.repeat(length)}`],
    ['backslashes', (length: number) => `{"title": "${'\\'.repeat(length)}`],
    ['quotes', (length: number) => `{"title": ${'"" '.repeat(length / 3)}`],
    ['commas', (length: number) => `[${','.repeat(length)}`],
    ['rows', (length: number) => `{"rows": [${'["ab", 1], '.repeat(length / 11)}`],
  ] as const)('[SEC5] is read at a cost that grows with its length, of %s too', ([, write]) => {
    const [tenth, whole] = [write(100_000), write(1_000_000)]
    const once = fastestMs(() => readPartialJson(tenth))
    expect(fastestMs(() => readPartialJson(whole))).toBeLessThan(Math.max(12 * once, 100))
  })

  it('[SEC5] is never an error, whatever stands there', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 60 }), fc.json()), fc.nat(60), (text, cut) => {
        expect(() => readPartialJson(text.slice(0, cut))).not.toThrow()
      }),
    )
  })

  it('[CANVAS1] is drawn with its whole rows, and a chart with the values that there are', () => {
    const draw = (name: string, text: string) =>
      drawingElements({
        stepId: 'step_1',
        blocks: [{ start: { type: 'tool-call', callId: 'call_1', name }, text, complete: false }],
      })
    const cut = written.slice(0, written.indexOf('-5500'))
    expect(draw('canvas_show_table', cut)).toMatchObject([{ type: 'table', content: { rows: [['Name', 3]] } }])
    const chart = '{"title":"C","kind":"bar","labels":["a","b","c"],"series":[{"name":"One","values":[1,2'
    expect(draw('canvas_show_chart', chart)).toMatchObject([{ content: { series: [{ values: [1, 2, null] }] } }])
    expect(draw('canvas_show_chart', '{"title":"C","ki')).toMatchObject([{ title: 'C', content: null }])
    expect(draw('shell', '{"title":"C"}')).toEqual([])
  })
})

describe('a table', () => {
  const rows = [
    ['b', 10],
    ['a', 9],
    ['B', null],
    ['a', 100],
  ] as const

  it('[CANVAS3] sorts numbers as numbers, keeps equal rows in their order, and puts empty cells last', () => {
    const by = (column: number, direction: 'ascending' | 'descending') =>
      sortedRows(rows, { column, direction }).map(([word, figure]) => `${word}${figure ?? '-'}`)
    expect(by(1, 'ascending')).toEqual(['a9', 'b10', 'a100', 'B-'])
    expect(by(1, 'descending')).toEqual(['a100', 'b10', 'a9', 'B-'])
    expect(by(0, 'ascending')).toEqual(['a9', 'a100', 'b10', 'B-'])
    expect(sortedRows(rows, null)).toBe(rows)
    const first = nextSorting(null, 1)
    expect(first).toEqual({ column: 1, direction: 'ascending' })
    expect(nextSorting(nextSorting(first, 1), 1)).toBeNull()
  })

  it('[SEC3] is copied so that no cell becomes a formula or another row', () => {
    expect(toTabs([['=1+1', '@x', 'a\tb\nc', -5, true, null]])).toBe("'=1+1\t'@x\ta b c\t-5\tyes\t")
    expect(filteredRows(rows, ' B ')).toEqual([rows[0], rows[2]])
  })
})

describe('the axis of a chart', () => {
  it('[CANVAS1] has round steps that hold every value, and zero', () => {
    expect(scaleFor([9, 52], 4)).toEqual({ min: 0, max: 60, ticks: [0, 20, 40, 60] })
    expect(scaleFor([-3, 4], 4).ticks).toEqual([-4, -2, 0, 2, 4])
    expect(scaleFor([], 4).ticks.length).toBeGreaterThan(1)
    expect(placeOn(scaleFor([-5e-324], 4), -5e-324)).toBe(1)
    expect(scaleFor([-1.7e308, 1.7e308], 4).ticks.every(Number.isFinite)).toBe(true)
    const figures = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 20 }), (values) => {
        const scale = scaleFor(values, 4)
        for (const value of values) {
          expect(placeOn(scale, value)).toBeGreaterThanOrEqual(-1e-6)
          expect(placeOn(scale, value)).toBeLessThanOrEqual(1 + 1e-6)
        }
        expect(scale.ticks.length).toBeLessThan(12)
      }),
    )
    expect(labelStep(100, { widthPx: 500, labelPx: 50 })).toBe(10)
  })
})

describe('widths of columns', () => {
  it('[UI4] are kept for the tables that were changed last, and for none that has its own again', () => {
    let kept: KeptWidths = []
    for (let number = 1; number <= 250; number++) kept = withTable(kept, `c1/table-${number}`, { 0: number })
    expect(kept).toHaveLength(200)
    expect(kept[0]).toEqual({ table: 'c1/table-250', widths: { 0: 250 } })
    kept = withTable(kept, 'c1/table-100', { 0: 64, 2: 80 })
    expect(kept.slice(0, 2).map(({ table }) => table)).toEqual(['c1/table-100', 'c1/table-250'])
    expect(kept.filter(({ table }) => table === 'c1/table-100')).toHaveLength(1)
    expect(withTable(kept, 'c1/table-100', {}).some(({ table }) => table === 'c1/table-100')).toBe(false)
  })
})

/** Of several readings, the one that nothing disturbed. */
function fastestMs(read: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const began = process.threadCpuUsage()
    read()
    const { user, system } = process.threadCpuUsage(began)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}
