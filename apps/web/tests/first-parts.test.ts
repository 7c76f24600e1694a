import { transcript } from '@holdfast/conversation'
import { logOf, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { firstParts } from '../src/thread/first-parts.ts'
import type { TurnPart } from '../src/thread/thread-parts.ts'

function turnOf(number: number, answered: string): TurnPart {
  const { items } = transcript.reduce(transcript.initial, logOf('c', wholeTurn(number, { asked: 'Why?', answered })))
  return { type: 'turn', runId: `run_${number}`, items, end: null, keptSeq: 0, branch: null, isUnsent: false }
}

test('[PRJ4] the end of a thread that fills the window is drawn first: fewer long turns than short ones, and never none', () => {
  const short = Array.from({ length: 50 }, (_, index) => turnOf(index, 'Yes.'))
  const long = Array.from({ length: 50 }, (_, index) => turnOf(index, 'Because it is so. '.repeat(200)))
  const shown = firstParts(short, 900)
  expect(shown.at(-1)).toBe(short.at(-1))
  // Ninety-six pixels and more each, over one and a half windows.
  expect(shown.length).toBeGreaterThan(8)
  expect(shown.length).toBeLessThan(16)
  expect(firstParts(long, 900)).toEqual(long.slice(-1))
  expect(firstParts(long, 5_000).length).toBeGreaterThan(4)
  expect(firstParts(short.slice(0, 3), 900)).toHaveLength(3)
  expect(firstParts([], 900)).toEqual([])
})
