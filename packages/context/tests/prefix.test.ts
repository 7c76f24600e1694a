import {
  boundariesBetween,
  boundariesOf,
  canonicalText,
  composeRequest,
  untilOpenCalls,
  validateRequest,
} from '@holdfast/context'
import type { Entry, EntryOf } from '@holdfast/conversation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPUS, requestOf, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { arbitraryRunLog, sent } from './run-log.ts'

/** The requests of a log as they went out: each is built from what stood before its `step-started`. */
function turnRequests(log: readonly Entry[]): { readonly seq: number; readonly text: string }[] {
  return log
    .filter((entry): entry is EntryOf<'step-started'> => entry.type === 'step-started' && entry.purpose === 'turn')
    .map((step) => ({ seq: step.seq, text: canonicalText(requestOf(log.slice(0, step.seq - 1), step)) }))
}

describe('every request of a generated log', () => {
  it('[REQ2] is valid where a run sent it', () => {
    fc.assert(
      fc.property(arbitraryRunLog, (log) => {
        for (const entry of log) {
          if (entry.type !== 'step-started' || entry.purpose !== 'turn') continue
          expect(validateRequest(requestOf(log.slice(0, entry.seq - 1), entry))).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('[REQ2] is valid at every other place too, once its open calls are settled and somebody says something', () => {
    fc.assert(
      fc.property(arbitraryRunLog, fc.nat(1_000), (log, pick) => {
        const prefix = log.slice(0, (pick % log.length) + 1)
        const last = prefix.at(-1)
        if (!last) throw new Error('A generated log is empty')
        const asked = {
          ...sent('run_next', 'input_next', 'Go on'),
          conversationId: 'a',
          at: 9_000,
          v: 1,
          seq: last.seq + 1,
        }
        const entries = [...untilOpenCalls(onPath(prefix)), asked]
        expect(validateRequest(composeRequest({ ...sourceOf(prefix, OPUS), entries }).request)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('[REQ3] holds nothing of titles, summaries, failures, permissions and late results', () => {
    fc.assert(
      fc.property(arbitraryRunLog, (log) => {
        for (const { text } of turnRequests(log)) expect(text).not.toMatch(/[Nn]ever sent/)
      }),
    )
  })

  it('[REQ5] begins with the one before, unless a boundary stands between', () => {
    let grown = 0
    let broken = 0
    fc.assert(
      fc.property(arbitraryRunLog, (log) => {
        const boundaries = boundariesOf(log)
        let before: { readonly seq: number; readonly text: string } | null = null
        for (const request of turnRequests(log)) {
          if (before) {
            const between = boundariesBetween(boundaries, { afterSeq: before.seq, toSeq: request.seq })
            if (between.length > 0) broken++
            else {
              grown++
              expect(request.text.startsWith(before.text)).toBe(true)
            }
          }
          before = request
        }
      }),
      { numRuns: 400 },
    )
    expect(grown).toBeGreaterThan(200)
    expect(broken).toBeGreaterThan(50)
  })

  it('[REQ5] never says before an answer what was said after its request had gone out', () => {
    let compared = 0
    fc.assert(
      fc.property(arbitraryRunLog, (log) => {
        const boundaries = boundariesOf(log)
        for (const step of log) {
          if (step.type !== 'step-started' || step.purpose !== 'turn') continue
          const finished = log.find((entry) => entry.type === 'step-finished' && entry.stepId === step.stepId)
          const between = boundariesBetween(boundaries, { afterSeq: step.seq, toSeq: log.length })
          if (!finished || between.length > 0) continue
          const { messages } = composeRequest(sourceOf(log, step))
          const answer = messages.findIndex(
            ({ seqs, message }) => message.role === 'assistant' && seqs.includes(finished.seq),
          )
          if (answer < 0) continue
          compared++
          const before = messages.slice(0, answer).map(({ message }) => message)
          expect(before).toEqual(requestOf(log.slice(0, step.seq - 1), step).messages)
        }
      }),
      { numRuns: 300 },
    )
    expect(compared).toBeGreaterThan(100)
  })
})
