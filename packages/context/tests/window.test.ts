import {
  canonicalText,
  carriedByCheckpoint,
  checkpointDueTokens,
  composeRequest,
  createWindowReader,
  exchangesOf,
  headOfPath,
  irreducibleParts,
  itemLimitChars,
  limitProblems,
  notedFacts,
  planWindow,
  sizedExchanges,
  startSeqOf,
  validateRequest,
  windowBudget,
} from '@holdfast/context'
import { type Entry, type NewEntry, placeEntry } from '@holdfast/conversation'
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
  return { type: 'window-moved', actor: engine, ...plan.moved, leftOutCount: 1 }
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
    expect(budget.systemTokens).toBe(475)
    expect(budget.toolTokens).toBeGreaterThan(20)
    expect(budget.budgetTokens).toBe(10_000 - 2_000 - 475 - budget.toolTokens)
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
    expect(limitProblems({ ...LIMITS, checkpointShare: 0.3 })[0]?.text).toContain('it would never make room')
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

/** An entry with a short message. */
function said(seq: number, runId: string): Entry {
  const about = { actor: { type: 'person', userId: 'u' }, runId, inputId: `input_${seq}` } as const
  return placeEntry(
    { type: 'user-message-sent', ...about, content: [{ type: 'text', text: 'Hello' }] },
    { conversationId: 'c', seq, at: 1 },
  )
}

/** The least processor time of several rounds of reading these pages so many times, in milliseconds. */
function readingMs(pages: readonly Entry[][], times: number, mostWeight: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const begun = process.threadCpuUsage()
    for (let time = 0; time < times; time++) {
      const reader = createWindowReader({ mostWeight })
      for (const entries of pages) reader.take({ entries, isBeginning: false })
      expect(reader.read().entries).toHaveLength(pages.length * 200)
    }
    const { user, system } = process.threadCpuUsage(begun)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** Where the newest mark that counts says that the request starts. */
function startOfMarks(entries: readonly Entry[]): number | null {
  let start: number | null = null
  for (const [index, entry] of entries.entries()) {
    if (entry.type !== 'checkpoint-made' && entry.type !== 'window-moved') continue
    const restsOn = entry.type === 'checkpoint-made' ? entry.seq : entry.checkpointSeq
    const isUndone = entries
      .slice(index)
      .some((later) => later.type === 'checkpoint-undone' && later.checkpointSeq === restsOn)
    if (!isUndone) start = entry.type === 'checkpoint-made' ? entry.keptFromSeq : entry.startSeq
  }
  return start
}

/** Reads a path backward in pages, as an engine does, and counts what it reads. */
function readPath(path: readonly Entry[], log: readonly Entry[], pageSize: number) {
  const reader = createWindowReader({ mostWeight: 10_000_000 })
  let to = path.length
  let readCount = 0
  for (let isEnough = false; !isEnough; ) {
    const from = Math.max(0, to - pageSize)
    const entries = path.slice(from, to)
    readCount += entries.length
    isEnough = reader.take({ entries, isBeginning: from === 0 })
    to = from
  }
  const read = reader.read()
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
    const most = { mostWeight: 20_000 }
    const reader = createWindowReader(most)
    expect(reader.take({ entries: log.slice(-100), isBeginning: false })).toBe(true)
    expect(createWindowReader(most).take({ entries: log.slice(-10), isBeginning: false })).toBe(false)
    expect(startSeqOf(headOfPath(reader.read().entries, []))).toBe(1)
  })

  it('[WIN5] stops at whole exchanges and at the start that counts, for every log and page size', () => {
    fc.assert(
      fc.property(arbitraryRunLog, fc.integer({ min: 1, max: 20 }), (log, pageSize) => {
        const path = onPath(log)
        const reader = createWindowReader({ mostWeight: 0 })
        for (let to = path.length; to > 0; to -= pageSize) {
          const from = Math.max(0, to - pageSize)
          const isEnough = reader.take({ entries: path.slice(from, to), isBeginning: from === 0 })
          const { entries, size } = reader.read()
          expect(entries).toEqual(path.slice(from))
          const head = startOfMarks(entries)
          const reachesStart = head !== null && (entries[0]?.seq ?? 0) <= head
          const isFull = size.weight > 0 && exchangesOf(entries).length > 1
          expect(isEnough).toBe(from === 0 || reachesStart || isFull)
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['one exchange that is longer than the window', 0, () => 'run_1'],
    ['many exchanges and no known window', Number.POSITIVE_INFINITY, (seq: number) => `run_${seq}`],
  ] as const)('[RUN27] takes for ten times the entries at most twelve times as long: %s', (_, mostWeight, runOf) => {
    const pagesOf = (count: number): Entry[][] => {
      const log = Array.from({ length: count }, (_, index) => said(index + 1, runOf(index + 1)))
      return Array.from({ length: count / 200 }, (_, page) => log.slice(count - (page + 1) * 200, count - page * 200))
    }
    const few = pagesOf(4_000)
    const many = pagesOf(40_000)
    // A machine that is busy may take from one of both; what is too slow is so each time.
    const isInProportion = () => readingMs(many, 1, mostWeight) < 1.2 * readingMs(few, 10, mostWeight) + 10
    expect([1, 2, 3].some(isInProportion)).toBe(true)
  })
})
