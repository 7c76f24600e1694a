import { composeRequest, type PriceSource, priceRequest, promptCache, requestFacts } from '@holdfast/context'
import type { Entry, NewEntry } from '@holdfast/conversation'
import { describeProjection, pathRewound, runStarted, usageRecorded } from '@holdfast/conversation/testing'
import type { ModelPrice } from '@holdfast/provider'
import { describe, expect, it } from 'vitest'
import { OPUS, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { sent, started, tool } from './run-log.ts'
import { turnOf, write } from './sized-log.ts'

const engine = { type: 'engine' } as const
const RATIO = 2.5

function priceOf(usdPerMillion: number): NonNullable<ModelPrice['input']> {
  return { usdPerMillion, tiers: [] }
}

/** A seller that writes prefixes at marks, dearer than input. */
const MARKS: ModelPrice = {
  input: priceOf(10),
  output: priceOf(50),
  cacheRead: priceOf(1),
  cacheCreation5m: priceOf(12.5),
  cacheCreation1h: priceOf(20),
  reference: 'list',
}

/** A seller whose cache works by itself. */
const AUTOMATIC: ModelPrice = { ...MARKS, cacheCreation5m: null, cacheCreation1h: null }

/** A turn with what its request used. */
function turn(number: number, usage: Partial<Extract<NewEntry, { type: 'usage-recorded' }>>): NewEntry[] {
  const record = usageRecorded(`run_${number}`, `step_${number}`, { input: 10, output: 200 })
  return [...turnOf(number, { asked: 100, results: [], answered: 100 }), { ...record, ...OPUS, ...usage }]
}

function sourceAt(
  log: readonly Entry[],
  options: Partial<PriceSource> & { readonly price?: ModelPrice | null },
): PriceSource {
  const { price = MARKS, ...changed } = options
  const composed = composeRequest(sourceOf(log, OPUS))
  const last = composed.request.messages.length - 1
  return {
    composed,
    request: { ...composed.request, cacheMarks: { ttl: '5m', system: true, messages: [last] } },
    entries: onPath(log),
    facts: requestFacts.reduce(requestFacts.initial, log),
    model: { ...OPUS, price },
    tokens: { usedTokens: 8_000, decisionTokens: 8_000, measured: false },
    ratio: RATIO,
    answerTokens: null,
    now: lastAt(log),
    ...changed,
  }
}

function lastAt(log: readonly Entry[]): number {
  return log.findLast(({ type }) => type === 'step-started')?.at ?? 0
}

const asked = [runStarted('run_9', 'turn'), sent('run_9', 'input_9', 'And now?')]
const warm = turn(1, { inputTokens: 0, cacheReadTokens: 2_000, cacheCreation5mTokens: 3_000, outputTokens: 200 })

describeProjection(promptCache)

describe('the price of the next request', () => {
  it('[COST3] splits the prompt into what the cache has, what it is given, and what is read anew', () => {
    const { now, cold, cache } = priceRequest(sourceAt(write(...warm, ...asked), {}))
    expect(now).toMatchObject({
      promptTokens: 8_000,
      cacheReadTokens: 5_000,
      cacheCreation5mTokens: 3_000,
      inputTokens: 0,
    })
    expect(now.promptUsd).toBeCloseTo((5_000 * 1 + 3_000 * 12.5) / 1e6, 10)
    expect(cold).toMatchObject({ cacheReadTokens: 0, cacheCreation5mTokens: 8_000 })
    expect(cold.promptUsd).toBeCloseTo((8_000 * 12.5) / 1e6, 10)
    expect(cache).toMatchObject({ state: 'warm', keptTokens: 5_000 })
  })

  it('[CACHE4] is that of a cold cache when nobody has used it for as long as it lives', () => {
    const log = write(...warm, ...asked)
    const usedAt = lastAt(log)
    const at = (ms: number) => priceRequest(sourceAt(log, { now: usedAt + ms }))
    expect(at(300_000).cache).toMatchObject({ state: 'warm', warmUntil: { '5m': usedAt + 300_000, '1h': null } })
    expect(at(300_001).cache.state).toBe('cold')
    expect(at(300_001).now).toEqual(at(0).cold)
    const hour = write(...turn(1, { inputTokens: 0, cacheCreation1hTokens: 5_000 }), ...asked)
    expect(priceRequest(sourceAt(hour, { now: lastAt(hour) + 3_600_000 })).cache).toMatchObject({
      state: 'warm',
      warmUntil: { '5m': null, '1h': lastAt(hour) + 3_600_000 },
    })
  })

  it('[COST3] says how long the answer may be by the answers so far, and nothing before the first', () => {
    const lengths = [900, 100, 300]
    const turns = lengths.flatMap((outputTokens, index) =>
      turn(index + 1, { outputTokens, cacheCreation5mTokens: 5_000 }),
    )
    const { now } = priceRequest(sourceAt(write(...turns, ...asked), {}))
    expect(now.outputTokens).toEqual({ low: 100, high: 900 })
    expect((now.usd?.high ?? 0) - (now.usd?.low ?? 0)).toBeCloseTo((800 * 50) / 1e6, 10)
    const first = priceRequest(sourceAt(write(...asked), {})).now
    expect(first).toMatchObject({ outputTokens: null, usd: null })
    expect(first.promptUsd).toBeCloseTo(0.1, 10)
    const stopped = turn(1, { outputTokens: 5, outcome: 'stopped', cacheCreation5mTokens: 5_000 })
    expect(priceRequest(sourceAt(write(...stopped, ...asked), {})).now.outputTokens).toBeNull()
  })

  it('[COST3] stays unknown where no price is known', () => {
    const { now } = priceRequest(sourceAt(write(...warm, ...asked), { price: null }))
    expect(now).toMatchObject({ promptUsd: null, usd: null, cacheReadTokens: 5_000 })
  })

  it('[REQ5] finds nothing of the prefix after a change of tools or instructions, and of the messages after a checkpoint', () => {
    const big = { ...tool('big'), description: 'word '.repeat(1_200) }
    const definitions: NewEntry = { type: 'tools-changed', actor: engine, hash: '1', definitions: [big] }
    const instructions: NewEntry = { type: 'settings-changed', actor: engine, changes: { instructions: 'Be brief' } }
    const parameters: NewEntry = {
      type: 'settings-changed',
      actor: engine,
      changes: { parameters: { temperature: 1 } },
    }
    const outlook = (...entries: NewEntry[]) => priceRequest(sourceAt(write(...entries), {})).cache
    expect(outlook(definitions, ...warm, ...asked)).toMatchObject({ state: 'warm', keptTokens: 5_000 })
    expect(outlook(...warm, definitions, ...asked)).toMatchObject({ state: 'empty', keptTokens: 0, keptToSeq: null })
    expect(outlook(...warm, instructions, ...asked)).toMatchObject({ state: 'empty', keptTokens: 0 })
    const head = outlook(definitions, ...warm, parameters, ...asked)
    expect(head.state).toBe('warm')
    expect(head.keptTokens).toBeGreaterThan(2_000)
    expect(head.keptTokens).toBeLessThan(3_000)
    expect(head.keptToSeq).toBeNull()
  })

  it('[REQ5] keeps what the kept part of the path had after a rewind, but not over a change on the other branch', () => {
    const second = turn(2, { inputTokens: 0, cacheReadTokens: 5_000, cacheCreation5mTokens: 2_000 })
    const toSeq = 1 + turnOf(1, { asked: 1, results: [], answered: 1 }).length
    const log = write(...warm, ...second, pathRewound(toSeq + 1), ...asked)
    expect(priceRequest(sourceAt(log, {})).cache).toMatchObject({ state: 'warm', keptTokens: 5_000 })
    const changes: NewEntry = { type: 'tools-changed', actor: engine, hash: '1', definitions: [] }
    const changed = write(...warm, changes, ...second, pathRewound(toSeq + 1), ...asked)
    expect(priceRequest(sourceAt(changed, {})).cache.state).toBe('empty')
  })

  it('[CACHE4] does not count what another model left in its cache, and finds its own again', () => {
    const other = started('run_2', 'step_2', 'turn', 2)
    const between = [
      runStarted('run_2', 'turn'),
      sent('run_2', 'input_2', 'To another'),
      other,
      {
        ...usageRecorded('run_2', 'step_2', { input: 10, output: 5 }),
        providerId: 'openai',
        modelId: 'gpt-5',
        cacheReadTokens: 9_000,
      },
    ]
    const log = write(...warm, ...between, ...asked)
    expect(priceRequest(sourceAt(log, {})).cache.keptTokens).toBe(5_000)
    const source = sourceAt(log, {})
    const model = { providerId: 'openai', modelId: 'gpt-5-mini', price: MARKS }
    expect(priceRequest({ ...source, model }).cache.state).toBe('empty')
  })

  it('[CACHE4] takes a cache that works by itself in its steps, and asks for none where none is wanted', () => {
    const log = write(...turn(1, { inputTokens: 3_000 }), ...asked)
    const unmarked = { ...sourceAt(log, {}).request, cacheMarks: null }
    const automatic = priceRequest(sourceAt(log, { price: AUTOMATIC, request: unmarked }))
    expect(automatic.cache).toMatchObject({ state: 'warm', keptTokens: 2_944 })
    expect(automatic.now).toMatchObject({ cacheReadTokens: 2_944, cacheCreation5mTokens: 0, inputTokens: 5_056 })
    const off = priceRequest(sourceAt(write(...warm, ...asked), { request: unmarked }))
    expect(off.cache).toMatchObject({ state: 'off', keptTokens: 0 })
    expect(off.now).toMatchObject({ inputTokens: 8_000, cacheCreation5mTokens: 0 })
  })
})
