import { activePath, type Entry, entriesOnPath, isInRanges, pathRanges, rangesUpTo } from '@holdfast/conversation'
import { arbitraryLog, conversationCreated, inputAdmitted, logOf, pathRewound } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** For each entry the path that counted when it was last, kept in full: slow and plain. */
function naivePaths(log: readonly Entry[]): number[][] {
  const paths: number[][] = [[]]
  for (const entry of log) {
    const after =
      entry.type === 'path-rewound' ? entry.toSeq : entry.type === 'path-selected' ? entry.headSeq : entry.seq - 1
    paths.push([...(paths[after] ?? []), entry.seq])
  }
  return paths
}

describe('the active path', () => {
  it('[PRJ6] is that of a plain model which keeps every path in full', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const path = activePath.reduce(activePath.initial, log)
        naivePaths(log).forEach((seqs, seq) => {
          const ranges = rangesUpTo(path, seq)
          expect(entriesOnPath(log, ranges).map((entry) => entry.seq)).toEqual(seqs)
          for (const entry of log) expect(isInRanges(ranges, entry.seq)).toBe(seqs.includes(entry.seq))
        })
        expect(pathRanges(path)).toEqual(rangesUpTo(path, log.length))
      }),
    )
  })

  it('[PRJ6] sets aside what a rewind leaves and brings it back when it is selected', () => {
    const words = (text: string) => inputAdmitted(`input ${text}`, text)
    const log = logOf('a', [
      conversationCreated('user_1'),
      words('one'),
      words('two'),
      pathRewound(2),
      words('other two'),
      { type: 'path-selected', actor: { type: 'engine' }, headSeq: 3 },
    ])
    const onPath = (count: number) => {
      const path = activePath.reduce(activePath.initial, log.slice(0, count))
      return entriesOnPath(log, pathRanges(path)).map(({ seq }) => seq)
    }
    expect(onPath(3)).toEqual([1, 2, 3])
    expect(onPath(5)).toEqual([1, 2, 4, 5])
    expect(onPath(6)).toEqual([1, 2, 3, 6])
  })

  it('[PRJ6] begins anew after a rewind to the beginning', () => {
    const log = logOf('a', [conversationCreated('user_1'), inputAdmitted('input_1', 'gone'), pathRewound(0)])
    expect(pathRanges(activePath.reduce(activePath.initial, log))).toEqual([{ from: 3, to: 3 }])
  })

  it('[SEC5] has an end also in a log that names entries which come later', () => {
    const log = logOf('a', [conversationCreated('user_1'), pathRewound(2), pathRewound(9), pathRewound(3)])
    const ranges = pathRanges(activePath.reduce(activePath.initial, log))
    expect(ranges).toEqual([
      { from: 1, to: 1 },
      { from: 2, to: 2 },
      { from: 3, to: 3 },
      { from: 4, to: 4 },
    ])
  })
})
