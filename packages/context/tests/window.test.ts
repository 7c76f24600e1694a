import {
  canonicalText,
  carriedByCheckpoint,
  checkpointDueTokens,
  composeRequest,
  exchangesOf,
  headOfPath,
  irreducibleParts,
  itemLimitChars,
  limitProblems,
  NOTHING_READ,
  notedFacts,
  planWindow,
  readBack,
  sizedExchanges,
  startSeqOf,
  validateRequest,
  windowBudget,
} from '@holdfast/context'
import type { Entry, NewEntry } from '@holdfast/conversation'
import { runStarted } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPUS, requestOf, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { arbitraryRunLog, sent, tool } from './run-log.ts'
import { LIMITS, planningFrom, textOf, turnOf, write } from './sized-log.ts'

const engine = { type: 'engine' } as const

function moved(plan: ReturnType<typeof planWindow>): NewEntry {
  if (plan.type !== 'move') throw new Error(`The window does not move: ${plan.type}`)
  return { type: 'window-moved', actor: engine, ...plan.moved }
}

/** Turns of 1,000 tokens each. */
function turns(count: number): NewEntry[] {
  return Array.from({ length: count }, (_, index) =>
    turnOf(index + 1, { asked: 400, results: [100], answered: 400 }),
  ).flat()
}

describe('exchanges', () => {
  it('[WIN2] begin with their run and hold what steers it, and side runs begin none', () => {
    const log = write(
      ...turnOf(1, { asked: 1, results: [1], answered: 1 }),
      runStarted('run_title', 'title'),
      runStarted('run_2', 'turn'),
      sent('run_2', 'input_2', 'Hi'),
      sent('run_2', 'input_3', 'and so'),
    )
    const [first, second] = exchangesOf(log)
    expect(first).toMatchObject({ startSeq: 2, endSeq: 10, inputSeqs: [3], stepSeqs: [4, 7] })
    expect(second).toMatchObject({ startSeq: 11, endSeq: 13, inputSeqs: [12, 13], stepSeqs: [] })
  })
})

describe('the window', () => {
  it('[WIN1] has for exchanges what system, tools, the opening and the answer leave', () => {
    const log = write(
      { type: 'tools-changed', actor: engine, hash: 'a', definitions: [tool('read')] },
      { type: 'settings-changed', actor: engine, changes: { instructions: textOf(500) } },
      ...turns(2),
    )
    const budget = windowBudget(planningFrom(log, LIMITS))
    expect(budget.systemTokens).toBe(500)
    expect(budget.toolTokens).toBeGreaterThan(20)
    expect(budget.budgetTokens).toBe(10_000 - 2_000 - 500 - budget.toolTokens)
  })

  it('[WIN1] has limits that are in order, and says what is wrong with others', () => {
    expect(limitProblems(LIMITS)).toEqual([])
    expect(checkpointDueTokens(LIMITS)).toBe(7_200)
    expect(checkpointDueTokens({ ...LIMITS, reservedOutputTokens: 100 })).toBe(7_500)
    for (const wrong of [
      { windowTokens: 0 },
      { reservedOutputTokens: 10_000 },
      { keptShare: 0.7 },
      { checkpointMostTokens: 400 },
      { checkpointShare: 0.3 },
    ])
      expect(limitProblems({ ...LIMITS, ...wrong }), JSON.stringify(wrong)).not.toEqual([])
    expect(limitProblems({ ...LIMITS, checkpointShare: 0.3 })[0]).toContain('it would never make room')
  })

  it('[WIN1] names what cannot be left out when that alone is too large', () => {
    const log = write(...turns(3), runStarted('run_9', 'turn'), sent('run_9', 'input_9', textOf(9_000)))
    expect(irreducibleParts(planningFrom(log, LIMITS))).toEqual([{ name: 'input', tokens: expect.any(Number) }])
    expect(irreducibleParts(planningFrom(write(...turns(30)), LIMITS))).toBeNull()
  })

  it('[WIN2] stays while everything fits', () => {
    expect(planWindow(planningFrom(write(...turns(6)), LIMITS))).toEqual({ type: 'fits' })
  })

  it('[WIN4] moves by a quarter of the budget at least, and then stays for some turns', () => {
    let log: NewEntry[] = []
    const moves: number[] = []
    for (let number = 1; number <= 40; number++) {
      log = [...log, ...turnOf(number, { asked: 400, results: [100], answered: 400 })]
      const plan = planWindow(planningFrom(write(...log), LIMITS))
      expect(plan.type).not.toBe('too-large')
      if (plan.type !== 'move') continue
      expect(plan.fits).toBe(true)
      moves.push(number)
      log = [...log, moved(plan)]
      expect(planWindow(planningFrom(write(...log), LIMITS))).toEqual({ type: 'fits' })
    }
    expect(moves.length).toBeGreaterThan(5)
    expect(Math.min(...moves.slice(1).map((number, index) => number - (moves[index] ?? 0)))).toBeGreaterThanOrEqual(2)
  })

  it('[WIN2] starts with an exchange, holds the newest ones, and always the current one', () => {
    const log = write(...turns(12))
    const next = write(...turns(12), moved(planWindow(planningFrom(log, LIMITS))))
    const texts = JSON.stringify(requestOf(next).messages)
    expect(requestOf(next).messages[0]).toMatchObject({
      role: 'user',
      parts: [{}, { text: expect.stringContaining('asked ') }],
    })
    expect(texts).toContain('answered 12')
    expect(texts).not.toContain('answered 5 ')
    const large = write(...turns(3), runStarted('run_9', 'turn'), sent('run_9', 'input_9', textOf(9_000)))
    const plan = planWindow(planningFrom(large, LIMITS))
    expect(plan).toMatchObject({ type: 'move', fits: false })
    const only = write(runStarted('run_9', 'turn'), sent('run_9', 'input_9', textOf(9_000)))
    expect(planWindow(planningFrom(only, LIMITS))).toMatchObject({ type: 'too-large', parts: [{ name: 'input' }] })
  })

  it('[WIN7] counts the messages that are left out, over all moves', () => {
    const log = turns(12)
    const first = moved(planWindow(planningFrom(write(...log), LIMITS)))
    const more = Array.from({ length: 8 }, (_, index) =>
      turnOf(index + 13, { asked: 400, results: [100], answered: 400 }),
    ).flat()
    const plan = planWindow(planningFrom(write(...log, first, ...more), LIMITS))
    if (plan.type !== 'move' || first.type !== 'window-moved') throw new Error('The window does not move')
    const sentCount = (seq: number): number =>
      write(...log, first, ...more).filter(
        (entry) => entry.seq < seq && (entry.type === 'user-message-sent' || entry.type === 'step-finished'),
      ).length
    expect(first.leftOutCount).toBe(sentCount(first.startSeq))
    expect(plan.moved.leftOutCount).toBe(sentCount(plan.moved.startSeq))
  })

  it('[WIN4] goes on holding the summary, and counts each exchange where it stands', () => {
    const checkpoint: NewEntry = {
      type: 'checkpoint-made',
      actor: engine,
      source: 'auto',
      coversFromSeq: 1,
      coversToSeq: 9,
      keptFromSeq: 10,
      summary: 'They began.',
      verbatimSeqs: [3],
    }
    const log = [...turns(12), checkpoint]
    const source = planningFrom(write(...log), LIMITS)
    expect(sizedExchanges(source).map(({ tokens }) => tokens > 800 && tokens < 1_200)).toEqual(
      Array.from({ length: 11 }, () => true),
    )
    const after = requestOf(write(...log, moved(planWindow(source))))
    expect(JSON.stringify(after.messages[0])).toMatch(/They began.*asked 1 .*earlier messages are not shown/)
  })

  it('[WIN3] sends an excerpt of a huge message, so that the window is never empty', () => {
    expect(itemLimitChars(null)).toBe(50_000)
    expect(itemLimitChars(1_000_000)).toBe(50_000)
    expect(itemLimitChars(10_000)).toBe(5_000)
    const source = sourceOf(
      write(...turns(2), runStarted('run_9', 'turn'), sent('run_9', 'input_9', textOf(200_000))),
      OPUS,
    )
    const request = composeRequest({
      ...source,
      settings: { ...source.settings, itemLimitChars: itemLimitChars(10_000) },
    }).request
    const last = request.messages.at(-1)
    const text = last?.role === 'user' && last.parts[0]?.type === 'text' ? last.parts[0].text : ''
    expect(text.length).toBeLessThan(5_200)
    expect(text).toContain('read_result {"seq":')
  })

  it('[REQ6] keeps the newest note of a section at a boundary, and says what the model has been told', () => {
    const note = (section: 'time' | 'canvas', text: string): NewEntry => ({
      type: 'context-noted',
      actor: engine,
      section,
      text,
    })
    const kept = [
      note('time', 'Monday'),
      note('canvas', 'empty'),
      note('time', 'Tuesday'),
      ...turnOf(2, { asked: 1, results: [], answered: 1 }),
    ]
    const window: NewEntry = { type: 'window-moved', actor: engine, startSeq: 8, leftOutCount: 2 }
    const log = write(note('time', 'Sunday'), ...turnOf(1, { asked: 1, results: [], answered: 1 }), ...kept)
    const after = write(...log.slice(1), window, note('time', 'Wednesday'), note('time', 'Thursday'))
    expect(JSON.stringify(requestOf(log)).match(/[A-Z]\w+day/g)).toEqual(['Sunday', 'Monday', 'Tuesday'])
    expect(JSON.stringify(requestOf(after)).match(/[A-Z]\w+day/g)).toEqual(['Tuesday', 'Wednesday', 'Thursday'])
    expect(
      [...notedFacts(after, { head: headOfPath(after, []), agentId: null }).values()].map(({ section, text }) => [
        section,
        text,
      ]),
    ).toEqual([
      ['time', 'Thursday'],
      ['canvas', 'empty'],
    ])
  })
})

/** Reads a path backward in pages, as an engine does, and counts what it reads. */
function readPath(path: readonly Entry[], log: readonly Entry[], pageSize: number) {
  let read = NOTHING_READ
  let to = path.length
  let readCount = 0
  while (!read.isEnough) {
    const from = Math.max(0, to - pageSize)
    const entries = path.slice(from, to)
    readCount += entries.length
    read = readBack(read, { entries, isBeginning: from === 0 }, { mostWeight: 10_000_000 })
    to = from
  }
  const carried = read.carriedSeqs.flatMap((seq) => log[seq - 1] ?? [])
  const checkpoint = carried.find((entry) => entry.type === 'checkpoint-made')
  const more = checkpoint ? carriedByCheckpoint(checkpoint, read.entries).flatMap((seq) => log[seq - 1] ?? []) : []
  return { entries: read.entries, carried: [...carried, ...more], readCount }
}

describe('reading backward', () => {
  it('[WIN5] gives the same request as the whole path, for every log and page size', () => {
    let shorter = 0
    fc.assert(
      fc.property(arbitraryRunLog, fc.integer({ min: 1, max: 20 }), (log, pageSize) => {
        const path = onPath(log)
        const whole = sourceOf(log, OPUS)
        const { entries, carried } = readPath(path, log, pageSize)
        if (entries.length < path.length) shorter++
        expect(canonicalText(composeRequest({ ...whole, entries, carried }).request)).toBe(
          canonicalText(composeRequest(whole).request),
        )
      }),
      { numRuns: 500 },
    )
    expect(shorter).toBeGreaterThan(10)
  })

  it('[CHK7] reads on to the beginning where the checkpoint that a window rests on was undone further back', () => {
    const turn = turnOf(1, { asked: 1, results: [], answered: 1 })
    const checkpoint: NewEntry = {
      type: 'checkpoint-made',
      actor: engine,
      source: 'person',
      coversFromSeq: 1,
      coversToSeq: 6,
      keptFromSeq: 7,
      summary: 'They began.',
      verbatimSeqs: [],
    }
    const window: NewEntry = { type: 'window-moved', actor: engine, startSeq: 8, checkpointSeq: 7, leftOutCount: 0 }
    const undone: NewEntry = { type: 'checkpoint-undone', actor: engine, checkpointSeq: 7 }
    const log = write(...turn, checkpoint, ...turnOf(2, { asked: 1, results: [], answered: 1 }), window, undone)
    expect(readPath(log, log, 3).entries).toHaveLength(log.length)
    expect(JSON.stringify(requestOf(log).messages)).not.toContain('They began')
  })

  it('[WIN5] reads as much of 100 exchanges as of 5,000, also where the checkpoint lies far back', () => {
    const grown = (count: number): Entry[] => {
      const log: NewEntry[] = []
      for (let number = 1; number <= count; number++) {
        log.push(...turnOf(number, { asked: 4, results: [], answered: 4 }))
        if (number === 20)
          log.push({
            type: 'checkpoint-made',
            actor: engine,
            source: 'auto',
            coversFromSeq: 1,
            coversToSeq: 51,
            keptFromSeq: 52,
            summary: 'They counted.',
            verbatimSeqs: [3],
          })
      }
      const startSeq = exchangesOf(write(...log)).at(-12)?.startSeq ?? 0
      log.push({ type: 'window-moved', actor: engine, startSeq, checkpointSeq: 102, leftOutCount: 2 * (count - 12) })
      return write(...log, ...turnOf(count + 1, { asked: 4, results: [], answered: 4 }))
    }
    const [short, long] = [grown(100), grown(5_000)].map((log) => {
      const read = readPath(log, log, 50)
      const request = composeRequest({ ...sourceOf(log, OPUS), entries: read.entries, carried: read.carried }).request
      return { ...read, request, log }
    })
    if (!short || !long) throw new Error('Nothing was read')
    expect(long.readCount).toBe(short.readCount)
    expect(long.log.length).toBeGreaterThan(40 * short.log.length)
    for (const { request } of [short, long]) {
      expect(
        validateRequest({
          ...request,
          messages: [...request.messages, { role: 'user', parts: [{ type: 'text', text: 'Go on' }] }],
        }),
      ).toEqual([])
      expect(JSON.stringify(request.messages[0])).toMatch(/They counted.*asked 1 .*earlier messages.*asked/)
    }
  })

  it('[WIN5] stops where more is read than a window holds, though no start was recorded yet', () => {
    const log = write(...turns(40))
    const read = readBack(NOTHING_READ, { entries: log.slice(-100), isBeginning: false }, { mostWeight: 20_000 })
    expect(read.isEnough).toBe(true)
    expect(
      readBack(NOTHING_READ, { entries: log.slice(-10), isBeginning: false }, { mostWeight: 20_000 }).isEnough,
    ).toBe(false)
    expect(startSeqOf(headOfPath(read.entries, []))).toBe(1)
  })
})
