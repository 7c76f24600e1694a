import {
  breakdownOf,
  composeRequest,
  contextTokens,
  contextUse,
  definitionTokens,
  modelFamily,
  ratioOf,
  requestSize,
  textWeight,
  tokenRatios,
} from '@holdfast/context'
import type { Entry, InputPart, NewEntry } from '@holdfast/conversation'
import {
  describeProjection,
  pathRewound,
  runStarted,
  stepFinished,
  textBlock,
  usageRecorded,
} from '@holdfast/conversation/testing'
import type { ModelRequest } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { OPUS, requestOf, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { sent, started, tool } from './run-log.ts'
import { answer, measured, textOf, turnOf, write } from './sized-log.ts'

const engine = { type: 'engine' } as const

function tokensOf(log: readonly Entry[], ratio: number) {
  return contextTokens({
    composed: composeRequest(sourceOf(log, OPUS)),
    entries: onPath(log),
    model: OPUS,
    ratio,
    erasedAt: 0,
  })
}

/** A turn whose request was measured. */
function measuredTurn(number: number, tokens: { input: number; output: number }): NewEntry[] {
  return [...turnOf(number, { asked: 100, results: [], answered: 100 }), measured(number, tokens)]
}

describe('the context of a path', () => {
  it('[COST4] is the last measured request with its answer, and nothing of titles or summaries', () => {
    const title = [
      runStarted('run_t', 'title'),
      started('run_t', 'step_t', 'title', 0),
      stepFinished('run_t', 'step_t', [textBlock('A title')]),
      { ...usageRecorded('run_t', 'step_t', { input: 9_999, output: 1 }), purpose: 'title' as const },
    ]
    const log = write(
      ...measuredTurn(1, { input: 700, output: 50 }),
      ...measuredTurn(2, { input: 1_000, output: 60 }),
      ...title,
    )
    expect(tokensOf(log, 2.5)).toEqual({ usedTokens: 1_060, decisionTokens: 1_060, measured: true })
  })

  it('[COST4] adds the estimate of what came since, at the learnt ratio', () => {
    const log = write(
      ...measuredTurn(1, { input: 1_000, output: 60 }),
      runStarted('run_2', 'turn'),
      sent('run_2', 'input_2', 'x'.repeat(988)),
    )
    expect(tokensOf(log, 2.5)).toEqual({ usedTokens: 1_463, decisionTokens: 1_463, measured: false })
    expect(tokensOf(log, 5).usedTokens).toBe(1_262)
  })

  it('[COST4, COST5] rests on the last request that was read, not on one that was turned away', () => {
    const refused = [
      runStarted('run_2', 'turn'),
      sent('run_2', 'input_2', 'x'.repeat(988)),
      started('run_2', 'step_r', 'turn', 0),
      usageRecorded('run_2', 'step_r', { input: 0, output: 0 }),
    ]
    const log = write(...measuredTurn(1, { input: 1_000, output: 60 }), ...refused)
    expect(tokensOf(log, 2.5)).toEqual({ usedTokens: 1_463, decisionTokens: 1_463, measured: false })
    const learnt = (entries: readonly Entry[]) => ratioOf(tokenRatios.reduce(tokenRatios.initial, entries), OPUS)
    expect(learnt(log)).toBe(learnt(log.slice(0, -2)))
    const next = [started('run_2', 'step_n', 'turn', 0), usageRecorded('run_2', 'step_n', { input: 1_460, output: 0 })]
    const [whole, without] = [write(...log, ...next), write(...log.slice(0, -2), ...next)]
    expect(learnt(whole)).toBe(learnt(without))
  })

  it('[COST4] counts cache reads and creation, and no thinking that is not sent again', () => {
    const usage = {
      ...usageRecorded('run_1', 'step_1', { input: 10, output: 90 }),
      cacheReadTokens: 400,
      cacheCreation5mTokens: 30,
      cacheCreation1hTokens: 20,
      thinkingTokens: 70,
    }
    const asked = [runStarted('run_1', 'turn'), sent('run_1', 'input_1', 'Hi')]
    const unsigned = write(...asked, ...answer(1, [{ type: 'thinking', text: 'hm' }, textBlock('Hello')]), usage)
    const signed = write(
      ...asked,
      ...answer(1, [{ type: 'thinking', text: 'hm', providerState: {} }, textBlock('Hello')]),
      usage,
    )
    expect(tokensOf(unsigned, 2.5).usedTokens).toBe(480)
    expect(tokensOf(signed, 2.5).usedTokens).toBe(550)
  })

  it('[COST4] goes back with a rewind, and is estimated anew after a checkpoint', () => {
    const two = [...measuredTurn(1, { input: 700, output: 50 }), ...measuredTurn(2, { input: 2_000, output: 60 })]
    expect(tokensOf(write(...two, pathRewound(8)), 2.5)).toMatchObject({ usedTokens: 750, measured: true })
    const checkpoint: NewEntry = {
      type: 'checkpoint-made',
      actor: engine,
      source: 'auto',
      coversFromSeq: 1,
      coversToSeq: 8,
      keptFromSeq: 9,
      summary: textOf(40),
      verbatimSeqs: [],
    }
    const after = tokensOf(write(...two, checkpoint), 2.5)
    expect(after.measured).toBe(false)
    expect(after.usedTokens).toBeGreaterThan(240)
    expect(after.usedTokens).toBeLessThan(350)
    expect(after.decisionTokens).toBe(Math.ceil(after.usedTokens * 1.15))
  })

  it('[COST4] does not rest on figures that were estimated, nor on another model', () => {
    const estimated = { ...usageRecorded('run_2', 'step_2', { input: 5_000, output: 1 }), measured: false }
    const log = write(
      ...measuredTurn(1, { input: 700, output: 50 }),
      ...turnOf(2, { asked: 10, results: [], answered: 100 }),
      estimated,
    )
    const used = tokensOf(log, 2.5).usedTokens
    expect(used).toBeGreaterThan(750 + 110)
    expect(used).toBeLessThan(750 + 140)
    const composed = composeRequest(sourceOf(log, OPUS))
    const other = { providerId: 'openai', modelId: 'gpt-5' }
    expect(contextTokens({ composed, entries: log, model: other, ratio: 2.5, erasedAt: 0 }).measured).toBe(false)
    expect(contextTokens({ composed, entries: log, model: OPUS, ratio: 2.5, erasedAt: 5_000 }).usedTokens).toBeLessThan(
      500,
    )
  })

  it('[COST6] is shown in whole percent, over when over, and without percent where there is no window', () => {
    const of = (usedTokens: number, windowTokens: number | null) =>
      contextUse({ usedTokens, measured: true }, { windowTokens, reservedTokens: 10 })
    expect(of(25, 1_000)).toMatchObject({ percent: 3, isOver: false })
    expect(of(1_500, 1_000)).toMatchObject({ percent: 150, isOver: true })
    expect(of(1_500, null)).toMatchObject({ percent: null, isOver: false })
  })

  it('[COST4] has parts that add up to it', () => {
    const note: NewEntry = { type: 'context-noted', actor: engine, section: 'canvas', text: textOf(50) }
    const log = write(
      { type: 'tools-changed', actor: engine, hash: 'a', definitions: [tool('read'), tool('search')] },
      { type: 'settings-changed', actor: engine, changes: { instructions: textOf(300) } },
      note,
      ...turnOf(1, { asked: 100, results: [500], answered: 100 }),
    )
    const parts = breakdownOf(composeRequest(sourceOf(log, OPUS)), {
      modelId: OPUS.modelId,
      ratio: 2.5,
      totalTokens: 2_345,
      toolSources: new Map([['search', 'web']]),
    })
    const { categories, tools, system } = parts
    const sum = [...Object.values(categories), ...Object.values(tools), system].reduce(
      (total, tokens) => total + tokens,
      0,
    )
    expect(sum).toBe(2_345)
    expect(Object.keys(tools).sort()).toEqual(['', 'web'])
    expect(categories['tool-results']).toBeGreaterThan(system)
    expect(system).toBeGreaterThan(categories.messages)
    expect(categories.canvas).toBeGreaterThan(50)
    expect(categories.summary).toBe(0)
  })
})

describe('the estimate', () => {
  it('[COST5] begins with a ratio per family, and with one character per token for dense scripts', () => {
    const at = (modelId: string): number => ratioOf(tokenRatios.initial, { providerId: 'x', modelId })
    expect(at('claude-opus-4')).toBe(2.75)
    expect(at('somebody/else')).toBe(2.5)
    expect(at('openai/gpt-5')).toBe(3.67)
    const weightOf = (text: string): number =>
      requestSize(request([{ type: 'text', text }]), '').weight -
      requestSize(request([{ type: 'text', text: '' }]), '').weight
    expect(weightOf('1'.repeat(8)) / at('claude')).toBe(8)
    expect(weightOf('日本語'.repeat(10)) / at('claude')).toBe(30)
    expect(weightOf('русский'.repeat(2)) / at('claude')).toBe(7)
  })

  it('[COST5] weighs the definitions as the list in JSON that is sent, whichever of them were weighed before', () => {
    const tools = ['read', 'write', '日本'].map((name) => ({
      name,
      description: `does ${name}`,
      parameters: { a: [1] },
    }))
    const base = request([])
    const empty = requestSize(base, '').weight
    for (const some of [tools.slice(0, 1), tools, tools.slice(1), tools])
      expect(requestSize({ ...base, tools: some }, '').weight - empty).toBe(textWeight(JSON.stringify(some)))
  })

  it('[COST5] weighs a schema once for all conversations, and what else a definition says each time that it is another', () => {
    let readings = 0
    const parameters = Object.defineProperty({}, 'type', {
      enumerable: true,
      get() {
        readings += 1
        return 'object'
      },
    })
    const weigh = (description: string) => definitionTokens({ name: 'read', description, parameters }, 1)
    const short = weigh('Reads.')
    expect([weigh('Reads.'), readings]).toEqual([short, 1])
    expect(weigh('Reads a file of the folder.')).toBeGreaterThan(short)
    expect(readings).toBe(2)
  })

  it('[COST5] learns the ratio of a model from what was measured, and only from that', () => {
    const log: NewEntry[] = []
    let prompt = 1_000
    for (let number = 1; number <= 30; number++) {
      log.push(...turnOf(number, { asked: 400, results: [], answered: 400 }))
      // This model makes a token of every 4 characters.
      const output = 1_010 / 4
      log.push({ ...measured(number, { input: Math.round(prompt), output: Math.round(output) }) })
      prompt += output + 1_010 / 4
    }
    const learnt = tokenRatios.reduce(tokenRatios.initial, write(...log))
    expect(ratioOf(learnt, OPUS)).toBeGreaterThan(3.8)
    expect(ratioOf(learnt, OPUS)).toBeLessThan(4.2)
    expect(ratioOf(learnt, { ...OPUS, modelId: 'claude-haiku-4' })).toBe(2.75)
    const estimated = log.map((entry) => (entry.type === 'usage-recorded' ? { ...entry, measured: false } : entry))
    expect(tokenRatios.reduce(tokenRatios.initial, write(...estimated)).models).toEqual({})
    const absurd = log.map((entry) =>
      entry.type === 'usage-recorded' ? { ...entry, inputTokens: 1, outputTokens: 90_000 } : entry,
    )
    expect(ratioOf(tokenRatios.reduce(tokenRatios.initial, write(...absurd)), OPUS)).toBe(2.75)
  })

  it('[COST5] is within 10 % of the next prompt at the median and 25 % at the 95th percentile for a steady tokenizer', () => {
    const log: NewEntry[] = []
    const errors: number[] = []
    let prompt = 900
    for (let number = 1; number <= 60; number++) {
      const asked = 20 + ((number * 137) % 900)
      log.push(...turnOf(number, { asked, results: [], answered: 60 }).slice(0, 2))
      prompt += (asked * 2.5 + 20) / 3.3
      if (number > 1) {
        const ratio = ratioOf(tokenRatios.reduce(tokenRatios.initial, write(...log)), OPUS)
        errors.push(Math.abs(tokensOf(write(...log), ratio).usedTokens - prompt) / prompt)
      }
      log.push(...turnOf(number, { asked, results: [], answered: 60 }).slice(2))
      const output = Math.round((60 * 2.5 + 14) / 3.3)
      log.push(measured(number, { input: Math.round(prompt), output }))
      prompt += output
    }
    errors.sort((one, other) => one - other)
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.1)
    expect(errors[Math.floor(errors.length * 0.95)]).toBeLessThan(0.25)
  })

  it('[COST5] counts pictures by the formula of the vendor', () => {
    const blob = { hash: 'a'.repeat(64), sizeBytes: 1_000_000, mediaType: 'image/png' }
    const tokensFor = (modelId: string, size: { widthPx: number; heightPx: number } | null): number => {
      const part: InputPart = { type: 'image', attachmentId: 'a', blob, ...(size ?? {}) }
      return requestSize(request([part]), modelFamily(modelId)).mediaTokens
    }
    expect(tokensFor('claude-opus-4', { widthPx: 750, heightPx: 1_000 })).toBe(1_000)
    expect(tokensFor('claude-opus-4', { widthPx: 8_000, heightPx: 8_000 })).toBe(1_600)
    expect(tokensFor('claude-opus-4', null)).toBe(1_600)
    expect(tokensFor('gpt-5', { widthPx: 1_024, heightPx: 1_024 })).toBe(765)
    expect(tokensFor('gpt-5', { widthPx: 2_048, heightPx: 4_096 })).toBe(1_105)
    expect(tokensFor('gemini-3', { widthPx: 300, heightPx: 300 })).toBe(258)
    expect(tokensFor('gemini-3', { widthPx: 1_000, heightPx: 700 })).toBe(516)
  })
})

describeProjection(tokenRatios)

function request(parts: InputPart[]): ModelRequest {
  return { ...requestOf(write()), messages: [{ role: 'user', parts }] }
}
