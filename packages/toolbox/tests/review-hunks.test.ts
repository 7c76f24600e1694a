import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fateOf,
  mergeReplacements,
  type Rejected,
  rejections,
  replaceLines,
  replacementsSince,
} from '../src/review/chosen-lines.ts'
import { type Hunk, hunksOf } from '../src/review/hunks.ts'
import { lineEdits } from '../src/review/line-edits.ts'
import { exactText, joinLines, splitLines } from '../src/review/text-lines.ts'

const COUNT = process.env['HOLDFAST_FULL'] === '1' ? 1_000 : 200

/** A text of few different lines, so that lines repeat, with any line ends, with an end of the last line or without. */
const line = fc.constantFrom('a', 'b', '}', '', '  return', 'été\t', '\ufeffx', 'tail\r', '\\ No newline')
const text = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 40 }), fc.constantFrom('', 'last', 'a'))
  .map(([lines, last]) => `${lines.map(([words, end]) => words + end).join('')}${last}`)

/** What edits make of a text: lines that go, come and change here and there. */
const edited = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.array(line, { maxLength: 4 })), { maxLength: 6 }))
  .map(([before, acts]) => {
    const lines = [...splitLines(before)]
    for (const [at, goes, comes] of acts)
      lines.splice(lines.length === 0 ? 0 : at % (lines.length + 1), goes, ...comes.map((words) => `${words}\n`))
    return { before, after: joinLines(lines) }
  })

interface Compared {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly hunks: readonly Hunk[]
}

function compare(old: string, next: string): Compared {
  const [before, after] = [splitLines(old), splitLines(next)]
  return { before, after, hunks: hunksOf({ path: 'a.txt', before, after, edits: lineEdits(before, after) }) }
}

function choose(compared: Compared, rejected: Rejected): string {
  return joinLines(replaceLines(compared.after, rejections(compared, compared.hunks, rejected)))
}

/** The text that hunks show, where a choice stands: a model that knows of patches only what is on the screen. */
function patched({ before, hunks }: Compared, rejected: Rejected): string {
  const out: string[] = []
  let at = 0
  for (const { id, oldStart, lines } of hunks) {
    const from = Math.max(0, oldStart - 1)
    out.push(...before.slice(at, from))
    at = from
    const chosen = rejected.get(id)
    for (const [index, shown] of lines.entries()) {
      if (shown.startsWith('\\')) continue
      const end = lines[index + 1]?.startsWith('\\') ? '' : '\n'
      const isRejected = chosen === 'all' || chosen?.has(index) === true
      if (!shown.startsWith('+')) at += 1
      if (shown.startsWith(' ') || shown.startsWith('-') === isRejected) out.push(`${shown.slice(1)}${end}`)
    }
  }
  out.push(...before.slice(at))
  return joinLines(out)
}

const allOf = ({ hunks }: Compared): Rejected => new Map(hunks.map(({ id }) => [id, 'all']))

describe('hunks', () => {
  it(`[WS20] rejecting all gives the text before, keeping all the text after, any choice the patch that it shows (${COUNT} random edits)`, () => {
    fc.assert(
      fc.property(
        edited,
        fc.infiniteStream(fc.constantFrom('keep', 'reject', 'some')),
        fc.infiniteStream(fc.boolean()),
        ({ before, after }, acts, coins) => {
          const compared = compare(before, after)
          expect(choose(compared, new Map())).toBe(after)
          expect(choose(compared, allOf(compared))).toBe(before)
          const rejected: Rejected = new Map(
            compared.hunks.flatMap(({ id, edits }): [string, 'all' | ReadonlySet<number>][] => {
              const act = acts.next().value
              if (act === 'keep') return []
              if (act === 'reject') return [[id, 'all']]
              const changed = edits.flatMap(({ oldAt, newAt }) => [...oldAt, ...newAt])
              return [[id, new Set(changed.filter(() => coins.next().value))]]
            }),
          )
          expect(choose(compared, rejected)).toBe(patched(compared, rejected))
          expect(new Set(compared.hunks.map(({ id }) => id)).size).toBe(compared.hunks.length)
        },
      ),
      { numRuns: COUNT },
    )
  })

  it(`[WS21] what somebody else changed since is merged without a lost byte, or refused (${COUNT} random edits)`, () => {
    fc.assert(
      fc.property(edited, fc.nat(), line, ({ before, after }, at, words) => {
        const compared = compare(before, after)
        if (compared.after.length === 0) return
        const place = at % compared.after.length
        const mine = joinLines(compared.after.toSpliced(place, 0, `MINE ${words}\n`))
        const since = replacementsSince(compared.after, splitLines(mine))
        const merged = mergeReplacements(since, rejections(compared, compared.hunks, allOf(compared)))
        if (merged === null) return
        const text = joinLines(replaceLines(compared.after, merged))
        expect(text).toContain(`MINE ${words}\n`)
        expect(text.replace(`MINE ${words}\n`, '')).toBe(before)
      }),
      { numRuns: COUNT },
    )
  })

  it('[WS21] knows of a hunk whether it is there, was taken back, or was written over by something else', () => {
    const compared = compare('one\ntwo\nthree\n', 'one\nTWO\nthree\n')
    const [hunk] = compared.hunks
    if (hunk === undefined) throw new Error('There is no hunk')
    const fate = (now: string) => fateOf(hunk, compared.before, replacementsSince(compared.after, splitLines(now)))
    expect(fate('one\nTWO\nthree\n')).toBe('there')
    expect(fate('one\nTWO\nthree\nfour\n')).toBe('there')
    expect(fate('one\ntwo\nthree\n')).toBe('taken-back')
    expect(fate('one\nmine\nthree\n')).toBe('overwritten')
    expect(fate('')).toBe('overwritten')
  })

  it('[WS20] a text is its lines again, byte for byte, with marks, lone carriage returns and missing ends', () => {
    const bytes = new TextEncoder().encode('\ufeffone\r\ntwo\rstill two\n\nlast')
    expect(new TextEncoder().encode(joinLines(splitLines(exactText(bytes) ?? '')))).toEqual(bytes)
    expect(exactText(Uint8Array.of(0xff, 0xfe))).toBe(null)
    expect(exactText(Uint8Array.of(65, 0))).toBe(null)
  })

  it('[WS20] shows a missing end of the last line, as git does', () => {
    const { hunks } = compare('a\nb', 'a\nb\n')
    expect(hunks[0]?.lines).toEqual([' a', '-b', '\\ No newline at end of file', '+b'])
  })

  it('[WS24] compares 50,000 lines that have nothing in common in bounded steps', () => {
    const lines = (word: string) => Array.from({ length: 50_000 }, (_, index) => `${word}${index % 7}\n`)
    expect(lineEdits(lines('a'), lines('b'))).toEqual([{ oldStart: 0, oldEnd: 50_000, newStart: 0, newEnd: 50_000 }])
  })
})
