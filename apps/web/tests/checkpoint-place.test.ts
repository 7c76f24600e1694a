import { transcript } from '@holdfast/conversation'
import { checkpointMade, logOf, wholeTurn } from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { type CheckpointPart, type TurnPart, withCheckpointInPlace } from '../src/thread/thread-parts.ts'

function turn(number: number, isUnsent: boolean): TurnPart {
  const { items } = transcript.reduce(
    transcript.initial,
    logOf('c', wholeTurn(number, { asked: 'Why?', answered: '.' })),
  )
  return { type: 'turn', runId: `run_${number}`, items, end: null, keptSeq: 0, branch: null, isUnsent }
}

function checkpoint(counts: boolean): CheckpointPart {
  const log = logOf('c', [
    ...wholeTurn(1, { asked: 'Why?', answered: '.' }),
    checkpointMade({ fromSeq: 1, toSeq: 2 }, 'So'),
  ])
  const item = transcript.reduce(transcript.initial, log).items.find(({ role }) => role === 'summary')
  if (item?.role !== 'summary') throw new Error('There is no summary in the transcript')
  return { type: 'checkpoint', item, counts, coveredCount: 2, listed: [], figures: null }
}

test('[CHK1] the checkpoint that counts stands where what it covers ends, and one that does not where it was made', () => {
  const [covered, kept, later] = [turn(1, true), turn(2, false), turn(3, false)]
  const [counting, undone] = [checkpoint(true), checkpoint(false)]
  expect(withCheckpointInPlace([covered, kept, counting, later])).toEqual([covered, counting, kept, later])
  expect(withCheckpointInPlace([covered, counting, kept])).toEqual([covered, counting, kept])
  expect(withCheckpointInPlace([covered, kept, undone, later])).toEqual([covered, kept, undone, later])
  expect(withCheckpointInPlace([covered, counting])).toEqual([covered, counting])
})
