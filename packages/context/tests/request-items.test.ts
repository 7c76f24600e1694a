import { composeRequest, requestItems, thinkingLeftOut } from '@holdfast/context'
import type { Entry, NewEntry } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { OPUS, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { turnOf, write } from './sized-log.ts'

const engine = { type: 'engine' } as const

function itemsOf(log: readonly Entry[], pinnedSeqs: readonly number[] = [], excludedSeqs: readonly number[] = []) {
  return requestItems(composeRequest(sourceOf(log, OPUS)), {
    entries: onPath(log),
    modelId: OPUS.modelId,
    ratio: 2.5,
    pinnedSeqs,
    excludedSeqs,
  })
}

const turns = [1, 2, 3].map((number) => turnOf(number, { asked: 40, results: [10], answered: 40 }))
const [first = [], second = [], third = []] = turns
const [note]: NewEntry[] = [{ type: 'context-noted', actor: engine, section: 'time', text: 'Noon' }]

describe('the items of a request', () => {
  it('[REQ1] each have their size and the reason for being sent', () => {
    const { items, leftOut } = itemsOf(write(...first, ...second, ...(note ? [note] : [])))
    expect(items.map(({ reasons }) => reasons)).toEqual([
      ...[['whole'], ['whole'], ['whole'], ['whole']],
      ...[['current'], ['current'], ['current'], ['current'], ['note']],
    ])
    expect(items.every(({ tokens, seqs }) => tokens > 0 && seqs.length > 0)).toBe(true)
    expect(leftOut).toEqual([])
  })

  it('[TOOL10] tell which results a person left out, of those that a mark is sent for', () => {
    const log = write(...first, ...second)
    const settled = log.find(({ type }) => type === 'tool-call-settled')?.seq ?? 0
    expect(itemsOf(log, [], [settled, 9_999]).leftOut).toEqual([{ reason: 'excluded', seqs: [settled] }])
  })

  it('[CHK4] tell of a summary, of what it carries over and why, and of what is left out', () => {
    const keptFromSeq = 1 + first.length + second.length + 1
    const carried = [3, 3 + first.length]
    const log = write(...first, ...second, ...third, {
      type: 'checkpoint-made',
      actor: engine,
      source: 'auto',
      summary: 'Said so',
      coversFromSeq: 1,
      coversToSeq: keptFromSeq - 1,
      keptFromSeq,
      verbatimSeqs: carried,
      listedSeqs: [7],
    })
    const { items, leftOut } = itemsOf(log, [3])
    expect(items[0]?.reasons).toEqual(['summary', 'pinned', 'wrote', 'current'])
    expect(items.slice(1).every(({ reasons }) => reasons.join() === 'current')).toBe(true)
    expect(leftOut).toEqual([
      { reason: 'summarised', fromSeq: 1, toSeq: keptFromSeq - 1 },
      { reason: 'not-carried-over', seqs: [7] },
    ])
  })

  it('[WIN7, REQ4] tell of the window, and of thinking that is not sent again', () => {
    const startSeq = 1 + first.length + 1
    const thought = second.map((entry) =>
      entry.type === 'step-finished' && entry.stepId === 'step_2'
        ? { ...entry, blocks: [{ type: 'thinking' as const, text: 'hm' }, ...entry.blocks] }
        : entry,
    )
    const moved: NewEntry = { type: 'window-moved', actor: engine, startSeq, leftOutCount: 2 }
    const log = write(...first, ...thought, moved, ...third)
    const { items, leftOut } = itemsOf(log)
    expect(items[0]?.reasons).toEqual(['note', 'window'])
    const isThought = (entry: Entry) => entry.type === 'step-finished' && entry.stepId === 'step_2'
    expect(thinkingLeftOut(composeRequest(sourceOf(log, OPUS)), onPath(log))).toEqual(
      log.filter(isThought).map(({ seq }) => seq),
    )
    expect(leftOut).toEqual([
      { reason: 'before-window', messageCount: 2 },
      { reason: 'thinking', answerCount: 1 },
    ])
  })
})
