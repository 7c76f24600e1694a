import {
  type CheckpointPlan,
  canonicalText,
  checkpointDueTokens,
  chunkRequest,
  composeRequest,
  contextLimits,
  extendedRequest,
  isCheckpointDue,
  limitProblems,
  planCheckpoint,
  readSummary,
  summaryChunks,
  summaryInstruction,
  toTokens,
  untilOpenCalls,
  validateRequest,
} from '@holdfast/context'
import { type Entry, type NewEntry, settingsOver, USUAL_SETTINGS } from '@holdfast/conversation'
import { logOf, runStarted, stepFinished, textBlock, toolCallBlock } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPUS, requestOf, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { arbitraryRunLog, sent, started } from './run-log.ts'
import { LIMITS, planningFrom, textOf, turnOf, write } from './sized-log.ts'

const engine = { type: 'engine' } as const

function plan(log: readonly Entry[], pinnedSeqs: readonly number[]): CheckpointPlan {
  return planCheckpoint({ ...planningFrom(log, LIMITS), itemLimitChars: 50_000, pinnedSeqs })
}

function made(planned: CheckpointPlan, summary: string): NewEntry {
  if (planned.type !== 'planned') throw new Error(`No checkpoint is planned: ${planned.type}`)
  return { type: 'checkpoint-made', actor: engine, source: 'auto', summary, ...planned.range }
}

function turns(from: number, to: number, tokens: number): NewEntry[] {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return numbers.flatMap((number) =>
    turnOf(number, { asked: tokens / 10, results: [tokens / 2], answered: tokens / 4 }),
  )
}

describe('a checkpoint', () => {
  it('[CHK1] covers all but the last exchanges, and the request holds the summary and what is kept', () => {
    const log = write(...turns(1, 6, 800))
    const planned = plan(log, [])
    const after = write(...turns(1, 6, 800), made(planned, 'They read files.'))
    const text = JSON.stringify(requestOf([...after, ...asked(after, 'Go on')]).messages)
    expect(planned).toMatchObject({ type: 'planned', makesRoom: true })
    expect(text).toMatch(/^\[\{"role":"user","parts":\[\{"type":"text","text":"<summary.*They read files/)
    expect(text).toContain('answered 5')
    expect(text).toContain('answered 6')
    expect(text).not.toContain('answered 4')
  })

  it('[CHK2] never separates a call from its result, and is valid wherever it is made', () => {
    let planned = 0
    fc.assert(
      fc.property(arbitraryRunLog, fc.integer({ min: 30, max: 400 }), (log, windowTokens) => {
        const quiet = untilOpenCalls(onPath(log))
        const limits = { ...LIMITS, windowTokens, reservedOutputTokens: 10, summaryTokens: 10 }
        const source = { ...sourceOf(log, OPUS), entries: quiet }
        const found = planCheckpoint({
          ...planningFrom(log, limits),
          composed: composeRequest(source),
          entries: quiet,
          itemLimitChars: 50_000,
          pinnedSeqs: [],
        })
        if (found.type !== 'planned') return
        planned++
        const head = log.length
        const [entry] = logOf('conversation_1', [made(found, 'So far.')]).map((one) => ({
          ...one,
          seq: head + 1,
          at: 9_000,
        }))
        if (!entry) throw new Error('No entry was made')
        const entries = [...quiet, entry, ...asked([...log, entry], 'Go on')]
        const request = composeRequest({ ...source, entries }).request
        expect(validateRequest(request)).toEqual([])
        expect(JSON.stringify(request.messages[0])).toContain('So far.')
      }),
      { numRuns: 500 },
    )
    expect(planned).toBeGreaterThan(100)
  })

  it('[CHK2] waits while a call is open', () => {
    const open = [runStarted('run_9', 'turn'), sent('run_9', 'input_9', 'Read'), started('run_9', 'step_9', 'turn', 0)]
    const log = write(...turns(1, 6, 800), ...open, stepFinished('run_9', 'step_9', [toolCallBlock('call_9', 'read')]))
    const source = sourceOf(log, OPUS)
    const composed = composeRequest({ ...source, entries: untilOpenCalls(source.entries) })
    expect(
      planCheckpoint({
        ...planningFrom(write(...turns(1, 6, 800)), LIMITS),
        composed,
        entries: log,
        itemLimitChars: 50_000,
        pinnedSeqs: [],
      }),
    ).toEqual({ type: 'open-calls' })
    expect(plan(write(), [])).toEqual({ type: 'nothing-to-cover' })
    expect(plan(write(...turns(1, 1, 100)), [])).toEqual({ type: 'nothing-to-cover' })
  })

  it('[CHK9] falls between two steps of a run that is too large, keeps what was said in it, and its last steps', () => {
    const results = Array.from({ length: 30 }, () => 300)
    // What was asked is larger than what is carried over of other messages.
    const running = turnOf(2, { asked: 1_500, results, answered: 1 }).slice(0, -3)
    const steering = sent('run_2', 'input_steer', 'and mind the tests')
    const log = write(...turns(1, 1, 400), ...running.slice(0, 8), steering, ...running.slice(8))
    const planned = plan(log, [])
    expect(planned).toMatchObject({ type: 'planned', makesRoom: true })
    const after = write(
      ...turns(1, 1, 400),
      ...running.slice(0, 8),
      steering,
      ...running.slice(8),
      made(planned, 'So far.'),
    )
    const request = requestOf(after)
    const text = JSON.stringify(request.messages)
    expect(validateRequest(request)).toEqual([])
    expect(text).toMatch(/asked 2 .*and mind the tests/)
    expect(text).toContain('result 2.29')
    expect(text).not.toContain('result 2.10 ')
    expect(request.messages[1]?.role).toBe('assistant')
  })

  it('[CHK9] lets one run of 300 steps and three windows of tool output end complete', () => {
    let entries: NewEntry[] = [runStarted('run_1', 'turn'), sent('run_1', 'input_1', 'Read everything, in order')]
    let checkpoints = 0
    for (let index = 0; index < 300; index++) {
      const step = turnOf(1, { asked: 1, results: Array.from({ length: index + 1 }, () => 100), answered: 1 })
      entries = [...entries, ...step.slice(2 + 3 * index, 5 + 3 * index)]
      const log = write(...entries)
      const { composed } = planningFrom(log, LIMITS)
      expect(validateRequest(composed.request)).toEqual([])
      const tokens = toTokens({ weight: canonicalText(composed.request).length, mediaTokens: 0 }, 2.5)
      expect(tokens).toBeLessThan(LIMITS.windowTokens - LIMITS.reservedOutputTokens)
      if (tokens < 7_000) continue
      const planned = plan(log, [])
      expect(planned).toMatchObject({ makesRoom: true })
      entries = [...entries, made(planned, `Read up to ${index}.`)]
      checkpoints++
    }
    const last = JSON.stringify(requestOf(write(...entries)).messages)
    expect(checkpoints).toBeGreaterThan(3)
    expect(last).toContain('Read everything, in order')
    expect(last).toContain('result 1.299')
  })

  it('[CHK4] carries what people wrote, newest first as far as it fits, pinned always, over five checkpoints', () => {
    let entries: NewEntry[] = []
    for (let round = 0; round < 5; round++) {
      entries = [...entries, ...turns(round * 6 + 1, round * 6 + 6, 900)]
      const log = write(...entries)
      const planned = plan(log, [3])
      if (planned.type !== 'planned') throw new Error('No checkpoint is planned')
      const { verbatimSeqs } = planned.range
      expect(verbatimSeqs[0]).toBe(3)
      expect(planned.listedSeqs.every((seq) => verbatimSeqs.slice(1).every((kept) => kept > seq))).toBe(true)
      if (round > 1) expect(planned.listedSeqs.length).toBeGreaterThan(0)
      entries = [...entries, made(planned, `Round ${round}.`)]
    }
    const log = write(...entries)
    const text = JSON.stringify(requestOf([...log, ...asked(log, 'Go on')]).messages)
    expect(text).toContain('asked 1 ')
    expect(text).toContain('asked 28 ')
    expect(text.match(/Round \d/g)).toEqual(['Round 4'])
  })

  it('[WIN7] goes on saying what a window left out before it', () => {
    const log = turns(1, 6, 800)
    const window: NewEntry = { type: 'window-moved', actor: engine, startSeq: 10, leftOutCount: 3 }
    const planned = plan(write(...log, window), [])
    expect(planned).toMatchObject({ leftOutCount: 3, range: { coversFromSeq: 10 } })
    expect(plan(write(...log), [])).toMatchObject({ leftOutCount: 0, range: { coversFromSeq: 1 } })
  })

  it('[CHK5] is due at its share, and not again before the context has grown by a quarter of the budget', () => {
    const at = { limits: LIMITS, budgetTokens: 8_000, excessTokens: 0 }
    expect(isCheckpointDue({ ...at, decisionTokens: 7_199, afterLastTokens: null })).toBe(false)
    expect(isCheckpointDue({ ...at, decisionTokens: 7_200, afterLastTokens: null })).toBe(true)
    expect(isCheckpointDue({ ...at, decisionTokens: 7_200, afterLastTokens: 5_300 })).toBe(false)
    expect(isCheckpointDue({ ...at, decisionTokens: 7_300, afterLastTokens: 5_300 })).toBe(true)
    expect(isCheckpointDue({ ...at, decisionTokens: 7_200, excessTokens: 1, afterLastTokens: 7_100 })).toBe(true)
  })

  it('[CHK5] is due at an absolute number of tokens where the window is large, and its shares are of what is used of it', () => {
    const large = { windowTokens: 1_000_000, reservedOutputTokens: 64_000 }
    const limits = contextLimits(USUAL_SETTINGS, large)
    expect(checkpointDueTokens(limits)).toBe(200_000)
    expect(limitProblems(limits)).toEqual([])
    const at = { limits, budgetTokens: 900_000, decisionTokens: 200_000, excessTokens: 0 }
    expect(isCheckpointDue({ ...at, afterLastTokens: 100_000 })).toBe(true)
    const raised = contextLimits(settingsOver(USUAL_SETTINGS, { checkpointMostTokens: 900_000 }), large)
    expect(checkpointDueTokens(raised)).toBe(750_000)
    const small = { windowTokens: 32_000, reservedOutputTokens: 8_000 }
    expect(checkpointDueTokens(contextLimits(USUAL_SETTINGS, small))).toBe(21_600)
  })

  it('[CHK5] keeps and carries over so little of a large window that it is not due again at once', () => {
    const log = write(...turns(1, 10, 24_000))
    const limits = contextLimits(USUAL_SETTINGS, { windowTokens: 1_000_000, reservedOutputTokens: 64_000 })
    const found = planCheckpoint({ ...planningFrom(log, limits), carried: [], itemLimitChars: 200_000, pinnedSeqs: [] })
    expect(found).toMatchObject({ type: 'planned', makesRoom: true })
    expect(found.type === 'planned' && found.afterTokens).toBeLessThan(130_000)
  })

  it('[CHK5] says that it would not make room', () => {
    const log = write(
      { type: 'settings-changed', actor: engine, changes: { instructions: textOf(6_500) } },
      ...turns(1, 4, 400),
    )
    expect(plan(log, [])).toMatchObject({ type: 'planned', makesRoom: false })
  })
})

describe('the request for a summary', () => {
  const wish = { wishedTokens: 400, focus: 'the </summary-request> tests' }

  it('[CHK3] begins with all of the turn request and ends with the instruction, nothing else changed', () => {
    const log = write(...turns(1, 3, 400))
    const request = { ...requestOf(log), cacheMarks: { ttl: '5m' as const, system: true, messages: [0] } }
    const summary = extendedRequest(request, summaryInstruction(wish))
    expect(canonicalText(summary).startsWith(canonicalText(request))).toBe(true)
    expect(summary).toMatchObject({
      tools: request.tools,
      toolChoice: request.toolChoice,
      cacheMarks: request.cacheMarks,
    })
    expect(validateRequest(summary)).toEqual([])
    const open = requestOf([...log, ...asked(log, 'Wait')])
    expect(canonicalText(extendedRequest(open, 'x')).startsWith(canonicalText(open))).toBe(true)
    expect(validateRequest(extendedRequest(open, 'x'))).toEqual([])
    expect(summaryInstruction(wish).match(/<\/summary-request>/g)).toHaveLength(1)
  })

  it('[CHK3] reads nothing but a whole answer in words as a summary', () => {
    expect(readSummary([textBlock(' Done. ')], { finish: 'end', mostWeight: 1_000 })).toEqual({
      type: 'summary',
      text: 'Done.',
    })
    expect(
      readSummary([textBlock('Done.'), toolCallBlock('c', 'read')], { finish: 'tool-calls', mostWeight: 1_000 }),
    ).toMatchObject({
      reason: 'called-a-tool',
    })
    expect(readSummary([textBlock(' ')], { finish: 'end', mostWeight: 1_000 })).toMatchObject({ reason: 'empty' })
    expect(readSummary([textBlock('Do')], { finish: 'length', mostWeight: 1_000 })).toMatchObject({
      reason: 'over-long',
    })
    expect(readSummary([textBlock('x'.repeat(1_010))], { finish: 'end', mostWeight: 1_000 })).toMatchObject({
      reason: 'over-long',
    })
    expect(readSummary([textBlock('Do')], { finish: 'cut', mostWeight: 1_000 })).toMatchObject({ reason: 'cut' })
    expect(readSummary([textBlock('No')], { finish: 'refused', mostWeight: 1_000 })).toMatchObject({
      reason: 'refused',
    })
  })

  it('[CHK3] summarises in chunks what does not fit, all of it, newest included', () => {
    const long = `${'a'.repeat(10_000)}${'😀'.repeat(3_000)}${'b'.repeat(10_000)}`
    const log = write(...turns(1, 8, 800), runStarted('run_9', 'turn'), sent('run_9', 'input_9', `${long}</said>`))
    const { messages, request } = composeRequest(sourceOf(log, OPUS))
    const chunks = summaryChunks(messages, { chunkTokens: 1_000, ratio: 2.5 })
    const all = chunks.join('')
    expect(chunks.length).toBeGreaterThan(8)
    for (const chunk of chunks) {
      expect(chunk.isWellFormed()).toBe(true)
      expect(chunk.length).toBeLessThanOrEqual(2_600)
    }
    for (let number = 1; number <= 8; number++)
      expect(all).toMatch(new RegExp(`asked ${number} .*result ${number}.0 .*answered ${number} `, 's'))
    expect(all.match(/[ab]{100}/g)?.length).toBeGreaterThan(190)
    expect(all).toContain('&lt;/said&gt;')
    const folded = chunkRequest(request, {
      text: chunks[1] ?? '',
      soFar: 'Before </summary>',
      words: summaryInstruction(wish),
    })
    expect(validateRequest(folded)).toEqual([])
    expect(JSON.stringify(folded.messages)).toContain('Before &lt;/summary&gt;')
  })
})

/** A message after the end of a log. */
function asked(log: readonly Entry[], text: string): Entry[] {
  const head = log.at(-1)?.seq ?? 0
  return logOf('conversation_1', [runStarted('run_next', 'turn'), sent('run_next', 'input_next', text)]).map(
    (entry, index) => ({
      ...entry,
      seq: head + 1 + index,
      at: 9_500,
    }),
  )
}
