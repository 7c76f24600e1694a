import type { RunEnd, ThreadWindow } from '@holdfast/client'
import { activePath, type Entry, type NewEntry, transcript } from '@holdfast/conversation'
import {
  checkpointMade,
  logOf,
  pathRewound,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  usageRecorded,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { expect, test } from 'vitest'
import { threadParts } from '../src/thread/thread-parts.ts'

/** The parts of a log that is here as a whole. */
function partsOf(entries: readonly NewEntry[]) {
  const log = logOf('c', entries)
  const folded = transcript.reduce(transcript.initial, log)
  const window: ThreadWindow = {
    items: folded.items,
    waiting: [],
    firstSeq: 1,
    lastSeq: log.length,
    newest: folded,
    settled: [],
    runEnds: new Map(log.flatMap(endOf)),
    begun: new Set(),
    strays: [],
  }
  return threadParts(window, activePath.reduce(activePath.initial, log))
}

function endOf(entry: Entry): [string, RunEnd][] {
  if (entry.type !== 'run-finished') return []
  return [[entry.runId, { seq: entry.seq, outcome: entry.outcome, reason: null, limit: null }]]
}

const turn = (number: number) => wholeTurn(number, { asked: `Question ${number}`, answered: `Answer ${number}` })
const selected = (headSeq: number): NewEntry => ({ type: 'path-selected', actor: { type: 'engine' }, headSeq })

function setAsideIn(entries: readonly NewEntry[]) {
  return partsOf(entries).flatMap((part) => (part.type === 'line' ? [part.setAside] : []))
}

test('[UI21] an accounting line leads to what it set aside, and says which entries can be erased', () => {
  expect(setAsideIn([...turn(1), ...turn(2), pathRewound(7)])).toEqual([{ lastRunId: 'run_2', seqs: [10, 12] }])
})

test('[UI21] what is on the path again is set aside no more', () => {
  expect(setAsideIn([...turn(1), ...turn(2), pathRewound(7), selected(14)])).toEqual([null])
})

test('[UI21] a rewind on a branch that was taken up again set aside that branch, not what came last in the log', () => {
  // Turn 2 is set aside for turn 3, taken up again, and set aside once more.
  const log = [...turn(1), ...turn(2), pathRewound(7), ...turn(3), selected(14), pathRewound(7)]
  expect(setAsideIn(log)).toEqual([
    { lastRunId: 'run_2', seqs: [10, 12] },
    { lastRunId: 'run_2', seqs: [10, 12] },
  ])
})

test('[UI21] a turn that ended before any reply is led back to as well', () => {
  const stopped = [runStarted('run_2', 'turn'), userMessageSent('run_2', 'i', 'Wait'), runFinished('run_2', 'stopped')]
  expect(setAsideIn([...turn(1), ...stopped, pathRewound(7)])).toEqual([{ lastRunId: 'run_2', seqs: [9] }])
})

test('[UI21] a checkpoint says what the requests held before and after it, and what it cost', () => {
  const asked = [
    stepStarted('run_3', 'step_s', 'checkpoint'),
    stepFinished('run_3', 'step_s', [textBlock('They greeted.')]),
    usageRecorded('run_3', 'step_s', { input: 170, output: 20 }),
  ]
  const made = [...turn(1), ...turn(2), ...asked, checkpointMade({ fromSeq: 1, toSeq: 7 }, 'They greeted.')]
  const figuresOf = (entries: readonly NewEntry[]) =>
    partsOf(entries).flatMap((part) => (part.type === 'checkpoint' ? [part.figures] : []))
  expect(figuresOf(made)).toMatchObject([
    { beforeTokens: 150, afterTokens: null, usages: [{ inputTokens: 170, outputTokens: 20 }] },
  ])
  expect(figuresOf([...made, ...turn(4)])).toMatchObject([{ beforeTokens: 150, afterTokens: 100 }])
})
